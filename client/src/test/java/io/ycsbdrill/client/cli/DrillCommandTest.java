package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole drills on a table in memory and nodes in memory. */
@Timeout(120)
class DrillCommandTest {
    static final String WORKLOAD = """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=50
            operationcount=7
            readproportion=0.5
            updateproportion=0.5
            requestdistribution=uniform
            """;
    static final String DRILL = """
            name: quick
            steady: off
            cooldown: 500ms
            recovery_timeout: 30s
            steps:
              - {step: restart, fault: restart, node: node2, mode: kill, down: 200ms, at: 500ms}
            limits: {max_recovery: 20s}
            """;

    @TempDir
    private Path root;

    private World world;
    private ScriptedEngine engine;

    @BeforeEach
    void world() {
        engine = new ScriptedEngine(root.toString());
        world = new World(root).with(engine).file("w.properties", WORKLOAD).file("d.yaml", DRILL);
    }

    private int drill(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("drill", "native", "-P", "w.properties", "--out", "r", "-target", "200"));
        arguments.addAll(List.of(more));
        return world.execute(arguments.toArray(String[]::new));
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(world.directory().resolve(file).toFile());
    }

    private String text(String file) throws IOException {
        return Files.readString(world.directory().resolve(file));
    }

    @Test
    void aDrillRunsAsLongAsItNeedsAndLeavesEverythingBehind() throws IOException {
        int exitCode = drill("-D", "d.yaml", "--junit", "verdict.xml");

        assertThat(world.err())
                .contains("the run continues until the drill is complete")
                .contains("restart node2")
                .contains("node2 synchronise (SS)");
        assertThat(exitCode).as(world.err()).isZero();
        assertThat(json("r/run.json").path("state").asText()).isEqualTo("complete");
        JsonNode section = json("r/run.json").path("drill");
        assertThat(section.path("name").asText()).isEqualTo("quick");
        assertThat(section.path("text").asText()).isEqualTo(DRILL);
        assertThat(section.path("limits")).hasToString("{\"maxRecoverySeconds\":20.0}");
        assertThat(text("r/phases.csv").lines())
                .hasSize(7)
                .element(3)
                .asString()
                .startsWith("restart,1,restart,node2,down,,");
        assertThat(text("r/markers.jsonl"))
                .contains(
                        "\"fault-started\"", "\"fault-injected\"", "\"requested_ns\"", "\"phase\":\"wait-checkpoint\"");
        assertThat(world.out()).contains("Verdict: PASS: 1 of 2 limits kept, 1 not applicable");
        assertThat(text("verdict.xml")).contains("<testsuite");
        assertThat(world.directory().resolve("r/report.html")).exists();
        assertThat(engine.nodes.calls()).containsExactly("kill node2", "start node2");
    }

    @Test
    void aScriptReadsTheResultAsJsonAndThePathOfTheReportIsTheLastLine() throws IOException {
        int exitCode = drill("-D", "d.yaml", "--json");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(new ObjectMapper().readTree(world.out()))
                .isEqualTo(json("r/summary.json"))
                .anySatisfy(section -> assertThat(section.has("verdict")).isTrue());
        assertThat(world.err().strip().lines().reduce((first, last) -> last))
                .contains("report: " + world.directory().resolve("r/report.html"));
        assertThat(world.execute("report", "r", "--json")).isZero();
        assertThat(world.out()).contains("\"verdict\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--list", "--plan", "--check=d.yaml", "--dry-run"})
    void whatMakesNoResultHasNoJson(String mode) {
        assertThat(drill("-D", "d.yaml", mode, "--json")).isEqualTo(2);

        assertThat(world.out()).isEmpty();
        assertThat(world.err()).contains("--json prints results, and " + mode.replaceFirst("=.*", "") + " makes none");
    }

    @Test
    void briefIsAScreenfulOfMainFigures() {
        int exitCode = drill("-D", "d.yaml", "--brief");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.out().lines()).hasSizeLessThan(25).allMatch(line -> !line.startsWith("[OVERALL]"));
        assertThat(world.out())
                .contains("Out of service", "Service restored", "Redundancy restored", "Verdict: PASS")
                .doesNotContain("Dip depth", "Phase ", "PASS  ");
    }

    @Test
    void aDrillIsRepeatedAndEveryCycleJudged() throws IOException {
        world.file(
                "cycles.yaml",
                DRILL.replace("steady: off", """
                        load: 200/s
                        cycles: {count: 7, pause: 50ms}
                        steady: {after: 0s, window: 3s, slope: 90%, variation: 90%, within: 60s}""")
                        .replace("{max_recovery: 20s}", "{max_recovery: 20s, service_restored: any}"));

        int exitCode = drill("-D", "cycles.yaml", "--cycles", "2", "--seed", "3");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err())
                .contains("null cycle ", " of 3: nothing is injected")
                .contains("cycle 1 of 3");
        assertThat(engine.nodes.calls()).containsExactly("kill node2", "start node2", "kill node2", "start node2");
        assertThat(world.out()).contains("2 cycles of ", "no interval (n=2)", "Verdict: PASS: 1 of 1 limit kept");
        assertThat(json("r/run.json").path("drill").path("cycles"))
                .hasToString("{\"count\":2,\"nulls\":1,\"pauseSeconds\":0.05}");
        assertThat(json("r/summary.json")
                        .at("/drill/cycles/figures/redundancyRestoredSeconds/n")
                        .asInt())
                .isEqualTo(2);
        assertThat(json("r/summary.json").at("/drill/verdict/checks/0/result").asText())
                .isEqualTo("pass");
    }

    @Test
    void cyclesThatCannotBeAreRefusedWithTheReason() {
        assertThat(drill("-D", "d.yaml", "--cycles", "2")).isEqualTo(2);
        assertThat(world.err())
                .contains("--cycles 2: each cycle begins when the throughput is steady")
                .contains("remove steady: off");
        assertThat(drill("-D", "d.yaml", "--cycles", "0")).isEqualTo(2);
        assertThat(world.err()).contains("--cycles=0").contains("from 1 to 1000");
        assertThat(engine.nodes.calls()).isEmpty();
    }

    @Test
    void quietDrillSaysItsVerdictInOneLineAndNothingElse() {
        int exitCode = drill("-D", "d.yaml", "--quiet");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err()).isEmpty();
        assertThat(world.out())
                .matches("drill quick: PASS: 1 of 2 limits kept, 1 not applicable(; \\d+ cautions?)? \\(run directory: "
                        + world.directory().resolve("r") + "\\)" + System.lineSeparator());
    }

    @Test
    void quietDrillWithJsonPrintsNothingButJson() throws IOException {
        world.file("d.yaml", DRILL.replace("20s}", "1ms}"));

        assertThat(drill("-D", "d.yaml", "--quiet", "--json")).isEqualTo(3);

        assertThat(new ObjectMapper().readTree(world.out())).isEqualTo(json("r/summary.json"));
        assertThat(world.out()).doesNotContain("drill quick: ");
        assertThat(world.err()).startsWith("error: drill quick: FAIL: ").hasLineCount(1);
    }

    @Test
    void quietDrillThatMissesALimitSaysSoOnStandardErrorToo() {
        world.file("d.yaml", DRILL.replace("20s}", "1ms}"));

        assertThat(drill("-D", "d.yaml", "--quiet")).isEqualTo(3);

        assertThat(world.out())
                .startsWith("drill quick: FAIL: 0 of 2 limits kept, 1 not applicable; missed: Redundancy restored")
                .hasLineCount(1);
        assertThat(world.err()).isEqualTo("error: " + world.out());
    }

    /** Whoever asks for a verdict is to hear that there is none. */
    @Test
    void aDrillWithoutLimitsWhoseVerdictIsAskedForFailsAndSaysWhy() throws IOException {
        world.file("d.yaml", DRILL.replaceAll("limits:.*", ""));

        assertThat(drill("-D", "d.yaml", "--quiet", "--junit", "verdict.xml")).isEqualTo(1);

        assertThat(world.err())
                .isEqualToIgnoringNewLines("error: nothing could be judged: NOT JUDGED: the drill sets no limits");
        assertThat(text("verdict.xml")).contains("something was judged");
    }

    @Test
    void quietDrillThatIsInvalidSaysWhy() {
        engine.nodes.failing("start node2", "node2 ended at once");

        assertThat(drill("-D", "d.yaml", "--quiet")).isEqualTo(1);

        assertThat(world.out()).startsWith("drill quick: INVALID: ").hasLineCount(1);
        assertThat(world.err().lines())
                .isNotEmpty()
                .allMatch(line -> line.startsWith("error: "))
                .anyMatch(line -> line.contains("node2 ended at once"));
    }

    @Test
    void quietDrillThatCannotBeginHasOnlyItsErrors() {
        assertThat(drill("-D", "d.yaml", "--quiet", "-p", "recordcount=many")).isEqualTo(2);

        assertThat(world.out()).isEmpty();
        assertThat(world.err().lines()).isNotEmpty().allMatch(line -> line.startsWith("error: "));
    }

    @Test
    void theVerdictOfAnEarlierDrillDoesNotStayWhenThisOneGivesNone() throws IOException {
        world.file("verdict.xml", "<testsuite tests=\"1\" failures=\"0\" errors=\"0\"/>");

        assertThat(drill("-D", "d.yaml", "--junit", "verdict.xml", "-p", "recordcount=many"))
                .isEqualTo(2);

        assertThat(text("verdict.xml")).contains("errors=\"1\"", "name=\"quick\"", "recordcount");

        assertThat(drill("-D", "d.yaml", "--junit", "verdict.xml", "--no-load", "-p", "store.unreachable=nowhere"))
                .isEqualTo(1);

        assertThat(text("verdict.xml")).contains("errors=\"1\"");
    }

    @Test
    void aFolderThatIsMadeForTheVerdictIsSaid() {
        String said =
                "note: --junit has made the directory " + world.directory().resolve("new");

        assertThat(drill("-D", "d.yaml", "--junit", "new/verdict.xml", "-p", "recordcount=many"))
                .isEqualTo(2);
        assertThat(world.err()).containsOnlyOnce(said);

        assertThat(drill("-D", "d.yaml", "--junit", "new/verdict.xml", "-p", "recordcount=many"))
                .isEqualTo(2);
        assertThat(world.err()).containsOnlyOnce(said);
    }

    @Test
    void theVerdictOfAnEarlierDrillDoesNotStayWhenTheDrillFileCannotBeRead() throws IOException {
        String earlier = "<testsuite tests=\"1\" failures=\"0\" errors=\"0\"/>";
        world.file("verdict.xml", earlier).file("d.yaml", "steps: none\n");

        assertThat(drill("-D", "d.yaml", "--junit", "verdict.xml")).isEqualTo(2);
        assertThat(text("verdict.xml")).contains("errors=\"1\"", "name=\"d.yaml\"", "steps");

        world.file("verdict.xml", earlier);
        assertThat(drill("-D", "nofile", "--junit", "verdict.xml")).isEqualTo(2);
        assertThat(text("verdict.xml")).contains("errors=\"1\"", "name=\"nofile\"", "is not there");
    }

    @Test
    void aWorkloadWithoutOperationCountIsEnoughForADrill() throws IOException {
        world.file("w.properties", WORKLOAD.replace("operationcount=7\n", ""));

        assertThat(drill("-D", "d.yaml")).as(world.err()).isZero();

        assertThat(json("r/run.json").path("state").asText()).isEqualTo("complete");
    }

    @Test
    void aMissedLimitIsExitCode3() {
        world.file("d.yaml", DRILL.replace("20s}", "1ms}"));

        assertThat(drill("-D", "d.yaml")).as(world.err()).isEqualTo(3);

        assertThat(world.out()).contains("Verdict: FAIL: 0 of 2 limits kept");
    }

    @Test
    void aFaultThatCannotBeInjectedMakesTheRunInvalidAndTheClusterIsHealed() throws IOException {
        engine.nodes.failing("start node2", "node2 ended at once");

        int exitCode = drill("-D", "d.yaml");

        assertThat(exitCode).isEqualTo(1);
        assertThat(json("r/run.json").path("state").asText()).isEqualTo("invalid");
        assertThat(json("r/run.json").path("reasons").get(0).asText()).contains("node2 ended at once");
        assertThat(text("r/markers.jsonl")).contains("\"fault-failed\"");
        assertThat(text("r/windows.csv").lines().count()).isGreaterThan(1);
    }

    @Test
    void whatADrillLeavesDownIsStartedAtItsEnd() {
        world.file("d.yaml", """
                steady: off
                cooldown: 200ms
                steps: [{fault: kill, node: random, at: 200ms}]
                """);

        assertThat(drill("-D", "d.yaml")).as(world.err()).isZero();

        assertThat(engine.nodes.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(world.out()).endsWith("Verdict: NOT JUDGED: the drill sets no limits" + System.lineSeparator());
    }

    private static final String PAUSE = """
            steady: off
            cooldown: 200ms
            steps: [{fault: pause, duration: 100ms, node: random, at: 200ms}]
            """;

    /** A gate that has judged nothing is not green. */
    @Test
    void withoutLimitsThereIsNoVerdictForACiServer() throws IOException {
        world.file("d.yaml", PAUSE);

        assertThat(drill("-D", "d.yaml", "--junit", "none.xml")).as(world.err()).isEqualTo(1);
        assertThat(text("none.xml"))
                .contains("errors=\"1\"", "something was judged", "NOT JUDGED: the drill sets no limits");
    }

    @Test
    void limitsOfWhichNoneAppliesAreNotKept() {
        world.file("d.yaml", PAUSE + "limits: {max_recovery: 1m}\n");

        assertThat(drill("-D", "d.yaml")).as(world.out()).isEqualTo(1);

        assertThat(world.err()).contains("error: nothing could be judged: NOT JUDGED: its only limit does not apply");
    }

    @Test
    void aRunThatEndsBeforeItsDrillIsInvalid() throws IOException {
        assertThat(drill("-D", "d.yaml", "-p", "operationcount=5")).isEqualTo(1);

        assertThat(json("r/run.json").path("reasons").get(0).asText()).contains("ended before the drill was complete");
    }

    @Test
    void whatTheClusterCannotDoIsAnErrorBeforeAnythingIsRun() {
        engine.nodes.without(Pausable.class);
        world.file("d.yaml", "steps: [{fault: pause, duration: 1s, node: node7, at: 1s}]");

        assertThat(drill("-D", "d.yaml")).isEqualTo(2);

        assertThat(world.err()).contains("are not", "no node node7");
        assertThat(world.directory().resolve("r")).doesNotExist();
    }

    @Test
    void faultsOfTheNetworkAreRefusedWhereNoProxyCanStand() {
        world.file("d.yaml", "steps: [{fault: cut, duration: 1s, node: server1, at: 1s}]");

        assertThat(world.execute("drill", "native", "-P", "w", "-D", "d.yaml", "--out", "r"))
                .isEqualTo(2);
        assertThat(world.err()).contains("d.yaml", "binding jdbc");
        assertThat(world.directory().resolve("r")).doesNotExist();
    }

    /** A URL with several is PostgreSQL's own form for a pair; the drill has no fault of the network, which would need proxies. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void serversThatNothingWatchesAreNodesForCommands(boolean pair) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServerSocket standby = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Path down = root.resolve("down");
            world.file("d.yaml", """
                    name: named
                    steady: off
                    load: max
                    cooldown: 500ms
                    steps:
                      - step: pod
                        fault: run
                        node: server1
                        at: 500ms
                        command: [touch, "%1$s"]
                        verify: [test, -e, "%1$s"]
                        duration: 300ms
                        heal: [rm, -f, "%1$s"]
                        healed: [test, "!", -e, "%1$s"]
                    """.formatted(down));

            world.execute("load", StoreDb.class.getName(), "-P", "w.properties", "-p", "store=" + root, "--out", "l");

            int exitCode = drillOnServers(
                    "127.0.0.1:" + server.getLocalPort() + (pair ? ",127.0.0.1:" + standby.getLocalPort() : ""));

            assertThat(exitCode).as(world.err()).isZero();
            assertThat(text("r/markers.jsonl"))
                    .contains("\"fault-effective\"", "\"fault-ended\"", "\"node\":\"server1\"");
            assertThat(down).doesNotExist();
        }
    }

    @Test
    void serverThatAcceptsNoConnectionIsNotDrilled() throws IOException {
        int closed;
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            closed = server.getLocalPort();
        }
        world.file(
                "d.yaml",
                "steps: [{fault: run, node: server1, at: 1s, command: [a], duration: 1s, heal: [b], healed: [c], verify: [d]}]");

        assertThat(drillOnServers("127.0.0.1:" + closed)).isEqualTo(1);
        assertThat(world.err()).contains("server1");
    }

    @Test
    void commandsOnServersThatNothingWatchesMustSayWhenTheyHaveRecovered() {
        world.file("d.yaml", "steps: [{step: pod, fault: run, node: server1, at: 1s, command: [a]}]");

        assertThat(drillOnServers("127.0.0.1:1")).isEqualTo(2);
        assertThat(world.err()).contains("step pod: healed is missing");
        assertThat(world.directory().resolve("r")).doesNotExist();
    }

    private int drillOnServers(String server) {
        return world.execute(
                "drill",
                StoreDb.class.getName(),
                "-P",
                "w.properties",
                "-p",
                "store=" + root,
                "-p",
                "db.url=jdbc:mysql://" + server + "/ycsb",
                "-D",
                "d.yaml",
                "-target",
                "200",
                "--out",
                "r");
    }

    @Test
    void checkSaysEverythingThatIsWrongAndStartsNothing() {
        world.file("bad.yaml", "steps:\n  - {fault: kil, node: random, at: 5}\n");

        assertThat(world.execute("drill", "--check", "bad.yaml")).isEqualTo(2);
        assertThat(world.err()).contains("bad.yaml:2: steps[1].fault: \"kil\"; did you mean \"kill\"?", "has no unit");
        assertThat(world.execute("drill", "--check", "d.yaml")).isZero();
        assertThat(world.err()).contains("d.yaml is valid: drill quick, 1 step");
        assertThat(world.execute("drill", "--check", "none.yaml")).isEqualTo(2);
        assertThat(engine.nodes.calls()).isEmpty();
    }

    @Test
    void nodesAreHandledOneByOneUnderCluster() {
        engine.upIn(world);

        assertThat(world.execute("cluster", "kill", "node2")).as(world.err()).isZero();
        assertThat(engine.nodes.status().get(1).state()).isEqualTo(State.DOWN);
        world.execute("cluster", "resume", "node2");
        assertThat(world.out() + world.err())
                .contains("node2: is down, so there is nothing to resume; start it with: ycsb cluster start node2");
        assertThat(world.execute("cluster", "start", "node2")).as(world.err()).isZero();
        assertThat(world.execute("cluster", "restart", "node1", "--mode", "kill"))
                .isZero();
        assertThat(world.execute("cluster", "initialise", "node3")).isZero();
        assertThat(world.execute("cluster", "pause", "node3")).isZero();
        assertThat(engine.nodes.status().get(2).state()).isEqualTo(State.PAUSED);
        assertThat(world.execute("cluster", "resume", "node3")).isZero();
        assertThat(world.execute("cluster", "stop", "node1", "node2", "--mode", "abort"))
                .isZero();

        assertThat(world.execute("cluster", "heal")).as(world.err()).isZero();

        assertThat(engine.nodes.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(engine.nodes.calls())
                .containsSubsequence(
                        "kill node2",
                        "start node2",
                        "kill node1",
                        "start node1",
                        "stop node3 GRACEFUL",
                        "startInitial node3",
                        "pause node3",
                        "resume node3");
    }

    /** Another command lifted the faults of a drill under way, which went on to count them as in force. */
    @Test
    void aClusterThatIsDrilledIsLeftAloneByOtherCommands() throws Exception {
        // What it offers has this value, too.
        String address = root.toString();
        engine = new ScriptedEngine(address) {
            @Override
            public List<RemoteProperty> remoteProperties() {
                return List.of(new RemoteProperty("scripted.address", "HOST", "the same cluster"));
            }

            @Override
            public Optional<RemoteCluster> remote(EngineContext context) {
                return Optional.of(context.property("scripted.address"))
                        .filter(named -> !named.isEmpty())
                        .map(named -> new RemoteCluster(
                                name(),
                                named,
                                "the cluster at " + named,
                                Map.of(),
                                () -> attach(context.clusters().find(name()).orElseThrow())));
            }
        };
        engine.upIn(world.with(engine));
        world.file("d.yaml", """
                steady: off
                cooldown: 200ms
                steps: [{fault: pause, node: node2, at: 200ms, duration: 8s}]
                """);
        World other = new World(root).with(engine);
        FutureTask<Integer> first = new FutureTask<>(() -> drill("-D", "d.yaml"));
        new Thread(first, "first-drill").start();
        while (engine.nodes.status().get(1).state() != State.PAUSED) {
            assertThat(first.isDone()).as(world.err()).isFalse();
            Thread.sleep(10);
        }

        assertThat(other.execute("drill", "native", "-P", "w.properties", "-D", "d.yaml", "--out", "r2"))
                .isEqualTo(2);
        assertThat(other.execute("cluster", "heal")).isEqualTo(2);
        assertThat(other.execute("cluster", "heal", "-p", "scripted.address=" + address))
                .isEqualTo(2);
        assertThat(other.execute("cluster", "kill", "node3")).isEqualTo(2);
        assertThat(other.execute("cluster", "down")).isEqualTo(2);

        assertThat(other.err().lines().filter(line -> line.contains("error: ")))
                .hasSize(5)
                .allMatch(line -> line.contains(
                        "process " + ProcessHandle.current().pid() + " is at work on the nodes of the cluster"));
        assertThat(other.err()).doesNotContain("left open by an earlier drill");
        assertThat(engine.nodes.calls()).containsExactly("pause node2");
        assertThat(first.get()).as(world.err()).isZero();
        assertThat(engine.nodes.calls()).containsExactly("pause node2", "resume node2");
        assertThat(other.execute("cluster", "heal")).as(other.err()).isZero();
    }

    /** Only those of the inventory did: nodes were started with an empty connect string, or another cluster's. */
    @Test
    void aDryRunStartsNodesWithThePropertiesThatCount() {
        String nodes = "engine: ndb\ndata_nodes: [{id: 1, host: db1, transport: ssh}]\n";
        world.file("none.yaml", nodes)
                .file("other.yaml", nodes + "properties: {ndb.connectstring: \"mgm9:1186\"}\n")
                .file("d.yaml", "steps: [{fault: initialise, mode: kill, node: \"1\", at: 1s}]\n");

        assertThat(dryRun("none.yaml", "-p", "ndb.connectstring=mgm1:1186")).isZero();
        assertThat(dryRun("other.yaml", "-p", "ndb.connectstring=mgm1:1186")).isZero();

        assertThat(world.out().lines().filter(line -> line.contains("--initial")))
                .isNotEmpty()
                .allMatch(line -> line.contains("--ndb-connectstring=mgm1:1186"));
        assertThat(dryRun("none.yaml")).isEqualTo(2);
        assertThat(world.out()).contains("cannot be done: node 1 cannot be started", "-p ndb.connectstring=...");
    }

    @Test
    void aDryRunAndAPlanRefuseWhatTheStartRefuses() {
        world.file("i.yaml", "engine: galera\ndata_nodes: [{id: a, host: db1, transport: ssh}]\n")
                .file("d.yaml", "steps: [{step: s, fault: kill, node: primary, at: 1s}]\n");
        String why = "step s: node primary: no node of galera is primary; use random or a node's id";

        assertThat(dryRun("i.yaml")).isEqualTo(2);
        assertThat(world.out()).contains("cannot be done: " + why);

        assertThat(world.execute("drill", "jdbc", "-P", "w.properties", "-D", "d.yaml", "--plan", "--on", "i.yaml"))
                .isEqualTo(2);
        assertThat(world.out()).contains("missing    " + why);
    }

    @Test
    void aDryRunWithoutAnInventoryLeadsToThePlan() {
        world.file("d.yaml", "steps: [{fault: kill, node: one, at: 1s}]\n");

        assertThat(world.execute("drill", "native", "-P", "w.properties", "-D", "d.yaml", "--dry-run"))
                .isEqualTo(2);
        assertThat(world.err()).contains("--on inventory.yaml", "--plan prints what the drill would do");
        assertThat(engine.nodes.calls()).isEmpty();
    }

    private int dryRun(String inventory, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("drill", "native", "-D", "d.yaml", "--dry-run", "--on", inventory));
        arguments.addAll(List.of(more));
        return world.execute(arguments.toArray(String[]::new));
    }

    @Test
    void wrongNodesAndOptionsUnderClusterAreUsageErrors() {
        assertThat(world.execute("cluster", "kill", "node1")).isEqualTo(2);
        assertThat(world.err()).contains("no cluster is up");
        engine.upIn(world);
        assertThat(world.execute("cluster", "kill", "nodeX")).isEqualTo(2);
        assertThat(world.err()).contains("no node nodeX; the nodes are node1, node2, node3");
        assertThat(world.execute("cluster", "stop", "node1", "--mode", "kill")).isEqualTo(2);
        assertThat(world.err()).contains("--mode kill is not one of graceful, abort");
        assertThat(world.execute("cluster", "restart", "node1", "--down", "5")).isEqualTo(2);
        assertThat(world.execute("cluster", "kill")).isEqualTo(2);
        assertThat(engine.nodes.calls()).isEmpty();
    }
}
