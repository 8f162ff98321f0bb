package io.ycsbdrill.distribution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Makes the container image {@code ycsb-drill:VERSION} without a container engine, a registry or root: a layer of Debian's packages
 * (C library, shell, Java, ssh, kubectl), and above it the archive in {@code /opt/ycsb-drill}. It runs as user 1000, and as any
 * other that it is told to. The same packages and the same archive give the same image.
 */
final class ImageBuild {
    static final String HOME = "opt/ycsb-drill";
    static final int USER = 1000;

    private static final String JAVA = "usr/lib/jvm/java-21-openjdk-amd64";
    private static final Pattern AUTHORITY = Pattern.compile("usr/share/ca-certificates/mozilla/([^/]+)\\.crt");
    /** What nobody reads in a container; what a licence asks for stays: {@code usr/share/doc/NAME/copyright}. */
    private static final Pattern LEFT_OUT = Pattern.compile(
            "usr/share/(man|info|locale|lintian|bash-completion|bug)(/.*)?|usr/share/doc/[^/]+/(?!copyright$).*");

    private final String version;
    private final Instant time;
    private final Path work;

    ImageBuild(String version, Instant time, Path work) {
        this.version = version;
        this.time = time;
        this.work = work;
    }

    /**
     * Arguments: version, time of the build, list of packages, mirrors with commas between them, folder for fetched packages, archive,
     * folder to work in, image.
     */
    public static void main(String... arguments) throws IOException {
        if (arguments.length != 8) {
            throw new IllegalArgumentException(
                    "8 arguments needed: VERSION TIME PACKAGES MIRRORS CACHE ARCHIVE WORK IMAGE; got "
                            + arguments.length);
        }
        ImageBuild build = new ImageBuild(arguments[0], Instant.parse(arguments[1]), Path.of(arguments[6]));
        List<URI> mirrors = Stream.of(arguments[3].split(",")).map(URI::create).toList();
        Path image = Path.of(arguments[7]);
        build.write(
                DebianPackage.list(Path.of(arguments[2])),
                Path.of(arguments[4]),
                mirrors,
                Path.of(arguments[5]),
                image);
        System.out.printf(Locale.ROOT, "%s: %d MB%n", image, Files.size(image) >> 20);
    }

    void write(List<DebianPackage> packages, Path cache, List<URI> mirrors, Path archive, Path image)
            throws IOException {
        Files.createDirectories(work);
        Layer.Written system = system(packages, cache, mirrors);
        Layer.Written program = program(archive);
        new OciImage("ycsb-drill:" + version, config(), List.of(system, program)).write(image);
        Files.delete(system.file());
        Files.delete(program.file());
    }

    private Layer.Written system(List<DebianPackage> packages, Path cache, List<URI> mirrors) throws IOException {
        SortedMap<String, byte[]> authorities = new TreeMap<>();
        try (Layer layer = new Layer(work.resolve("system.tar.gz"), time)) {
            for (DebianPackage each : packages) {
                Path deb = each.fetch(cache, mirrors);
                DebianPackage.files(deb, (entry, content) -> {
                    String path = Layer.plain(entry.getName());
                    var authority = AUTHORITY.matcher(path);
                    if (authority.matches()) {
                        authorities.put(authority.group(1).toLowerCase(Locale.ROOT), content.readAllBytes());
                    } else if (!path.isEmpty() && !LEFT_OUT.matcher(path).matches()) {
                        layer.copy(path, entry, content);
                    }
                });
                // Where scanners of images look for what is installed.
                layer.file("var/lib/dpkg/status.d/" + each.name(), utf8(DebianPackage.control(deb)));
            }
            if (!authorities.isEmpty()) {
                layer.file("etc/ssl/certs/ca-certificates.crt", TrustStore.pem(authorities));
                layer.file("etc/ssl/certs/java/cacerts", TrustStore.jks(authorities, time.toEpochMilli()));
            }
            layer.file(
                    "etc/passwd",
                    utf8("root:x:0:0:root:/root:/bin/sh\nycsb:x:" + USER + ":" + USER
                            + ":ycsb:/home/ycsb:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n"));
            layer.file("etc/group", utf8("root:x:0:\nycsb:x:" + USER + ":\nnogroup:x:65534:\n"));
            layer.file("etc/nsswitch.conf", utf8("passwd: files\ngroup: files\nhosts: files dns\n"));
            layer.directory("home/ycsb", 0755, USER);
            layer.directory("tmp", 01777, 0);
            return layer.written();
        }
    }

    private Layer.Written program(Path archive) throws IOException {
        try (Layer layer = new Layer(work.resolve("program.tar.gz"), time);
                TarArchiveInputStream tar = new TarArchiveInputStream(
                        new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive))))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String path = Layer.plain(entry.getName());
                int below = path.indexOf('/');
                layer.copy(below < 0 ? HOME : HOME + path.substring(below), entry, tar);
            }
            return layer.written();
        }
    }

    private ObjectNode config() {
        ObjectNode config = OciImage.JSON
                .createObjectNode()
                .put("created", time.toString())
                .put("architecture", "amd64")
                .put("os", "linux");
        ObjectNode run =
                config.putObject("config").put("User", USER + ":" + USER).put("WorkingDir", "/home/ycsb");
        run.putArray("Env")
                .add("PATH=/" + HOME + "/bin:/" + JAVA + "/bin:/usr/bin:/usr/sbin")
                .add("JAVA_HOME=/" + JAVA)
                .add("LANG=C.UTF-8")
                .add("HOME=/home/ycsb")
                .add("YCSB_DRILL_STATE=/tmp/ycsb-drill");
        run.putArray("Entrypoint").add("/" + HOME + "/bin/ycsb");
        run.putArray("Cmd").add("--help");
        run.putObject("Labels")
                .put("org.opencontainers.image.title", "ycsb-drill")
                .put("org.opencontainers.image.version", version)
                .put("org.opencontainers.image.licenses", "Apache-2.0");
        return config;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
