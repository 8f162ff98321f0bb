package io.ycsbdrill.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image: its form with a made-up package, and, where this build has made it ({@code -Pimage}), that it runs. */
class ImageIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    /** A short one: the image is tested, not the cluster. */
    private static final String DRILL = """
            steady: off
            load: 50/s
            cooldown: 3s
            steps: [{step: restart, fault: restart, node: node2, mode: kill, down: 1s, at: 3s}]
            """;

    @TempDir
    static Path folder;

    @Test
    void samePackagesAndArchiveGiveTheSameImage() throws Exception {
        Path mirror = Files.createDirectories(folder.resolve("mirror"));
        DebianPackage tool = debianPackage(mirror, "tool");

        Path first = image(List.of(tool), mirror, "first");
        Path second = image(List.of(tool), mirror, "second");

        assertThat(first).hasSameBinaryContentAs(second);
    }

    @Test
    void imageIsWhatItsDescriptorsSay() throws Exception {
        Path mirror = Files.createDirectories(folder.resolve("mirror2"));
        Path layout = layout(image(List.of(debianPackage(mirror, "tool")), mirror, "described"));

        JsonNode index = JSON.readTree(layout.resolve("index.json").toFile());
        JsonNode manifest = blob(layout, index.at("/manifests/0/digest").asText());
        JsonNode config = blob(layout, manifest.at("/config/digest").asText());
        List<Path> layers = layers(layout, manifest);

        assertThat(JSON.readTree(layout.resolve("oci-layout").toFile())
                        .path("imageLayoutVersion")
                        .asText())
                .isEqualTo("1.0.0");
        assertThat(config.at("/config/User").asText()).isEqualTo("1000:1000");
        assertThat(config.at("/config/Entrypoint"))
                .extracting(JsonNode::asText)
                .containsExactly("/opt/ycsb-drill/bin/ycsb");
        assertThat(config.path("created").asText()).isEqualTo(TIME.toString());
        try (Stream<Path> blobs = Files.list(layout.resolve("blobs/sha256"))) {
            assertThat(blobs).hasSize(4).allSatisfy(each -> assertThat(sha256(Files.readAllBytes(each)))
                    .isEqualTo(each.getFileName().toString()));
        }
        for (int i = 0; i < layers.size(); i++) {
            assertThat("sha256:" + sha256(gunzipped(layers.get(i))))
                    .isEqualTo(config.at("/rootfs/diff_ids/" + i).asText());
        }
        assertThat(listed(layers.get(0)))
                .anyMatch(line -> line.startsWith("-rwxr-xr-x 0/0") && line.endsWith(" usr/bin/tool"))
                .anyMatch(line -> line.startsWith("l") && line.endsWith(" bin -> usr/bin"))
                .anyMatch(line -> line.endsWith(" usr/share/doc/tool/copyright"))
                .anyMatch(line -> line.startsWith("drwxr-xr-x 1000/1000") && line.endsWith(" home/ycsb/"))
                .noneMatch(line -> line.contains("usr/share/man"));
        assertThat(listed(layers.get(1)))
                .anyMatch(line -> line.startsWith("-rwxr-xr-x 0/0") && line.endsWith(" opt/ycsb-drill/bin/ycsb"));
    }

    @Test
    void packageWithAnotherContentIsRefused() throws Exception {
        Path mirror = Files.createDirectories(folder.resolve("mirror3"));
        DebianPackage tool = debianPackage(mirror, "tool");
        Files.writeString(mirror.resolve(tool.path()), "something else");

        assertThatThrownBy(() -> image(List.of(tool), mirror, "refused"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("package tool with the SHA-256 " + tool.sha256() + " was not found")
                .hasMessageContaining("has the SHA-256 " + sha256("something else".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("-Dimage.mirrors");
        assertThatThrownBy(() -> new DebianPackage("12", "x.deb"))
                .hasMessageContaining("\"12 x.deb\" is not a SHA-256");
    }

    /** README's first commands, as the image's user and in its file system: processes in namespaces, as a container has them. */
    @Test
    void commandsOfTheReadmeRunInItsFileSystem() throws Exception {
        Path image = Path.of(System.getProperty("image"));
        assumeTrue(Files.exists(image), "no image was made: -Pimage");
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can enter another file system here");
        Path layout = layout(image);
        JsonNode index = JSON.readTree(layout.resolve("index.json").toFile());
        JsonNode manifest = blob(layout, index.at("/manifests/0/digest").asText());
        JsonNode config = blob(layout, manifest.at("/config/digest").asText());
        Path root = Files.createDirectory(folder.resolve("root"));
        for (Path layer : layers(layout, manifest)) {
            Unpacked.tar("xzf", layer.toString(), root);
        }

        assertThat(root.resolve("usr/bin/tar"))
                .as("files of clients on other hosts travel by it, and those of kubectl cp")
                .isExecutable();

        Files.writeString(root.resolve("home/ycsb/drill.yaml"), DRILL);

        String run = inside(
                root,
                config,
                "run",
                "native",
                "-P",
                "workloads/workloadb",
                "-p",
                "recordcount=500",
                "-p",
                "operationcount=500",
                "--out",
                "r");
        inside(
                root,
                config,
                "drill",
                "native",
                "-P",
                "workloads/workloadb",
                "-D",
                "drill.yaml",
                "-p",
                "recordcount=500",
                "-threads",
                "2",
                "--out",
                "d");

        assertThat(run).contains("[READ], Return=OK, ");
        Path results = root.resolve("home/ycsb");
        assertThat(results.resolve("r/report.html")).isNotEmptyFile();
        assertThat(results.resolve("r/run.json")).content().contains("\"complete\"");
        try (Stream<Path> charts = Files.list(results.resolve("r/charts"))) {
            assertThat(charts.map(Path::toString)).as("Java draws text").anyMatch(each -> each.endsWith(".png"));
        }
        assertThat(results.resolve("d/markers.jsonl")).content().contains("\"fault-effective\"");
    }

    /** As a container engine does: own mounts and processes, no network but loopback, the user and environment of the image. */
    private static String inside(Path root, JsonNode config, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--net",
                "/bin/sh",
                "-c",
                """
                root=$1; user=$2; shift 2
                ip link set lo up && mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" &&
                    mount -t tmpfs -o mode=1777 tmp "$root/tmp" &&
                    exec chroot --userspec="$user" "$root" /usr/bin/env -i "$@"
                """,
                "inside",
                root.toString(),
                config.at("/config/User").asText()));
        words.add("-C");
        words.add(config.at("/config/WorkingDir").asText());
        config.at("/config/Env").forEach(each -> words.add(each.asText()));
        config.at("/config/Entrypoint").forEach(each -> words.add(each.asText()));
        words.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", ".txt");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
        return Files.readString(out);
    }

    private static Path image(List<DebianPackage> packages, Path mirror, String name) throws IOException {
        Path image = folder.resolve(name + ".tar");
        new ImageBuild("1.0", TIME, folder.resolve("work-" + name))
                .write(
                        packages,
                        folder.resolve("cache-" + name),
                        List.of(URI.create(folder.resolve("nowhere").toUri().toString()), mirror.toUri()),
                        Path.of(System.getProperty("archive")),
                        image);
        return image;
    }

    private static Path layout(Path image) throws Exception {
        Path layout = Files.createTempDirectory(folder, "layout");
        Unpacked.tar("xf", image.toString(), layout);
        return layout;
    }

    private static JsonNode blob(Path layout, String digest) throws IOException {
        return JSON.readTree(file(layout, digest).toFile());
    }

    private static Path file(Path layout, String digest) {
        return layout.resolve("blobs").resolve(digest.replace(':', '/'));
    }

    private static List<Path> layers(Path layout, JsonNode manifest) {
        List<Path> layers = new ArrayList<>();
        manifest.path("layers")
                .forEach(layer -> layers.add(file(layout, layer.path("digest").asText())));
        return layers;
    }

    private static List<String> listed(Path layer) throws Exception {
        Process process = new ProcessBuilder("tar", "tvzf", layer.toString(), "--numeric-owner").start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static byte[] gunzipped(Path file) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static String sha256(byte[] bytes) {
        MessageDigest digest = Digests.sha256();
        digest.update(bytes);
        return Digests.hex(digest);
    }

    /** A package as Debian's are made: an ar file with two compressed tar files. */
    private static DebianPackage debianPackage(Path mirror, String name) throws IOException {
        byte[] control = tarXz(tar -> file(tar, "./control", 0644, "Package: " + name + "\nVersion: 1\n"));
        byte[] data = tarXz(tar -> {
            directory(tar, "./usr/bin/");
            file(tar, "./usr/bin/" + name, 04755, "#!/bin/sh\n");
            link(tar, "./bin", "usr/bin");
            file(tar, "./usr/share/doc/" + name + "/copyright", 0644, "free");
            file(tar, "./usr/share/man/man1/" + name + ".1", 0644, "a page");
        });
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ArArchiveOutputStream ar = new ArArchiveOutputStream(bytes)) {
            member(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.UTF_8));
            member(ar, "control.tar.xz", control);
            member(ar, "data.tar.xz", data);
        }
        DebianPackage made =
                new DebianPackage(sha256(bytes.toByteArray()), "pool/main/t/" + name + "/" + name + "_1_all.deb");
        Path file = mirror.resolve(made.path());
        Files.createDirectories(file.getParent());
        Files.write(file, bytes.toByteArray());
        return made;
    }

    private interface Content {
        void write(TarArchiveOutputStream tar) throws IOException;
    }

    private static byte[] tarXz(Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream xz = new XZCompressorOutputStream(bytes);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(xz)) {
            content.write(tar);
        }
        return bytes.toByteArray();
    }

    private static void directory(TarArchiveOutputStream tar, String name) throws IOException {
        tar.putArchiveEntry(new TarArchiveEntry(name));
        tar.closeArchiveEntry();
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        entry.setSize(bytes.length);
        entry.setModTime(0);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }

    private static void link(TarArchiveOutputStream tar, String name, String target) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
        entry.setLinkName(target);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
    }

    private static void member(ArArchiveOutputStream ar, String name, byte[] bytes) throws IOException {
        ar.putArchiveEntry(new ArArchiveEntry(name, bytes.length));
        ar.write(bytes);
        ar.closeArchiveEntry();
    }
}
