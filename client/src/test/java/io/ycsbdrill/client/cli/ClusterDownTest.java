package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.os.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code cluster down} and other commands leave alone, with the engines that there are. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ClusterDownTest {
    @TempDir
    private Path root;

    private World world;
    private Path rows;

    @BeforeEach
    void users() throws IOException {
        world = new World(root).with();
        rows = Files.writeString(Files.createDirectories(root.resolve("users")).resolve("rows"), "x");
    }

    private Path record(String directory) throws IOException {
        Path state = Files.createDirectories(root.resolve("state/embedded"));
        return Files.writeString(
                state.resolve("cluster.json"),
                "{\"schema\":1,\"engine\":\"embedded\"," + directory
                        + "\"createdAt\":\"2026-11-27T00:00:00Z\",\"engineVersion\":\"1\",\"bindings\":{},"
                        + "\"engineState\":{}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"directory\":\"\",", "\"directory\":\".\",", "\"directory\":\"users\","})
    void aRecordWithoutAnAbsoluteDirectoryRemovesNothing(String directory) throws IOException {
        Path record = record(directory);

        assertThat(world.execute("cluster", "down", "embedded")).isNotZero();

        assertThat(world.err()).contains(record.toString()).contains("not an absolute path");
        assertThat(record).exists();
        assertThat(Path.of("").toAbsolutePath()).isNotEmptyDirectory();
    }

    @Test
    void aDirectoryOfTheUsersStaysWhateverTheRecordSays() throws IOException {
        Path record = record("\"directory\":\"" + rows.getParent() + "\",");

        for (String command : List.of("down", "heal")) {
            assertThat(world.execute("cluster", command, "embedded")).isNotZero();
        }

        assertThat(world.err())
                .contains("directory \"" + rows.getParent() + "\" is left alone")
                .contains(OwnedDirectory.MARKER)
                .contains(record.toString());
        assertThat(rows).exists();
        assertThat(record).exists();
    }

    @Test
    void aDirectoryOfAnotherClusterStays() throws IOException {
        Path other = root.resolve("other");
        Directories.claim(other, "embedded");
        record("\"directory\":\"" + other + "\",\"clusterId\":\"earlier\",");

        assertThat(world.execute("cluster", "down", "embedded")).isNotZero();

        assertThat(world.err()).contains("is of cluster \"earlier\"");
        assertThat(other).isNotEmptyDirectory();
    }

    @Test
    void aDirectoryOfTheUsersInTheStateDirectoryStaysWithoutARecord() throws IOException {
        Path file = root.resolve("state/galera/cluster/rows");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x");

        assertThat(world.execute("cluster", "down")).isNotZero();
        assertThat(world.execute("cluster", "down", "galera")).isNotZero();
        assertThat(world.execute("cluster", "down", "all")).isNotZero();

        assertThat(world.err()).contains("directory \"" + file.getParent() + "\" is left alone");
        assertThat(file).exists();
    }

    @Test
    void aClusterOfAnotherPidNamespaceIsLeftAlone() throws Exception {
        assumeTrue(inNamespace("true").exit() == 0, "unshare cannot make a PID namespace here");
        Path directory = root.resolve("state/embedded/cluster");
        Directories.claim(directory, "embedded");
        Path data = Files.writeString(directory.resolve("data"), "x");

        Ended down = inNamespace(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "cluster",
                "down",
                "embedded");

        assertThat(down.output()).contains("made in another PID namespace").contains(directory.toString());
        assertThat(down.exit()).isNotZero();
        assertThat(data).exists();
        assertThat(world.execute("cluster", "down", "embedded")).as(world.err()).isZero();
        assertThat(directory).doesNotExist();
    }

    private record Ended(int exit, String output) {}

    private Ended inNamespace(String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("unshare", "-p", "-f", "--mount-proc"));
        line.addAll(List.of(command));
        Path output = root.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("YCSB_DRILL_STATE", root.resolve("state").toString());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return new Ended(-1, e.toString()); // no such program
        }
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void healTakesTheEngineAsAWordAndNoSecondOne() {
        FakeEngine ndb = new FakeEngine("ndb");
        world.with(new FakeEngine("embedded").upIn(world), ndb.upIn(world));

        assertThat(world.execute("cluster", "heal", "ndb")).as(world.err()).isZero();
        assertThat(ndb.calls).startsWith("attach");
        assertThat(world.execute("cluster", "heal", "ndb", "--engine", "embedded"))
                .isEqualTo(2);
        assertThat(world.err()).contains("two engines are named");
    }
}
