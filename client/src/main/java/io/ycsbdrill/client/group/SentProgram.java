package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Formatted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private String sums;

    /**
     * @param version of ycsb-drill
     * @param classPath jars and folders, in order; those that are not there are left out, as Java does
     */
    public SentProgram(String version, List<Path> classPath) {
        this.version = version;
        parts = classPath.stream().filter(Files::exists).toList();
        for (Path part : parts) {
            // The same name may be there twice, in different folders.
            names.add(Formatted.of("%03d-%s", names.size(), part.getFileName()));
        }
    }

    /** {@code ycsb-drill-1.0-0123456789ab}. */
    synchronized String name() throws IOException {
        MessageDigest digest = sha256();
        digest.update(sums().getBytes(StandardCharsets.UTF_8));
        return "ycsb-drill-" + version + "-"
                + HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }

    /** A line for each file, as {@code sha256sum} reads it: digest, two blanks, and its name in the folder with {@code ./} before it. */
    synchronized String sums() throws IOException {
        if (sums == null) {
            StringBuilder lines = new StringBuilder();
            for (Map.Entry<String, Path> file : files().entrySet()) {
                MessageDigest digest = sha256();
                add(file.getValue(), digest);
                lines.append(HexFormat.of().formatHex(digest.digest()))
                        .append("  ./")
                        .append(file.getKey())
                        .append('\n');
            }
            sums = lines.toString();
        }
        return sums;
    }

    /** The class path of a host that has unpacked the archive into this folder. */
    String classPath(String folder) {
        return names.stream().map(part -> folder + "/" + part).collect(Collectors.joining(":"));
    }

    /** Writes all files as an archive. */
    void writeTo(OutputStream out) throws IOException {
        TarWriter tar = new TarWriter(out);
        for (Map.Entry<String, Path> file : files().entrySet()) {
            tar.file(file.getKey(), file.getValue());
        }
        tar.end();
    }

    /** Files in the order of their names in the folder. */
    private Map<String, Path> files() throws IOException {
        Map<String, Path> all = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            Path part = parts.get(i);
            for (Path file : files(part)) {
                String name = names.get(i) + (file.equals(part) ? "" : "/" + part.relativize(file));
                // Both lists, that of digests and that of find, have a line for each.
                if (name.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\')) {
                    throw new IOException("a file of the class path has a name that cannot be sent: " + part);
                }
                all.put(name, file);
            }
        }
        return all;
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
