package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped workloads on an embedded cluster, shortened, with each value that is read compared with what was written. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EmbeddedWorkloadsIT {
    private static final Path WORKLOADS = Path.of("../workloads").toAbsolutePath();

    @TempDir
    static Path directory;

    @BeforeAll
    static void up() {
        World world = world();
        assertThat(world.execute("cluster", "up", "embedded", "--data-nodes", "2", "--backups", "1"))
                .as(world.err())
                .isZero();
    }

    @AfterAll
    static void down() {
        World world = world();
        assertThat(world.execute("cluster", "down", "embedded")).as(world.err()).isZero();
    }

    private static World world() {
        return new World(directory).with(new EmbeddedEngine());
    }

    @Test
    void transactionsKeepTheDataConsistent() throws Exception {
        consistent("tx", "pessimistic");
    }

    @ParameterizedTest
    @Tag("soak")
    @CsvSource({"none, pessimistic", "tx, optimistic", "2pc, pessimistic"})
    void theOtherModesAreAsConsistentAsTheyPromise(String mode, String kind) throws Exception {
        consistent(mode, kind);
    }

    private void consistent(String mode, String kind) throws Exception {
        Path own = directory.resolve(mode + "-" + kind);
        World world = new World(own).with(new EmbeddedEngine());
        world.clusters().write(world().clusters().find("embedded").orElseThrow());

        TpccRuns.run(world, "native", mode, "-p", "embedded.transactions=" + kind);
    }

    @Test
    @Tag("long")
    void transactionsHoldWhileNodesDie() throws Exception {
        holds("tx");
    }

    @Test
    @Tag("soak")
    void commitsOfTheClientHoldWhileNodesDie() throws Exception {
        holds("2pc");
    }

    private void holds(String mode) throws Exception {
        World world = new World(directory.resolve("drill-" + mode)).with(new EmbeddedEngine());
        world.clusters().write(world().clusters().find("embedded").orElseThrow());

        TpccRuns.drill(world, "native", mode, Set.of());
    }

    @Test
    void transactionsAreRefusedBeforeAnythingIsLoadedWhereTheBindingHasNone() {
        World world = world();

        int exitCode = world.execute(
                "run", "rest", "-P", WORKLOADS.resolve("tpcc").toString(), "-p", "tpcc.mode=tx", "--out", "refused");

        assertThat(exitCode).as(world.err()).isEqualTo(2);
        assertThat(world.err()).contains("tpcc.mode=tx needs transactions", "RestBinding has none");
    }

    /** Workload D, whose clients insert records and read them again: each its own, and all of them there. */
    @Test
    @Tag("long")
    void severalClientsShareTheWorkAndAreOneRun() throws Exception {
        World world = world().file("result.txt", "");

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                WORKLOADS.resolve("workloadd").toString(),
                "--clients",
                "2",
                "-p",
                "table=shared",
                "-p",
                "dataintegrity=true",
                "-p",
                "recordcount=300",
                "-p",
                "operationcount=1501",
                "-p",
                "exportfile=" + world.directory().resolve("result.txt"),
                "--out",
                "shared");

        assertThat(exitCode).as(world.err()).isZero();
        Path out = world.directory().resolve("shared");
        ObjectMapper json = new ObjectMapper();
        JsonNode run = json.readTree(out.resolve("run.json").toFile());
        assertThat(run.path("state").asText()).isEqualTo("complete");
        assertThat(run.path("operations").asLong()).isEqualTo(1_501);
        assertThat(run.path("clients")).hasSize(2);
        assertThat(run.at("/clients/0/start/asked").asText())
                .isEqualTo(run.at("/clients/1/start/asked").asText())
                .isNotEmpty();
        JsonNode operations =
                json.readTree(out.resolve("summary.json").toFile()).path("operations");
        assertThat(operations.at("/READ/ok").asLong()
                        + operations.at("/INSERT/ok").asLong())
                .isEqualTo(1_501);
        assertThat(operations.at("/READ/failed").asLong()).isZero();
        assertThat(operations.at("/VERIFY/ok").asLong())
                .isEqualTo(operations.at("/READ/ok").asLong());
        assertThat(out.resolve("load/run.json")).exists();
        assertThat(world.out()).isEmpty();
        assertThat(world.directory().resolve("result.txt")).content().contains("[READ], Return=OK, ");
        assertThat(world.err()).contains("starting 2 clients: this process and 1 more", "run directory: shared");
        assertThat(ProcessHandle.current().children().map(ProcessHandle::info))
                .noneMatch(info -> info.toString().contains(ClientCommand.NAME));
    }

    @Test
    @Tag("long")
    void rowsExpireWhileTheyAreReadAndThatIsNoFailure() throws Exception {
        World world = world();

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                WORKLOADS.resolve("workloadc").toString(),
                "-p",
                "table=expiring",
                "-p",
                "record.ttl=4s",
                "-p",
                "recordcount=300",
                "--rate",
                "100",
                "--duration",
                "8s",
                "--out",
                "expiring");

        assertThat(exitCode).as(world.err()).isZero();
        JsonNode reads = new ObjectMapper()
                .readTree(world.directory()
                        .resolve("expiring")
                        .resolve("summary.json")
                        .toFile())
                .at("/operations/READ");
        assertThat(reads.at("/returns/NOT_FOUND").asLong()).isPositive();
        assertThat(reads.at("/failed").asLong()).isZero();
        assertThat(reads.at("/ok").asLong())
                .isEqualTo(reads.at("/returns/OK").asLong()
                        + reads.at("/returns/NOT_FOUND").asLong());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "d", "e", "f"})
    void everyOperationSucceedsAndEveryValueIsRight(String letter) throws Exception {
        succeedsWithTheRightValues(letter);
    }

    /** They differ from {@code workloada} in their mix only. */
    @ParameterizedTest
    @Tag("soak")
    @ValueSource(strings = {"b", "c"})
    void theOtherWorkloadsSucceedWithTheRightValues(String letter) throws Exception {
        succeedsWithTheRightValues(letter);
    }

    private static void succeedsWithTheRightValues(String letter) throws Exception {
        World world = world();

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                WORKLOADS.resolve("workload" + letter).toString(),
                "-p",
                "table=table" + letter,
                "-p",
                "dataintegrity=true",
                "-p",
                "recordcount=500",
                "-p",
                "operationcount=" + (letter.equals("e") ? 400 : 2000),
                "-threads",
                "4",
                "--out",
                letter);

        assertThat(exitCode).as(world.err()).isZero();
        JsonNode summary = new ObjectMapper()
                .readTree(world.directory()
                        .resolve(letter)
                        .resolve("summary.json")
                        .toFile());
        JsonNode operations = summary.path("operations");
        assertThat(operations).isNotEmpty();
        operations.properties().forEach(operation -> {
            assertThat(operation.getValue().path("failed").asLong())
                    .as("failed %s", operation.getKey())
                    .isZero();
            assertThat(operation.getValue().path("unknown").asLong())
                    .as("unknown %s", operation.getKey())
                    .isZero();
        });
        if (!letter.equals("e")) { // stock YCSB verifies what it reads, not what it scans
            assertThat(operations.path("VERIFY").path("ok").asLong())
                    .isEqualTo(operations.path("READ").path("ok").asLong())
                    .isPositive();
        }
    }
}
