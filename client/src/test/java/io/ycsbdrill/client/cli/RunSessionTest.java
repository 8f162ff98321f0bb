package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.client.session.WorkloadKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whole commands on a table in memory. */
class RunSessionTest {
    private static final String WORKLOAD = """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=50
            operationcount=200
            readproportion=0.5
            updateproportion=0.5
            requestdistribution=uniform
            """;

    @TempDir
    private Path root;

    private World world;
    private FakeEngine embedded;
    private String store;

    @BeforeEach
    void world() {
        store = root.toString();
        embedded = new FakeEngine("embedded", Map.of("db", StoreDb.class.getName(), "store", store));
        world = new World(root).with(embedded).file("w1.properties", WORKLOAD);
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(world.directory().resolve(file).toFile());
    }

    @Test
    void anAuditedRunSaysThatNothingWasLost() throws IOException {
        int exitCode = world.execute("run", "native", "-P", "w1.properties", "--out", "r1", "-threads", "3", "--audit");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err())
                .contains("audit: 0 acknowledged writes lost (0 inserts, 0 updates, 0 deletes), 0 phantoms")
                .contains(" writes: ")
                .contains("audit: replicas agree: 2 nodes, 2 copies of each of ");
        assertThat(json("r1/audit.json").at("/writes/ok").asLong()).isPositive();
        assertThat(world.directory().resolve("r1/load/audit.json")).doesNotExist();
    }

    @Test
    void withoutChartsTheReportIsMadeAllTheSame() {
        assertThat(world.execute("run", "native", "-P", "w1.properties", "--out", "r1", "--no-charts"))
                .as(world.err())
                .isZero();

        assertThat(world.directory().resolve("r1/report.html")).exists();
        assertThat(world.directory().resolve("r1/charts")).doesNotExist();
    }

    /** As after a loss of power, or a copy that has left the holes of the files: nobody knows what was written. */
    @Test
    void journalsWithoutWhatTheRunHasCountedAreNoProofThatNothingIsLost() throws IOException {
        world.execute("run", "native", "-P", "w1.properties", "--out", "r1", "-threads", "3", "--audit");
        try (Stream<Path> journals = Files.list(world.directory().resolve("r1/journal"))) {
            for (Path journal : journals.sorted().limit(2).toList()) {
                Files.write(journal, new byte[(int) Files.size(journal)]);
            }
        }

        assertThat(world.execute("audit", "r1")).isEqualTo(3);
        assertThat(world.err()).contains("writes that the run has counted are in no journal");
    }

    @Test
    void rowsThatExpireAsTheClusterSaysAreNotAudited() {
        Map<String, String> access = Map.of("db", StoreDb.class.getName(), "store", store, "record.ttl", "60s");
        world = new World(root).with(new FakeEngine("embedded", access)).file("w1.properties", WORKLOAD);

        int exitCode = world.execute("run", "native", "-P", "w1.properties", "--out", "r1", "--audit");

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err())
                .contains("--audit and record.ttl exclude each other")
                .doesNotContain("loading");
    }

    @Test
    void lostAcknowledgedWritesAreExitCode3() throws IOException {
        int exitCode = world.execute(
                "run", "native", "-P", "w1.properties", "--out", "r1", "--audit", "-p", "store.losing=true");

        assertThat(exitCode).isEqualTo(3);
        JsonNode audit = json("r1/audit.json");
        assertThat(audit.at("/lost/update").asLong())
                .isPositive()
                .isEqualTo(audit.at("/ackedLost").asLong());
        assertThat(world.err())
                .contains("error: audit: " + audit.at("/ackedLost").asLong() + " acknowledged write")
                .contains("r1/audit.json");
        assertThat(json("r1/run.json").path("state").asText()).isEqualTo("complete");
    }

    @Test
    void replicasThatDifferAreExitCode3ThoughUsersReadAll() throws IOException {
        int exitCode = world.execute(
                "run", "native", "-P", "w1.properties", "--out", "r1", "--audit", "-p", "store.forgetful=b");

        assertThat(exitCode).isEqualTo(3);
        JsonNode replicas = json("r1/audit.json").path("replicas");
        assertThat(replicas.path("agree").asText()).isEqualTo("no");
        assertThat(replicas.at("/nodes/0/findings").asLong()).isZero();
        assertThat(replicas.at("/nodes/1/findings").asLong())
                .isPositive()
                .isEqualTo(replicas.path("different").asLong());
        assertThat(world.err())
                .contains("error: audit: 0 acknowledged writes lost", "; replicas differ")
                .contains("audit: replicas differ in "
                        + replicas.path("different").asLong() + " of ")
                .contains("wrong copies: b has ");
    }

    @Test
    void aFieldTooShortForAnAuditIsAnErrorBeforeAnythingStarts() {
        int exitCode = world.execute("load", "native", "-P", "w1.properties", "--audit", "-p", "fieldlength=10");

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err()).contains("fieldlength=10 is too short", "set fieldlength=20 or more");
    }

    @Test
    void aRunOnAnEmptyTableLoadsItFirstAndPrintsOnlyTheRunsResult() throws IOException {
        int exitCode = world.execute("run", "native", "-P", "w1.properties", "--out", "r1", "-threads", "2");

        assertThat(world.err())
                .contains("table usertable is empty: loading 50 records first")
                .contains("loaded in ")
                .contains("run directory: r1");
        assertThat(exitCode).isZero();
        assertThat(world.out())
                .startsWith("[OVERALL], RunTime(ms), ")
                .contains("[READ], Return=OK, ")
                .doesNotContain("[INSERT]");
        assertThat(StoreDb.store(store)).hasSize(50);
        assertThat(json("r1/run.json").path("state").asText()).isEqualTo("complete");
        assertThat(json("r1/run.json").path("engine").path("name").asText()).isEqualTo("embedded");
        assertThat(json("r1/run.json").path("threads").asInt()).isEqualTo(2);
        assertThat(json("r1/run.json").path("workload").asText()).isEqualTo("w1");
        assertThat(json("r1/load/summary.json").path("load").path("inserted").asLong())
                .isEqualTo(50);
        assertThat(world.directory().resolve("r1.load")).doesNotExist();
        assertThat(embedded.calls).containsExactly("up OWNED {}", "down");
    }

    @Test
    void aLoadedTableIsNotLoadedAgain() {
        world.execute("load", "native", "-P", "w1.properties", "--out", "l");

        assertThat(world.execute("run", "native", "-P", "w1.properties", "--out", "r"))
                .isZero();
        assertThat(world.err()).doesNotContain("is empty");
    }

    @Test
    void whatIsForLoadsOnlyOrForRunsOnlyIsSaid() {
        world.execute("load", "native", "-P", "w1.properties", "-p", "retry.temporary=2", "--out", "l");
        assertThat(world.err()).contains("retry.temporary is for runs").doesNotContain("db.batchsize is for loads");

        world.execute("run", "native", "-P", "w1.properties", "-p", "db.batchsize=200", "--out", "r");
        assertThat(world.err()).contains("db.batchsize is for loads");

        world.execute("run", "native", "-P", "w1.properties", "-p", "db.batchsize=-1", "--out", "r2");
        assertThat(world.err().split("db.batchsize is for loads", -1)).hasSize(2);
    }

    @Test
    void wrongRetriesAreSaidWithEverythingElseThatIsWrong() {
        int exitCode = world.execute(
                "run", "native", "-P", "w1.properties", "-p", "retry.temporary=x", "-p", "fieldcount=0", "--out", "r");

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err()).contains("retry.temporary=x", "fieldcount=0");
        assertThat(embedded.calls).isEmpty();
    }

    @Test
    void aPartlyLoadedTableIsLeftAloneAndSaid() {
        world.execute("load", "native", "-P", "w1.properties", "-p", "insertcount=20", "--out", "l");

        world.execute("run", "native", "-P", "w1.properties", "--out", "r");

        assertThat(world.err()).contains("only partly loaded: record 0 is there, record 49 is not");
        assertThat(StoreDb.store(store)).hasSize(20);
    }

    @Test
    void withNoLoadAnEmptyTableMakesTheRunFail() {
        int exitCode = world.execute("run", "native", "-P", "w1.properties", "--no-load", "--out", "r");

        assertThat(exitCode).isEqualTo(1);
        assertThat(world.err()).contains("no operation succeeded");
        assertThat(world.out()).contains("Return=NOT_FOUND, ");
        assertThat(StoreDb.store(store)).isEmpty();
    }

    @Test
    void failuresAmongSuccessesAreAResult() {
        world.execute("load", "native", "-P", "w1.properties", "-p", "insertcount=40", "--out", "l");

        int exitCode = world.execute("run", "native", "-P", "w1.properties", "--out", "r");

        assertThat(exitCode).isZero();
        assertThat(world.err()).containsPattern("note: \\d+ operations failed or have an unknown outcome");
    }

    @Test
    void aFailedAutomaticLoadFailsTheRun() {
        int exitCode = world.execute("run", "native", "-P", "w1.properties", "-p", "store.failing=true", "--out", "r");

        // A table that cannot be read is not an empty one, so nothing is loaded; the run itself then fails.
        assertThat(exitCode).isEqualTo(1);
        assertThat(world.err()).contains("it is unknown whether the table holds the workload's records");
    }

    @Test
    void aLoadThatLacksRecordsFailsAndSaysHowToGoOn() throws IOException {
        world.execute("load", "native", "-P", "w1.properties", "-p", "insertcount=20", "--out", "l1");

        int exitCode = world.execute("load", "native", "-P", "w1.properties", "--out", "l2");

        assertThat(exitCode).isEqualTo(1);
        assertThat(world.err())
                .contains("20 records are not known to be loaded")
                .contains("--resume");
        assertThat(json("l2/summary.json").path("load").path("failedRanges").toString())
                .isEqualTo("[[0,19]]");
    }

    @Test
    void aResumedLoadInsertsWhatIsMissingAndNothingElse() throws IOException {
        world.execute("load", "native", "-P", "w1.properties", "--out", "l1");
        var table = StoreDb.store(store);
        var kept = new TreeMap<>(table);
        WorkloadKeys.of(properties(), 0, 50).stream()
                .filter(key -> key.key().hashCode() % 3 == 0)
                .forEach(key -> table.remove(key.table() + "/" + key.key()));
        // What such a load would have left behind: most of its unknown keys are in the table.
        world.file("l1/summary.json", """
                {"load":{"failedRanges":[],"unknownRanges":[[0,39]],"notStartedRanges":[[40,49]]}}""");
        WorkloadKeys.of(properties(), 40, 10).forEach(key -> table.remove(key.table() + "/" + key.key()));
        int before = table.size();

        int exitCode = world.execute("load", "native", "-P", "w1.properties", "--resume", "l1", "--out", "l2");

        assertThat(exitCode).isZero();
        assertThat(world.err()).contains("of 40 records with an unknown outcome ");
        assertThat(table.keySet()).isEqualTo(kept.keySet());
        JsonNode load = json("l2/summary.json").path("load");
        assertThat(load.path("inserted").asInt()).isEqualTo(50 - before);
        assertThat(load.path("failedRanges")).isEmpty();
        assertThat(json("l2/run.json").path("properties").path("insertranges").asText())
                .endsWith("40-49");
    }

    @Test
    void onlyALoadWithSomethingLeftCanBeResumed() {
        world.execute("load", "native", "-P", "w1.properties", "--out", "l1");
        world.execute("run", "native", "-P", "w1.properties", "--out", "r1");

        assertThat(world.execute("load", "native", "-P", "w1.properties", "--resume", "l1"))
                .isEqualTo(2);
        assertThat(world.err()).contains("that load is complete");
        assertThat(world.execute("load", "native", "-P", "w1.properties", "--resume", "r1"))
                .isEqualTo(2);
        assertThat(world.err()).contains("holds no key ranges of a load");
        assertThat(world.execute("load", "native", "-P", "w1.properties", "--resume", "nowhere"))
                .isEqualTo(2);
        assertThat(world.err()).contains("summary.json cannot be read");
    }

    @Test
    void aLoadOfOtherRowsIsNotTheSameLoad() {
        world.execute("load", "native", "-P", "w1.properties", "-p", "insertcount=20", "--out", "l1");
        world.execute("load", "native", "-P", "w1.properties", "--out", "l2");
        world.file("other.properties", """
                table=other
                insertorder=ordered
                recordcount=60
                insertcount=30
                fieldlength=10
                """);
        String[] resume = {"load", "native", "-P", "w1.properties", "--resume", "l2", "--out", "l3", "-P"};

        assertThat(world.execute(with(resume, "other.properties"))).isEqualTo(2);

        assertThat(world.err())
                .contains("table is other, but was usertable in that load")
                .contains("insertorder is ordered, but was hashed")
                .contains("recordcount is 60, but was 50")
                .contains("insertcount is 30, but was none")
                .contains("fieldlength is 10, but was 100");
        resume[1] = "basic";
        assertThat(world.execute(with(resume, "w1.properties"))).isEqualTo(2);
        assertThat(world.err()).contains("binding is ", ", but was " + StoreDb.class.getName());
        assertThat(StoreDb.store(store)).hasSize(50);
        assertThat(world.directory().resolve("l3")).doesNotExist();
    }

    private static String[] with(String[] words, String another) {
        String[] all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = another;
        return all;
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("workload", "site.ycsb.workloads.CoreWorkload");
        properties.setProperty("recordcount", "50");
        return properties;
    }

    /** One of two commands at once was refused for the directory of the other. */
    @Test
    void aFolderThatAnotherCommandMayUseIsNeitherMadeNorTakenAway() {
        Path results = world.directory().resolve("results");

        ResultsFolder.requireWritable(results.resolve("r"));

        assertThat(results).doesNotExist();
        assertThat(world.directory()).as("of the probe").isDirectoryNotContaining("glob:**/.ycsb-*");
    }

    @Test
    void aDatabaseOutOfReachFailsTheRunWithTheReason() throws IOException {
        int exitCode = world.execute(
                "run", StoreDb.class.getName(), "-P", "w1.properties", "-p", "store.unreachable=host7", "--out", "r");

        assertThat(exitCode).isEqualTo(1);
        assertThat(world.err()).contains("nobody at host7");
        assertThat(json("r/run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(world.out()).isEmpty();
    }

    /** Some bindings wait a minute before they say so. */
    @Test
    void aDatabaseOutOfReachIsTriedOnceAndSaidOnce() throws IOException {
        String host = root.resolve("alone").toString();

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                "w1.properties",
                "-p",
                "store.unreachable=" + host,
                "-threads",
                "3",
                "--out",
                "r");

        assertThat(exitCode).isEqualTo(1);
        assertThat(StoreDb.unreached(host)).hasValue(1);
        assertThat(world.err())
                .contains("error: run incomplete: the database cannot be reached: nobody at " + host)
                .containsOnlyOnce("nobody at " + host);
        assertThat(json("r/run.json").path("state").asText()).isEqualTo("incomplete");
    }

    @Test
    void aDatabaseOutOfReachStartsNoClients() {
        String host = root.resolve("several").toString();

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                "w1.properties",
                "-p",
                "store.unreachable=" + host,
                "--clients",
                "2",
                "--out",
                "r");

        assertThat(exitCode).isEqualTo(1);
        assertThat(StoreDb.unreached(host)).hasValue(1);
        assertThat(world.err())
                .contains("error: the database cannot be reached: nobody at " + host + "; no client was started")
                .doesNotContain("starting 2 clients");
        assertThat(world.directory().resolve("r")).doesNotExist();
    }

    @Test
    @Tag("process")
    @EnabledOnOs(OS.LINUX)
    @Timeout(120)
    void aDatabaseOutOfReachFailsAnAuditedRunOfSeveralClientsWithTheReason() throws IOException {
        int exitCode = world.execute(
                "run",
                StoreDb.class.getName(),
                "-P",
                "w1.properties",
                "-p",
                "store.unreachable=host7",
                "--clients",
                "2",
                "--audit",
                "--no-load",
                "--out",
                "r");

        assertThat(exitCode).as(world.err()).isEqualTo(1);
        assertThat(world.err()).contains("nobody at host7", "audit: the run ended before anything could be read back");
        assertThat(json("r/run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(world.out()).isEmpty();
    }

    @Test
    void optionsOverrideMinusPWhichOverridesLaterThenEarlierFiles() throws IOException {
        world.file("w2", "operationcount=7\nthreadcount=9\nlabel=two\n");

        world.execute(
                "run",
                "native",
                "-P",
                "w1.properties",
                "-P",
                "w2",
                "-p",
                "threadcount=3",
                "-threads",
                "2",
                "--out",
                "r");

        JsonNode run = json("r/run.json");
        assertThat(run.path("operations").asLong()).isEqualTo(7);
        assertThat(run.path("threads").asInt()).isEqualTo(2);
        assertThat(run.path("properties").path("label").asText()).isEqualTo("two");
        assertThat(run.path("properties").path("recordcount").asText()).isEqualTo("50");
        assertThat(run.path("command").get(0).asText()).isEqualTo("run");
    }

    @Test
    void aDurationReplacesTheFilesOperationCountButNotTheOneTyped() throws IOException {
        world.execute(
                "run", "native", "-P", "w1.properties", "--duration", "300ms", "--window", "100ms", "--out", "r1");
        world.execute(
                "run", "native", "-P", "w1.properties", "--duration", "300s", "-p", "operationcount=5", "--out", "r2");

        assertThat(json("r1/run.json").path("operations").asLong()).isZero();
        assertThat(json("r1/run.json").path("durationNanos").asLong()).isGreaterThanOrEqualTo(300_000_000L);
        assertThat(json("r2/run.json").path("operations").asLong()).isEqualTo(5);
    }

    @Test
    void theDefaultRunDirectoryIsUnderResults() {
        world.execute("run", "native", "-P", "w1.properties");
        world.execute("run", "native", "-P", "w1.properties");

        assertThat(world.directory().resolve("results"))
                .isDirectoryContaining("regex:.*/\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-native-w1(-\\d+)?");
        assertThat(world.directory().resolve("results").toFile().list()).hasSize(2);
    }

    @Test
    void insertsBeyondTheRecordCountOfAnEarlierRunAreForetold() {
        String[] inserts = {
            "run", "native", "-P", "w1.properties", "-p", "insertproportion=0.5", "-p", "operationcount=50"
        };
        world.execute(inserts);
        assertThat(world.err()).doesNotContain("exists already");

        world.execute(inserts);
        assertThat(world.err()).contains("record 50 exists already");
    }
}
