package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.jdbc.JdbcBinding;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.patroni.PatroniEngine;
import io.ycsbdrill.fault.node.patroni.TestedPatroni;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DB;

/** Through {@code jdbc}, three threads at a real PostgreSQL with Patroni; set {@code PATRONI_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class PatroniDrillIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    private LocalRuns runs;

    @BeforeAll
    static void up() {
        TestedPatroni.home();
        folder.toFile().setExecutable(true, false); // as root, another user runs the servers
        Map<String, String> options = new HashMap<>(TestedPatroni.quick());
        options.put("synchronous", "true"); // otherwise a killed primary may lose what it has just acknowledged
        cluster = new PatroniEngine().up(folder.resolve("c"), options, Lifetime.OWNED, line -> {});
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    @BeforeEach
    void runs() {
        runs = new LocalRuns(folder, cluster.descriptor(), new PatroniEngine(), "jdbc");
    }

    private static void assertWhole() {
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }

    @Test
    void aKilledPrimaryIsReplacedAndNothingIsLost() throws IOException {
        String primary = cluster.primary().orElseThrow();

        runs.drill(
                "primary-kill",
                text -> text.replaceAll("down: 60s", "down: " + 2 * ttl() + "s"),
                "--audit",
                "-p",
                "db.socket.timeout=3s");

        assertThat(runs.phases().get(primary))
                .containsExactly("fault", "failure-handling", "down", "local-recovery", "synchronise");
        runs.assertPhasesAddUp();
        assertThat(cluster.primary()).isPresent().get().isNotEqualTo(primary);
        JsonNode audit = runs.json("audit.json");
        Audits.assertNothingLost(audit);
        Audits.assertReplicasAgree(audit, 3, 3);
        assertThat(audit.at("/reads/strong").asBoolean())
                .as("reads are at the primary")
                .isTrue();
        assertWhole();
    }

    @Test
    @Tag("soak")
    void aSwitchoverCostsSecondsAndLosesNothing() throws IOException {
        String primary = cluster.primary().orElseThrow();

        runs.drill("switchover", text -> text, "--audit", "-p", "db.socket.timeout=3s");

        assertThat(runs.phases().get(primary)).startsWith("fault").contains("down", "local-recovery", "synchronise");
        Audits.assertNothingLost(runs.json("audit.json"));
        assertWhole();
    }

    @Test
    @Tag("soak")
    void theLossOfEtcdEndsWritesUntilItIsBack() throws IOException {
        runs.drill(
                "etcd-loss",
                text -> text.replaceAll("down: 60s", "down: 10s"),
                "--audit",
                "-p",
                "db.socket.timeout=3s");

        assertThat(runs.phases().get("etcd1")).containsExactly("fault", "failure-handling", "down", "local-recovery");
        Audits.assertNothingLost(runs.json("audit.json"));
        assertWhole();
    }

    @Test
    @Tag("soak")
    void aSynchronousReplicaThatIsKilledHoldsWritesUpAndLosesNone() throws IOException {
        String primary = cluster.primary().orElseThrow();

        runs.drill(
                "sync-standby-kill",
                text -> text.replaceAll("down: 30s", "down: 8s"),
                "--audit",
                "-p",
                "db.socket.timeout=3s");

        assertThat(runs.phases()).hasSize(1).doesNotContainKey(primary);
        Audits.assertNothingLost(runs.json("audit.json"));
        assertWhole();
    }

    /** It is primary again unless that takes longer than the leader's key lasts, as on a busy machine. */
    @Test
    @Tag("soak")
    void aKilledPostgresqlIsStartedByItsPatroniAndNothingIsLost() throws IOException {
        String primary = cluster.primary().orElseThrow();

        runs.drill(
                "postgres-kill",
                text -> text.replaceAll("duration: 30s", "duration: 10s"),
                "--audit",
                "-p",
                "db.socket.timeout=3s");

        assertThat(runs.phases().get(primary)).containsSubsequence("fault", "failure-handling", "local-recovery");
        if (cluster.primary().equals(Optional.of(primary))) {
            assertThat(runs.phases().get(primary)).hasSize(3);
        }
        runs.assertPhasesAddUp();
        assertThat(cluster.primary()).isPresent();
        Audits.assertNothingLost(runs.json("audit.json"));
        assertWhole();
    }

    /** Each instance of the binding looks for the primary among all three. */
    @Nested
    class Contract extends BindingContract {
        @Override
        protected DB newDb() {
            return new JdbcBinding();
        }

        @Override
        protected Properties properties() {
            Properties properties = new Properties();
            properties.putAll(cluster.descriptor().bindings().get("jdbc"));
            properties.setProperty("table", table());
            return properties;
        }

        @Override
        protected String table() {
            return "contract";
        }
    }

    private static int ttl() {
        return Integer.parseInt(TestedPatroni.quick().get("ttl"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "e"})
    void workloadsRun(String letter) throws IOException {
        runs.run("workload" + letter, "-p", "operationcount=" + (letter.equals("e") ? 300 : 1500));

        runs.returns().forEach((operation, counts) -> assertThat(counts.keySet())
                .as("%s %s", operation, counts)
                .isSubsetOf(List.of("OK")));
    }
}
