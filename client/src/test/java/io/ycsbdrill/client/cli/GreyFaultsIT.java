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
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import io.ycsbdrill.fault.node.trouble.Deceivable.Clock;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.DiskTrouble.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Under load, a node is sick and not dead: its disk is slow, stalls and breaks, it gets a fifth of its processor time, its clock is
 * wrong and its files are damaged, on each engine that can have such disks. Whether the whole cluster waits for it, and whether the node ends itself, is up to the engine.
 */
@Tag("engine")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class GreyFaultsIT {
    private static final Clock HOUR_AHEAD = new Clock(Clock.Kind.JUMP, Duration.ofHours(1), Duration.ZERO);

    @TempDir
    private Path folder;

    @Test
    @Tag("soak")
    void onTheEmbeddedCluster() throws Exception {
        drill(new EmbeddedEngine(), "native", Map.of(), "**.bin");
    }

    @Test
    @Tag("soak")
    void onNdb() throws Exception {
        TestedNdb.home();
        drill(new NdbEngine(), "native", Map.of("data-memory", "64M"), "**");
    }

    @Test
    void onGalera() throws Exception {
        TestedGalera.home();
        drill(new GaleraEngine(), "jdbc", Map.of("buffer-pool", "32M", "gcache", "32M"), "**.ibd");
    }

    private void drill(LocalEngine engine, String binding, Map<String, String> more, String files) throws Exception {
        Map<String, String> options = new HashMap<>(more);
        options.put("disk-faults", "true");
        options.put("clock-faults", "true");
        LocalCluster cluster = engine.up(folder.resolve("c"), options, Lifetime.OWNED, line -> {});
        try {
            World world = new World(folder).with(engine);
            world.clusters().write(cluster.descriptor());
            drill(world, binding, files);
            if (engine instanceof GaleraEngine) {
                assertTheServerItselfReportsTheWrongTime(cluster);
            }
            assertHealedFromElsewhere(world, cluster);
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
            assertThat(folder.resolve("c/heal.json")).doesNotExist();
        } finally {
            cluster.down();
        }
        assertThat(folder.resolve("c")).doesNotExist();
    }

    private void drill(World world, String binding, String files) throws IOException {
        world.file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=1000
                readproportion=0.5
                updateproportion=0.5
                scanproportion=0
                insertproportion=0
                """);
        world.file("drill.yaml", """
                name: grey
                steady: {after: 3s, window: 3s, within: 1m}
                cooldown: 4s
                recovery_timeout: 2m
                steps:
                  - {step: slow, fault: disk-slow, node: random, latency: 20ms, jitter: 10ms, duration: 3s, at: 0s}
                  - {step: stall, fault: disk-stall, node: same-as:slow, duration: 3s, after: slow, delay: 2s}
                  - {step: starve, fault: starve, node: same-as:slow, share: 80%%, duration: 3s, after: stall, delay: 2s}
                  - {step: error, fault: disk-error, node: same-as:slow, duration: 5s, after: starve, delay: 2s}
                  - {step: clock, fault: clock-jump, node: same-as:slow, ahead: 1h, duration: 3s, after: error, delay: 2s}
                  - {step: flip, fault: bit-flip, node: same-as:slow, files: "%s", changes: 200, after: clock, delay: 2s}
                limits:
                  max_recovery: 2m
                  service_restored: any  # looked at is what the faults did
                """.formatted(files));

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
                "300",
                "--window",
                "1s",
                "--audit",
                "--out",
                "out");

        assertThat(exitCode).as(world.err() + world.out()).isZero();
        Path run = world.directory().resolve("out");
        Markers.assertEveryFaultWasEffective(run);
        JsonNode audit = new ObjectMapper().readTree(run.resolve("audit.json").toFile());
        System.out.println(binding + ": " + audit.path("writes"));
    }

    private static void assertTheServerItselfReportsTheWrongTime(LocalCluster cluster) throws SQLException {
        Deceivable clocks = cluster.capability(Deceivable.class).orElseThrow();
        String first = cluster.nodes().get(0).id();

        clocks.deceive(first, HOUR_AHEAD);
        assertThat(secondsAhead(cluster)).isBetween(3590L, 3610L);

        clocks.correct(first);
        assertThat(secondsAhead(cluster)).isBetween(-10L, 10L);
    }

    private static long secondsAhead(LocalCluster cluster) throws SQLException {
        Map<String, String> jdbc = cluster.descriptor().bindings().get("jdbc");
        try (Connection connection =
                        DriverManager.getConnection(jdbc.get("db.url"), jdbc.get("db.user"), jdbc.get("db.passwd"));
                Statement statement = connection.createStatement();
                ResultSet now = statement.executeQuery("SELECT UNIX_TIMESTAMP()")) {
            now.next();
            return now.getLong(1) - Instant.now().getEpochSecond();
        }
    }

    /** What a killed tool leaves in force is lifted by {@code cluster heal}, whoever calls it. */
    private void assertHealedFromElsewhere(World world, LocalCluster cluster) {
        DiskShim left = DiskShim.of(cluster.descriptor().directory()).orElseThrow();
        String node = cluster.nodes().get(0).id();
        DiskTrouble slow = new DiskTrouble(Kind.SLOW, Duration.ofMillis(1), Duration.ZERO);
        left.impair(node, slow);
        Deceivable clocks = cluster.capability(Deceivable.class).orElseThrow();
        clocks.deceive(node, HOUR_AHEAD);

        assertThat(world.execute("cluster", "heal")).as(world.err()).isZero();

        assertThat(left.look(node, slow).text()).contains("is not in force");
        assertThat(clocks.look(node, HOUR_AHEAD).text()).isEqualTo("the clock of " + node + " is right");
    }
}
