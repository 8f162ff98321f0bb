package io.ycsbdrill.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image that {@code Containerfile} makes of this build's archive, on a base of Debian's packages that is made here, as a registry may be out of
 * reach. Needs root, Podman with runc, and mmdebstrap.
 */
@Tag("process")
class ImageIT {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    /** What Debian's image {@code trixie-slim} leaves out. */
    private static final List<String> SLIM =
            List.of("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*");

    private static final List<String> LIMITS = List.of("--ulimit", "nofile=4096:8192", "--ulimit", "nproc=4000:4000");
    private static final long MOST_BYTES = 250_000_000;

    /** A short one: the image is tested, not the cluster. */
    private static final String DRILL = """
            steady: off
            load: 50/s
            cooldown: 3s
            limits: {service_restored: any}
            steps: [{step: restart, fault: restart, node: node2, mode: kill, down: 1s, at: 3s}]
            """;

    @TempDir
    static Path folder;

    @BeforeAll
    static void build() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "skipped: only root can make a base for the image");
        for (String program : List.of("podman", "runc", "mmdebstrap")) {
            assumeTrue(isThere(program), "skipped: " + program + " is not installed");
        }
        Path base = folder.resolve("base.tar");
        List<String> words = new ArrayList<>(List.of("mmdebstrap", "--quiet", "--variant=minbase"));
        SLIM.forEach(left -> words.add("--dpkgopt=path-exclude=" + left));
        words.add("--dpkgopt=path-include=/usr/share/doc/*/copyright");
        words.addAll(List.of("trixie", base.toString()));
        run(words);
        podman(List.of("import", base.toString(), "localhost/base:test"));
        List<String> build = new ArrayList<>(List.of("build", "--quiet", "--network", "host"));
        build.addAll(LIMITS);
        build.addAll(List.of("--build-arg", "BASE=localhost/base:test", "--tag", "ycsb-drill:test"));
        build.addAll(List.of("--file", PROJECT.resolve("Containerfile").toString(), PROJECT.toString()));
        podman(build);
    }

    @AfterAll
    static void remove() throws Exception {
        if (Files.exists(folder.resolve("storage"))) {
            podman(List.of("rmi", "--all", "--force"));
        }
    }

    @Test
    void imageIsSmallAndRunsAsAUser() throws Exception {
        JsonNode image = new ObjectMapper()
                .readTree(podman(List.of("image", "inspect", "ycsb-drill:test")))
                .get(0);

        assertThat(image.path("Size").asLong()).isLessThan(MOST_BYTES);
        assertThat(image.at("/Config/User").asText()).isEqualTo("1000:1000");
        assertThat(image.at("/Config/Labels/org.opencontainers.image.licenses").asText())
                .isEqualTo("Apache-2.0");
        assertThat(
                        shell(
                                "find / -xdev -perm /6000 -type f; command -v javac apt-get-build-dep kubectl; ls /opt/ycsb-drill/licences"))
                .contains("THIRD-PARTY.txt", "bom.json")
                .doesNotContain("/bin/");
    }

    /** README's drill as a user that no file of the image knows, as OpenShift chooses one, on a read-only root file system. */
    @Test
    void drillRunsAsAnyUserOnAReadOnlyRoot() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        Files.setPosixFilePermissions(results, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(results.resolve("drill.yaml"), DRILL);

        String said = container(
                List.of("--user", "47110:0", "--volume", results + ":/runs"),
                List.of("drill", "native", "-P", "/opt/ycsb-drill/workloads/workloadb", "-D", "/runs/drill.yaml"),
                List.of("-p", "recordcount=500", "-threads", "2", "--out", "/runs/d"));

        assertThat(said).contains("node2 recovered").doesNotContain("Fontconfig error");
        assertThat(results.resolve("d/report.html")).isNotEmptyFile();
        assertThat(results.resolve("d/run.json")).content().contains("\"complete\"");
        assertThat(results.resolve("d/markers.jsonl")).content().contains("\"fault-effective\"");
        try (Stream<Path> charts = Files.list(results.resolve("d/charts"))) {
            assertThat(charts.map(Path::toString)).as("Java draws text").anyMatch(each -> each.endsWith(".png"));
        }
    }

    private static String shell(String script) throws Exception {
        return container(List.of("--entrypoint", "/bin/sh"), List.of("-c", script + "; true"), List.of());
    }

    private static String container(List<String> options, List<String> command, List<String> more) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "--rm", "--network", "none", "--read-only"));
        words.addAll(List.of("--tmpfs", "/tmp:rw,exec,mode=1777"));
        words.addAll(LIMITS);
        words.addAll(options);
        words.add("ycsb-drill:test");
        words.addAll(command);
        words.addAll(more);
        return podman(words);
    }

    /** With storage of its own, and what works on hosts with either version of control groups. */
    private static String podman(List<String> arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("podman", "--runtime", "runc", "--cgroup-manager", "cgroupfs"));
        words.addAll(List.of("--root", folder.resolve("storage").toString()));
        words.addAll(List.of("--runroot", folder.resolve("run").toString()));
        words.addAll(arguments);
        return run(words);
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    private static String run(List<String> words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(words + ": " + Files.readString(out)).isZero();
        return Files.readString(out);
    }
}
