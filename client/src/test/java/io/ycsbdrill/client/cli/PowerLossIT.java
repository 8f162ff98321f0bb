package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import io.ycsbdrill.fault.node.galera.GaleraEngine;
import io.ycsbdrill.fault.node.galera.TestedGalera;
import io.ycsbdrill.fault.node.ndb.NdbEngine;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers that are known: all nodes lose their power under load, and what engines promise of acknowledged writes is what the audit
 * finds. An engine that syncs before it acknowledges loses none; one that does not, some. Tests of the tool, not of the engines.
 */
@Tag("engine")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class PowerLossIT {
    @TempDir
    private Path folder;

    @Test
    @Tag("soak")
    void whoSyncsItsLogForEachWriteLosesNone() throws Exception {
        JsonNode audit = drill(new EmbeddedEngine(), "native", Map.of("wal-mode", "fsync"));

        Audits.assertNothingLost(audit);
        Audits.assertReplicasAgree(audit, 3, 3);
    }

    /**
     * A single node: of several, those that are cut some milliseconds later sync when they see the others go. The log is synced every half
     * second: a cut right after that loses nothing, which is why this is no test of each build.
     */
    @Test
    @Tag("soak")
    void whoSyncsItsLogNowAndThenLosesTheLastWrites() throws Exception {
        JsonNode audit = drill(new EmbeddedEngine(), "native", Map.of("wal-mode", "log-only", "data-nodes", "1"));

        assertThat(audit.path("ackedLost").asLong()).as("%s", audit).isPositive();
        assertThat(rpoSeconds()).isPositive();
    }

    @Test
    void innodbThatFlushesAtEachCommitLosesNone() throws Exception {
        TestedGalera.home();
        Audits.assertNothingLost(drill(new GaleraEngine(), "jdbc", Map.of("buffer-pool", "32M", "gcache", "32M")));
    }

    /** It keeps what is in its last global checkpoint that is on disk; they are 2 s apart, and more on a busy machine. */
    @Test
    @Tag("soak")
    void ndbLosesWhatFollowsItsLastGlobalCheckpoint() throws Exception {
        TestedNdb.home();
        JsonNode audit = drill(new NdbEngine(), "native", Map.of("data-memory", "64M", "sql-nodes", "0"));

        assertThat(audit.path("ackedLost").asLong()).as("%s", audit).isPositive();
        assertThat(rpoSeconds()).isPositive().isLessThan(20);
    }

    /** Returns what the audit has found. */
    private JsonNode drill(LocalEngine engine, String binding, Map<String, String> more) throws IOException {
        Map<String, String> options = new HashMap<>(more);
        options.put("power-loss", "true");
        LocalCluster cluster = engine.up(folder.resolve("c"), options, Lifetime.OWNED, line -> {});
        try {
            World world = new World(folder).with(engine);
            world.clusters().write(cluster.descriptor());
            drill(world, binding, cluster.nodes().size());
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
            assertThat(folder.resolve("c/heal.json")).doesNotExist();
        } finally {
            cluster.down();
        }
        return json("audit.json");
    }

    /** Files that an engine has made at its start and never syncs are 35 s old by then, at which the kernel writes them back. */
    private static void drill(World world, String binding, int nodes) throws IOException {
        world.file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=1000
                readproportion=0.2
                updateproportion=0.4
                scanproportion=0
                insertproportion=0.4
                """);
        world.file("drill.yaml", """
                name: power
                slo: {p99: 2s, p50: 200ms}   # what is asked is what the engine has kept, not how fast this disk syncs
                steady: {after: 40s, window: 3s, within: 2m}
                cooldown: 4s
                recovery_timeout: 4m
                steps:
                  - {step: loss, fault: power-loss, node: all, at: 0s}
                  - {step: return, fault: start, node: same-as:loss, after: loss.failure-handling, delay: 2s}
                limits: {acked_lost: any}
                """);

        int exitCode = world.execute(
                "drill",
                binding,
                "-P",
                "w",
                "-D",
                "drill.yaml",
                "-threads",
                "6",
                "-target",
                "100",
                "--window",
                "1s",
                "--audit",
                "--out",
                "out");

        assertThat(exitCode).as(world.err() + world.out()).isZero();
        Path run = world.directory().resolve("out");
        Markers.assertEveryFaultWasEffective(run);
        assertThat(Markers.of(run))
                .filteredOn(marker -> marker.path("kind").asText().equals("fault-effective")
                        && marker.path("fault").asText().equals("power-loss"))
                .hasSize(nodes)
                .allSatisfy(marker -> assertThat(marker.path("text").asText())
                        .containsAnyOf("were not synced and are gone", "everything that it had written was synced"));
    }

    private double rpoSeconds() throws IOException {
        return json("summary.json").at("/drill/rpoSeconds/value").asDouble(-1);
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve("cwd/out").resolve(file).toFile());
    }
}
