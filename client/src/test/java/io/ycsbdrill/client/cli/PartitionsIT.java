package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.client.cli.process.ThisJvm;
import io.ycsbdrill.fault.node.cratedb.TestedCrateDb;
import io.ycsbdrill.fault.node.galera.TestedGalera;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import io.ycsbdrill.fault.node.os.NetworkNamespaces;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Partitions between data nodes, by the commands that a user types: a node is cut off under load, and what a killed drill has cut is mended. */
@Tag("engine")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class PartitionsIT {
    @TempDir
    private Path folder;

    private World world;
    private Process drill;

    @BeforeEach
    void networksCanBeIsolatedHere() {
        Finding finding = NetworkNamespaces.diagnose();
        assumeTrue(finding.verdict() == Finding.Verdict.OK, finding.text());
        world = new World(folder).with();
        world.file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=500
                readproportion=0.5
                updateproportion=0.5
                scanproportion=0
                insertproportion=0
                """);
    }

    @AfterEach
    void nothingStays() throws Exception {
        if (world == null) {
            return; // skipped
        }
        if (drill != null) {
            drill.destroyForcibly().waitFor();
        }
        assertThat(run("cluster", "down", "all")).as(world.err()).isZero();
        assertThat(processes(folder.toString())).isEmpty();
    }

    /** What it covers, the tests below cover, too, each a part. */
    @Test
    @Tag("soak")
    void onTheEmbeddedCluster() throws Exception {
        isolatesAndHeals("embedded", "native", "node2", "10s", List.of());
    }

    /** Both sides serve. The clients stay with the larger one: when the other one ends, nothing of theirs ends with it. */
    @Test
    @Tag("soak")
    void clientsOfTheEmbeddedClusterStayWithTheLargerSide() throws Exception {
        up("embedded", List.of());
        isolates("embedded", "native", """
                  - {step: split, fault: partition, node: all, groups: [[1], [2, 3]], duration: 20s, at: 5s}
                """);

        Path out = world.directory().resolve("out");
        for (JsonNode server : new ObjectMapper()
                .readTree(out.resolve("summary.json").toFile())
                .at("/connections/servers")) {
            // Of the smaller side: one for the partition, then one a second.
            int most = server.path("server").asText().startsWith("10.99.0.1:") ? 45 : 2;
            assertThat(server.path("lost").asInt()).as("%s", server).isLessThanOrEqualTo(most);
        }
        double ended = seconds(out, marker -> marker.path("text").asText().contains("before its links are mended"));
        double recovered = seconds(
                out,
                marker -> marker.path("phase").asText().equals("recovered")
                        && marker.path("node").asText().equals("node1"));
        assertThat(recovered).isGreaterThan(ended + 2);
        for (int second = (int) ended + 1; second + 1 < recovered; second++) {
            assertThat(done(out, second)).as("ok in second %d", second).isPositive();
        }
    }

    /** When the last such marker was. */
    private static double seconds(Path run, Predicate<JsonNode> which) throws IOException {
        return Markers.of(run).stream()
                        .filter(which)
                        .mapToLong(marker -> marker.path("at_ns").asLong())
                        .max()
                        .orElseThrow()
                / 1e9;
    }

    private static long done(Path run, int second) throws IOException {
        return Files.readAllLines(run.resolve("slices.csv")).stream()
                .map(line -> line.split(","))
                .filter(row -> row[2].equals("TOTAL"))
                .filter(row -> (int) Double.parseDouble(row[1]) == second)
                .mapToLong(row -> Long.parseLong(row[3]))
                .sum();
    }

    @Test
    void onGalera() throws Exception {
        TestedGalera.home();
        isolatesAndHeals("galera", "jdbc", "node2", "10s", List.of());
    }

    /** Shorter than CrateDB needs to give a node up: what waits for the node goes on when the drill that has cut it off is healed. */
    @Test
    void onCrateDb() throws Exception {
        TestedCrateDb.require(folder);
        up("cratedb", List.of("--heap", "256M"));
        killedDrillIsHealed("cratedb", "rest", "node2", "isolate", "from: all");
    }

    /** As long as CrateDB needs to give a node up, from both sides. */
    @Test
    @Tag("soak")
    void untilCrateDbGivesTheNodeUp() throws Exception {
        TestedCrateDb.require(folder);
        up("cratedb", List.of("--heap", "256M"));
        isolates("cratedb", "rest", """
                  - {step: isolate, fault: isolate, from: all, node: node2, duration: 40s, at: 5s}
                """);
    }

    /** A cable that loses packets, one that is slow and one with a loose contact; then a killed drill whose cable is slow. */
    @Test
    @Tag("soak")
    void ofOneBadCable() throws Exception {
        up("embedded", List.of());
        world.file("drill.yaml", """
                name: cable
                steady: off
                cooldown: 2s
                recovery_timeout: 2m
                steps:
                  - {step: lossy, fault: link-loss, node: node2, share: 10%, duration: 4s, at: 2s}
                  - {step: twice, fault: link-duplicate, node: node2, share: 30%, duration: 2s, after: lossy, delay: 1s}
                  - {step: thin, fault: link-throttle, node: node2, rate: 20KB/s, duration: 4s, after: twice, delay: 1s}
                  - {step: loose, fault: flaky, node: node2, up: 1s, down: 300ms, duration: 5s, after: thin, delay: 2s}
                limits:
                  max_recovery: 1m
                  acked_lost: any
                  service_restored: any  # looked at is what the links did
                """);
        assertThat(run(drill("embedded", "native", "out", "--audit")))
                .as(world.err() + world.out())
                .isZero();
        Path out = world.directory().resolve("out");
        Markers.assertEveryFaultWasEffective(out);
        assertThat(Files.readString(out.resolve("markers.jsonl")))
                .contains("packets of node2 and ", " packets of node2 were duplicated", ", pulled ")
                .containsPattern("packets of and to node2 had to wait \\d+ times, and \\d+ were lost");

        replicasAgree(3);

        killedDrillIsHealed("embedded", "native", "node2", "link-throttle", "rate: 20KB/s");
        assertThat(run("cluster", "heal")).as(world.err()).isZero();
        assertThat(world.err()).as("nothing is left of it").doesNotContain("links");
    }

    /** Its bytes are wrong and their checksums are right, so only the engine can notice. */
    @Test
    @Tag("soak")
    void ofOneThatFlipsBits() throws Exception {
        TestedGalera.home();
        up("galera", List.of());
        world.file("drill.yaml", """
                name: spoilt
                steady: off
                cooldown: 2s
                recovery_timeout: 2m
                steps:
                  - {step: spoilt, fault: link-corrupt, node: node2, share: 5%, duration: 5s, at: 5s}
                limits:
                  acked_lost: any
                  service_restored: any  # looked at is what the link did
                """);

        assertThat(run(drill("galera", "jdbc", "out", "--audit")))
                .as(world.err() + world.out())
                .isZero();
        Path out = world.directory().resolve("out");
        Markers.assertEveryFaultWasEffective(out);
        assertThat(Files.readString(out.resolve("markers.jsonl")))
                .containsPattern(
                        "([1-9]\\d* packets of node2 and \\d+|\\d+ packets of node2 and [1-9]\\d*) packets to node2 were corrupted");
    }

    /** Where the kernel cannot delay packets, a drill is refused with the reason before anything is done; elsewhere they are late. */
    @Test
    @Tag("soak")
    void ofADelayedCable() throws Exception {
        up("embedded", List.of());
        world.file("drill.yaml", """
                name: delay
                steady: off
                steps:
                  - {step: late, fault: link-delay, node: node2, latency: 20ms, jitter: 5ms, duration: 4s, at: 2s}
                limits:
                  max_recovery: 1m
                """);

        int code = run(drill("embedded", "native", "out"));

        if (code == 2) {
            assertThat(world.err())
                    .contains("links cannot be delayed by 20 ms and up to 5 ms more on this machine: tc says")
                    .contains("its kernel needs the module sch_netem");
        } else {
            assertThat(code).as(world.err() + world.out()).isZero();
            Markers.assertEveryFaultWasEffective(world.directory().resolve("out"));
        }
    }

    /** A spare node has its network from the start, and while it is spare it connects no sides: else no node would be aside. */
    @Test
    @Tag("soak")
    void ofAnEmbeddedNodeThatIsAdded() throws Exception {
        up("embedded", List.of("--spare-nodes", "2"));
        world.file("drill.yaml", """
                name: added
                steady: off
                cooldown: 2s
                recovery_timeout: 4m
                steps:
                  - {step: before, fault: isolate, from: all, node: node2, duration: 10s, at: 2s}
                  - {step: fourth, operation: add-node, node: node4, after: before}
                  - {step: then, fault: isolate, from: all, node: same-as:fourth, duration: 10s, after: fourth, delay: 2s}
                limits:
                  max_recovery: 4m
                  acked_lost: any
                  service_restored: any
                """);

        assertThat(run(drill("embedded", "native", "out", "--audit")))
                .as(world.err() + world.out())
                .isZero();

        Path out = world.directory().resolve("out");
        Markers.assertEveryFaultWasEffective(out);
        assertThat(Files.readString(out.resolve("markers.jsonl")))
                .contains("its own side of a partition, node2 says", "its own side of a partition, node4 says");
        replicasAgree(4);
        assertThat(run("cluster", "status")).as(world.out()).isZero();
        assertThat(world.out()).contains("node4").doesNotContain("node5");
    }

    @Test
    void onNdb() throws Exception {
        NdbHome home = TestedNdb.completeHome();
        up(
                "ndb",
                List.of(
                        "--data-memory",
                        "64M",
                        "--sql-nodes",
                        "0",
                        "--ndb-home",
                        home.root().toString()));
        // As long as NDB needs to give a node up, from both sides; see docs/faults.md.
        isolates("ndb", "native", """
                  - {step: isolate, fault: isolate, from: all, node: 2, duration: 30s, at: 5s}
                """);
    }

    @Test
    @Tag("soak")
    void inOneDirectionOnNdb() throws Exception {
        String home = TestedNdb.completeHome().root().toString();
        up("ndb", List.of("--data-memory", "64M", "--sql-nodes", "0", "--ndb-home", home));
        isolates("ndb", "native", """
                  - {step: mute, fault: one-way, to: all, node: 2, duration: 30s, at: 5s}
                """);
        killedDrillIsHealed("ndb", "native", "2", "isolate", "from: all");
    }

    private void isolatesAndHeals(String engine, String binding, String node, String duration, List<String> options)
            throws Exception {
        up(engine, options);
        isolates(engine, binding, """
                  - {step: isolate, fault: isolate, from: all, node: %1$s, duration: %2$s, at: 5s}
                  - {step: mute, fault: one-way, to: all, node: %1$s, duration: %2$s, after: isolate, delay: 2s}
                """.formatted(node, duration));
        killedDrillIsHealed(engine, binding, node, "isolate", "from: all");
    }

    private void up(String engine, List<String> options) throws IOException {
        List<String> interfaces = interfaces();
        List<String> up = new ArrayList<>(List.of("cluster", "up", engine, "--network", "isolated"));
        up.addAll(options);
        assertThat(run(up.toArray(String[]::new))).as(world.err()).isZero();
        assertThat(interfaces()).isEqualTo(interfaces);
        assertThat(run("cluster", "status")).as(world.out() + world.err()).isZero();
    }

    private void isolates(String engine, String binding, String steps) throws Exception {
        world.file("drill.yaml", """
                name: cuts
                steady: off
                cooldown: 2s
                recovery_timeout: 4m
                steps:
                %slimits:
                  max_recovery: 4m
                  service_restored: any  # two seconds are too few to work off what waited for the cut
                """.formatted(steps));
        assertThat(run(drill(engine, binding, "out")))
                .as(world.err() + world.out())
                .isZero();
        Markers.assertEveryFaultWasEffective(world.directory().resolve("out"));
    }

    /** Its links were mended just when the others dropped it, and it did not notice: a heal waited for it for half an hour. */
    @Test
    @Tag("soak")
    void aNodeThatWasDroppedAndDoesNotEndItselfIsHealed() throws Exception {
        up("embedded", List.of());
        killedDrill("embedded", "native", "node2", "isolate", "from: all");
        while (run("cluster", "status") >= 0 && !world.out().contains("dropped by the others")) {
            Thread.sleep(200);
        }
        Path network = world.clusters().directory("embedded").resolve("network");
        String keeper = Files.readString(network.resolve("keeper.pid")).split("\\s")[0];
        assertThat(new ProcessBuilder("nsenter", "--target", keeper, "--net", "--", "nft", "flush", "ruleset")
                        .start()
                        .waitFor())
                .isZero();
        Files.delete(network.resolve("node2.cut"));

        assertThat(run("cluster", "heal", "embedded", "--timeout", "1m"))
                .as(world.err())
                .isZero();

        assertThat(run("cluster", "status")).as(world.out()).isZero();
    }

    private void killedDrillIsHealed(String engine, String binding, String node, String fault, String key)
            throws Exception {
        killedDrill(engine, binding, node, fault, key);

        assertThat(run("cluster", "heal")).as(world.err()).isZero();
        assertThat(world.err()).contains("left open by an earlier drill: " + fault + " of " + node);
        assertThat(run("cluster", "status")).as(world.out()).isZero();
    }

    private void killedDrill(String engine, String binding, String node, String fault, String key) throws Exception {
        world.file("drill.yaml", """
                name: killed
                steady: off
                steps:
                  - {step: open, fault: %s, node: %s, duration: 1h, at: 2s, %s}
                """.formatted(fault, node, key));
        String out = world.directory().resolve("killed").toString();
        drill = start(drill(engine, binding, out));
        Path markers = Path.of(out, "markers.jsonl");
        while (!Files.exists(markers) || !Files.readString(markers).contains("\"fault-effective\"")) {
            assertThat(drill.isAlive()).as(said()).isTrue();
            Thread.sleep(100);
        }

        List<ProcessHandle> tool = processes(out);
        drill.destroyForcibly().waitFor();
        assertThat(tool).hasSize(2); // the one that was killed, and the one inside, which ends with it
        tool.forEach(process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }

    /** The audit reads each node's copies at the node's own address. */
    private void replicasAgree(int nodes) throws IOException {
        JsonNode audit = new ObjectMapper()
                .readTree(world.directory().resolve("out/audit.json").toFile());
        Audits.assertReplicasAgree(audit, nodes, 3);
    }

    private static String[] drill(String engine, String binding, String out, String... more) {
        List<String> words = new ArrayList<>(List.of("drill", binding));
        if (binding.equals("native")) {
            words.addAll(List.of("--engine", engine)); // the others find the only cluster by themselves
        }
        words.addAll(List.of("-P", "w", "-D", "drill.yaml", "-threads", "2", "-target", "50"));
        words.addAll(List.of("-p", "op.timeout=10s", "--window", "1s", "--out", out));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private int run(String... arguments) {
        return world.execute(arguments);
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = ThisJvm.command();
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(world.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment()
                .put("YCSB_DRILL_STATE", world.clusters().home("x").getParent().toString());
        return builder.start();
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Those with an argument that contains the text. */
    private static List<ProcessHandle> processes(String argument) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> ProcFs.arguments(process.pid()).stream().anyMatch(word -> word.contains(argument)))
                .toList();
    }

    private static List<String> interfaces() throws IOException {
        return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                .map(NetworkInterface::getName)
                .sorted()
                .toList();
    }
}
