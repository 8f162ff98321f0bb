package io.ycsbdrill.distribution;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * A package of Debian, by its contents: where it is fetched from does not matter.
 *
 * @param sha256 in hexadecimal digits
 * @param path in an archive of Debian, {@code pool/...}
 */
record DebianPackage(String sha256, String path) {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int READ_MILLIS = 60_000;

    DebianPackage {
        if (!sha256.matches("[0-9a-f]{64}") || !path.matches("pool/[^ ]+/[^/ _]+_[^/ ]+\\.deb")) {
            throw new IllegalArgumentException(
                    "\"" + sha256 + " " + path
                            + "\" is not a SHA-256 and the path of a package, as in \"1f5a... pool/main/d/dash/dash_0.5.12-12_amd64.deb\"");
        }
    }

    /** The file's lines that are neither empty nor comments. */
    static List<DebianPackage> list(Path file) throws IOException {
        List<DebianPackage> packages = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.split(" ", 2);
                packages.add(new DebianPackage(words[0], words.length > 1 ? words[1] : ""));
            }
        }
        return packages;
    }

    String name() {
        String file = path.substring(path.lastIndexOf('/') + 1);
        return file.substring(0, file.indexOf('_'));
    }

    /**
     * The package's file, fetched unless it is there already.
     *
     * @param mirrors asked in turn: a mirror has only the newest version of a package, Debian's snapshots have all
     * @throws IOException when no mirror has it with this SHA-256
     */
    Path fetch(Path cache, List<URI> mirrors) throws IOException {
        Path file = cache.resolve(sha256 + ".deb");
        if (Files.exists(file) && sha256.equals(digest(file))) {
            return file;
        }
        Files.createDirectories(cache);
        List<String> tried = new ArrayList<>();
        for (URI mirror : mirrors) {
            String address = mirror + (mirror.toString().endsWith("/") ? "" : "/") + path.replace("+", "%2B");
            Path temporary = Files.createTempFile(cache, "fetch", ".tmp");
            try {
                download(URI.create(address), temporary);
                String found = digest(temporary);
                if (found.equals(sha256)) {
                    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
                    return file;
                }
                tried.add(address + " has the SHA-256 " + found);
            } catch (IOException e) {
                tried.add(address + ": " + e);
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
        throw new IOException("package " + name() + " with the SHA-256 " + sha256 + " was not found:\n  "
                + String.join("\n  ", tried)
                + "\nName a mirror or a snapshot that has it with -Dimage.mirrors=URL,URL, or renew the list with"
                + " .ci/image-packages");
    }

    private static void download(URI address, Path file) throws IOException {
        URLConnection connection = address.toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        try (InputStream in = connection.getInputStream()) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest = Digests.sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Digests.hex(digest);
    }

    /** What is done with a file of a package; the stream is valid during the call only. */
    interface Visitor {
        void visit(TarArchiveEntry entry, InputStream content) throws IOException;
    }

    /** Passes on all that the package installs. Its maintainer's scripts are not run. */
    static void files(Path deb, Visitor visitor) throws IOException {
        entries(deb, "data.tar.xz", visitor);
    }

    /** Its control file. */
    static String control(Path deb) throws IOException {
        StringBuilder text = new StringBuilder();
        entries(deb, "control.tar.xz", (entry, content) -> {
            if (entry.getName().equals("./control")) {
                text.append(new String(content.readAllBytes(), StandardCharsets.UTF_8));
            }
        });
        return text.toString();
    }

    private static void entries(Path deb, String part, Visitor visitor) throws IOException {
        try (ArArchiveInputStream ar =
                new ArArchiveInputStream(new BufferedInputStream(Files.newInputStream(deb), 1 << 16))) {
            for (ArArchiveEntry member = ar.getNextEntry(); member != null; member = ar.getNextEntry()) {
                if (member.getName().equals(part)) {
                    TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(ar));
                    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                        visitor.visit(entry, tar);
                    }
                    return;
                }
            }
        }
        throw new IOException(deb + ": it has no " + part + "; other compressions are not supported");
    }
}
