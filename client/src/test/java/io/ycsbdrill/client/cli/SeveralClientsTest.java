package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.Specs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The clients of one run, one after the other on a table in memory, and their merge. */
@Timeout(120)
class SeveralClientsTest {
    private static final String WORKLOAD = """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=50
            operationcount=200
            readproportion=0.5
            updateproportion=0
            insertproportion=0.5
            requestdistribution=latest
            """;

    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).file("w.properties", WORKLOAD);
    }

    private int client(String command, String out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                StoreDb.class.getName(),
                "-P",
                "w.properties",
                "-p",
                "store=" + root,
                "--out",
                out,
                "-threads",
                "2"));
        arguments.addAll(Arrays.asList(more));
        return world.execute(arguments.toArray(String[]::new));
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(world.directory().resolve(file).toFile());
    }

    private void loadAndRun(int clients) {
        for (String command : List.of("load", "run")) {
            for (int i = 1; i <= clients; i++) {
                assertThat(client(command, command + i, "--client", i + "/" + clients))
                        .as(world.err())
                        .isZero();
            }
        }
    }

    @Test
    void sharesOfALoadAndARunAddUpToTheWhole() throws IOException {
        loadAndRun(3);

        assertThat(world.execute("merge", "load1", "load2", "load3", "--out", "load"))
                .as(world.err())
                .isZero();
        assertThat(world.execute("merge", "run1", "run2", "run3", "--out", "run"))
                .as(world.err())
                .isZero();

        assertThat(json("load2/run.json").at("/part").toString()).isEqualTo("{\"number\":2,\"of\":3}");
        assertThat(json("load2/summary.json").at("/load/insertStart").asLong()).isEqualTo(17);
        assertThat(json("load2/summary.json").at("/load/insertCount").asLong()).isEqualTo(17);
        assertThat(json("load/summary.json").at("/operations/INSERT/ok").asLong())
                .isEqualTo(50);
        assertThat(json("load/run.json").at("/properties/insertcount").asText()).isEqualTo("50");
        JsonNode run = json("run/run.json");
        assertThat(run.path("state").asText()).isEqualTo("complete");
        assertThat(run.path("operations").asLong()).isEqualTo(200);
        assertThat(run.at("/properties/operationcount").asText()).isEqualTo("200");
        assertThat(run.path("threads").asInt()).isEqualTo(6);
        assertThat(run.path("clients")).hasSize(3);
        JsonNode operations = json("run/summary.json").path("operations");
        long inserts = operations.at("/INSERT/ok").asLong();
        assertThat(inserts + operations.at("/READ/ok").asLong()).isEqualTo(200);
        assertThat(StoreDb.store(root.toString())).hasSize((int) (50 + inserts));
        assertThat(world.out()).contains("[OVERALL], RunTime(ms), ");
        assertThat(world.err()).contains("run directory: run").doesNotContain("inserted the same new keys");
    }

    @Test
    void theRateIsThatOfAllClients() throws IOException {
        for (int i = 1; i <= 2; i++) {
            assertThat(client("load", "load" + i, "--client", i + "/2", "-target", "100000"))
                    .isZero();
        }

        world.execute("merge", "load1", "load2", "--out", "both");

        assertThat(json("load1/run.json").at("/rate/segments/0/fromRate").asDouble())
                .isEqualTo(100_000);
        assertThat(json("both/run.json").at("/rate/segments/0/fromRate").asDouble())
                .isEqualTo(100_000);
    }

    @Test
    void aLoadSaysThatItWaitsAndUntilWhen() throws IOException {
        int millis = 100;
        String out;
        int exitCode;
        do { // A busy machine may need longer to be ready.
            millis *= 2;
            out = "load" + millis;
            exitCode = client("load", out, "-p", "table=t" + millis, "--start-at", "+" + millis + "ms");
        } while (exitCode != 0);

        String start = json(out + "/run.json").at("/start/asked").asText();
        assertThat(world.err()).contains("load waits until " + start + " (", "); all threads are ready");
    }

    @Test
    void aClientDoesNotStartAClusterThatTheOthersDoNotReach() {
        FakeEngine embedded = embedded();

        int exitCode = world.execute("run", "native", "-P", "w.properties", "--client", "1/2");

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err())
                .contains("--client 1/2: native names no cluster and none is up here", "ycsb cluster up");
        assertThat(embedded.calls).isEmpty();
    }

    private FakeEngine embedded() {
        FakeEngine embedded =
                new FakeEngine("embedded", Map.of("db", StoreDb.class.getName(), "store", root.toString()));
        world.with(embedded);
        return embedded;
    }

    @Test
    void aMissingClientMakesTheMergedRunIncomplete() throws IOException {
        loadAndRun(3);

        assertThat(world.execute("merge", "run1", "run2", "--out", "run")).isEqualTo(1);

        assertThat(world.err()).contains("client 3 of 3 is missing");
        assertThat(json("run/run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(json("run/run.json").path("reasons").toString()).contains("client 3 of 3 is missing");
    }

    @Test
    void anInvalidClientMakesTheMergedRunInvalid() throws IOException {
        loadAndRun(2);
        ObjectNode run = (ObjectNode) json("run2/run.json");
        run.put("state", "invalid").putArray("reasons").add("not healed: n1");
        world.file("run2/run.json", run.toString());

        assertThat(world.execute("merge", "run1", "run2", "--out", "run")).isEqualTo(1);

        assertThat(world.err())
                .contains("error: run invalid: client 2: not healed: n1")
                .doesNotContain("incomplete");
    }

    @Test
    void aMergedLoadThatLacksRecordsFailsAsItWouldWithClients() {
        client("load", "before", "--client", "2/2");
        client("load", "load1", "--client", "1/2");
        client("load", "load2", "--client", "2/2");

        assertThat(world.execute("merge", "load1", "load2", "--out", "load")).isEqualTo(1);

        assertThat(world.err())
                .contains("error: 25 records are not known to be loaded; the ranges are in "
                        + world.directory().resolve("load/summary.json"));
    }

    @Test
    void aMergedRunWithoutASuccessFails() {
        client("run", "run1", "--client", "1/2", "-p", "store.failing=true");
        client("run", "run2", "--client", "2/2", "-p", "store.failing=true");
        int before = world.err().length();

        assertThat(world.execute("merge", "run1", "run2", "--out", "run")).isEqualTo(1);

        assertThat(world.err().substring(before)).contains("error: no operation succeeded");
    }

    /** What each client did keeps the limit of 50; what all did does not. */
    @ParameterizedTest
    @CsvSource({"50, 3, FAIL: 0 of 2 limits kept", "70, 0, PASS: 1 of 2 limits kept"})
    void theVerdictOfAMergedDrillIsOnAllClients(int allowed, int exitCode, String verdict) throws IOException {
        List<Recording.Operation> operations = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            operations.add(new Recording.Operation(i * 50_000_000L, "READ", Outcome.OK, 1_000, 1_000));
            if (i >= 50) {
                operations.add(new Recording.Operation(i * 50_000_000L, "READ", Outcome.FAILED, 1_000, 1_000));
            }
        }
        Recording recording = new Recording(operations, 4_000_000_000L, Instant.parse("2026-11-21T12:00:00Z"));
        Path drill = recording.write(world.directory().resolve("drill1"), Specs.aRun(100), run -> {
            run.putObject("part").put("number", 1).put("of", 2);
            run.putObject("drill").put("name", "kill").putObject("limits").put("maxFailed", allowed);
        });
        Recording.markers(
                drill, "{\"at_ns\":2000000000,\"kind\":\"fault-started\",\"label\":\"kill\",\"node\":\"n1\"}");
        recording.write(world.directory().resolve("drill2"), Specs.aRun(100), run -> run.putObject("part")
                .put("number", 2)
                .put("of", 2));

        assertThat(world.execute("merge", "drill1", "drill2", "--out", "drill"))
                .as(world.err())
                .isEqualTo(exitCode);

        assertThat(world.out()).contains("[OVERALL], RunTime(ms), ", "Verdict: " + verdict);
        assertThat(json("drill/summary.json").path("drill").isObject()).isTrue();
    }

    @Test
    void unlikeRunsAreRefusedWithEverythingThatDiffers() {
        loadAndRun(2);
        client("run", "other", "--client", "2/2", "-threads", "3", "-p", "fieldlength=50", "--window", "1s");

        assertThat(world.execute("merge", "run1", "other", "--out", "both")).isEqualTo(1);

        assertThat(world.err()).contains("threads: ", "property fieldlength: ", "windowNanos: ", "nothing was merged");
        assertThat(world.directory().resolve("both")).doesNotExist();
        assertThat(world.execute("merge", "run1", "run1", "--out", "both")).isEqualTo(1);
        assertThat(world.err()).contains("are both client 1/2; give each client's directory once");
        assertThat(world.execute("merge", "run1", "nowhere", "--out", "both")).isEqualTo(2);
        assertThat(world.err()).contains("nowhere");
    }

    @Test
    void aMergeNeverWritesIntoARun() {
        loadAndRun(2);

        assertThat(world.execute("merge", "run1", "run2", "--out", "load1")).isNotZero();

        assertThat(world.err()).contains("load1");
        assertThat(world.directory().resolve("load1/clients")).doesNotExist();
    }

    @Test
    void oneOfSeveralClientsDoesNotLoadAnEmptyTable() {
        FakeEngine embedded =
                new FakeEngine("embedded", java.util.Map.of("db", StoreDb.class.getName(), "store", root.toString()));
        world.with(embedded);
        world.execute("cluster", "up");

        int exitCode = world.execute("run", "native", "-P", "w.properties", "--client", "1/2", "--out", "r");

        assertThat(world.err()).contains("one of several clients does not load it: load it first");
        assertThat(exitCode).isEqualTo(1);
        assertThat(StoreDb.store(root.toString())).isEmpty();
        assertThat(Files.exists(world.directory().resolve("r/run.json"))).isFalse();
    }
}
