package io.ycsbdrill.client.group;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of this process, as they are sent to other hosts: named by version and content, so that what is there already is known by
 * its name. Thread-safe.
 */
public final class SentProgram {
    private static final int DIGITS = 12;

    private final String version;
    private final List<Path> parts;
    private final List<String> names = new ArrayList<>();
    private String name;
    private Path archive;

    /**
     * @param version of ycsb-drill
     * @param classPath jars and folders, in order; those that are not there are left out, as Java does
     */
    public SentProgram(String version, List<Path> classPath) {
        this.version = version;
        parts = classPath.stream().filter(Files::exists).toList();
        for (Path part : parts) {
            // The same name may be there twice, in different folders.
            names.add(String.format(Locale.ROOT, "%03d-%s", names.size(), part.getFileName()));
        }
    }

    /** {@code ycsb-drill-1.0-0123456789ab}. */
    synchronized String name() throws IOException {
        if (name == null) {
            MessageDigest digest = sha256();
            for (int i = 0; i < parts.size(); i++) {
                digest.update(names.get(i).getBytes(StandardCharsets.UTF_8));
                for (Path file : files(parts.get(i))) {
                    digest.update(parts.get(i).relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                    add(file, digest);
                }
            }
            name = "ycsb-drill-" + version + "-"
                    + HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        }
        return name;
    }

    /** The class path of a host that has unpacked the archive into this folder. */
    String classPath(String folder) {
        return names.stream().map(part -> folder + "/" + part).collect(Collectors.joining(":"));
    }

    /** All parts in one file, which is there as long as this process. */
    synchronized Path archive() throws IOException {
        if (archive != null) {
            return archive;
        }
        Path folder = Files.createTempDirectory("ycsb-drill-send");
        for (int i = 0; i < parts.size(); i++) {
            Files.createSymbolicLink(folder.resolve(names.get(i)), parts.get(i).toAbsolutePath());
        }
        Path made = Files.createTempFile("ycsb-drill-send", ".tar");
        made.toFile().deleteOnExit();
        Process tar = new ProcessBuilder("tar", "-chf", made.toString(), "-C", folder.toString(), ".")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (tar.waitFor() != 0) {
                throw new IOException(
                        "the classes of this process cannot be packed: tar ended with " + tar.exitValue());
            }
        } catch (InterruptedException e) {
            tar.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while packing", e);
        } finally {
            try (Stream<Path> links = Files.list(folder)) {
                for (Path link : links.toList()) {
                    Files.delete(link);
                }
            }
            Files.delete(folder);
        }
        archive = made;
        return archive;
    }

    private static List<Path> files(Path part) throws IOException {
        if (!Files.isDirectory(part)) {
            return List.of(part);
        }
        try (Stream<Path> all = Files.walk(part)) {
            List<Path> files = new ArrayList<>(all.filter(Files::isRegularFile).toList());
            Collections.sort(files);
            return files;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void add(Path file, MessageDigest digest) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
