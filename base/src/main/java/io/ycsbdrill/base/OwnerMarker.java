package io.ycsbdrill.base;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the file in a directory of ours says: lines of a name and a value.
 *
 * @param purpose what the directory is for
 * @param id of this directory alone
 * @param machine where and as whom it was made
 */
record OwnerMarker(String purpose, String id, Machine machine) {
    static final String NAME = ".ycsb-drill-owner";

    private static final String PRODUCT = "ycsb-drill";
    private static final int LARGEST = 4096;

    static OwnerMarker of(String purpose) {
        return new OwnerMarker(purpose, UUID.randomUUID().toString(), Machine.here());
    }

    void write(Path directory) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("product", PRODUCT);
        lines.put("purpose", purpose);
        lines.put("id", id);
        lines.put("machine", machine.machine());
        lines.put("host", machine.host());
        lines.put("boot", machine.boot());
        lines.put("processes", machine.processes());
        lines.put("user", machine.user());
        StringBuilder text = new StringBuilder();
        lines.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        AtomicFile.writePrivate(directory.resolve(NAME), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** @throws NotOursException when there is none, or it says that the directory is somebody else's */
    static OwnerMarker read(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotOursException(directory, missing("it", directory));
        }
        if (!isOurs(file)) {
            throw new NotOursException(directory, "its file " + NAME + " belongs to another user; look whose it is");
        }
        Map<String, String> lines = lines(file);
        if (!PRODUCT.equals(lines.get("product"))
                || lines.getOrDefault("id", "").isEmpty()) {
            throw new NotOursException(directory, "its file " + NAME + " is damaged; " + byHand(directory));
        }
        Machine made = new Machine(
                lines.getOrDefault("machine", ""),
                lines.getOrDefault("host", ""),
                lines.getOrDefault("boot", ""),
                lines.getOrDefault("processes", ""),
                lines.getOrDefault("user", ""));
        Optional<String> foreign = Machine.here().foreignTo(made);
        if (foreign.isPresent()) {
            throw new NotOursException(
                    directory, foreign.get() + "; repeat the command there, or, " + byHand(directory));
        }
        return new OwnerMarker(lines.getOrDefault("purpose", ""), lines.get("id"), made);
    }

    static String missing(String what, Path directory) {
        return what + " has the file " + NAME
                + " by which this program knows its own, as one of an earlier version or of" + " somebody else; "
                + byHand(directory);
    }

    private static String byHand(Path directory) {
        return "if you are sure that no process uses it and that it is yours, remove it by hand: rm -r \"" + directory
                + "\"";
    }

    /** Whether it belongs to the user of this process. */
    static boolean isOurs(Path file) throws IOException {
        return !OwnedDirectory.posix(file)
                || !Files.exists(Path.of("/proc/self"))
                || Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(Path.of("/proc/self")));
    }

    private static Map<String, String> lines(Path file) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String text = new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
            text.lines()
                    .map(line -> line.split("=", 2))
                    .filter(line -> line.length == 2)
                    .forEach(line -> lines.put(line[0], line[1]));
        }
        return lines;
    }
}
