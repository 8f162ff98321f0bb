package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.galera.GaleraEngine;
import io.ycsbdrill.fault.node.galera.TestedGalera;
import io.ycsbdrill.fault.node.ndb.NdbEngine;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import io.ycsbdrill.fault.node.patroni.PatroniEngine;
import io.ycsbdrill.fault.node.patroni.TestedPatroni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers that are known: the whole cluster is lost under load and comes back from its backup. From the right one nothing is missing that it must
 * have; when an older one was put in its place, what was acknowledged between the two is found. A minute for each, so no test of each build.
 */
@Tag("engine")
@Tag("soak")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class RestoreIT {
    private static final String WORKLOAD = """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=1000
            readproportion=0.4
            updateproportion=0.4
            scanproportion=0
            insertproportion=0.2
            """;

    private static final Map<String, String> GALERA = Map.of("buffer-pool", "32M", "gcache", "32M");

    private static final Map<String, String> NDB = Map.of("data-memory", "64M");

    @TempDir
    private Path folder;

    @Test
    void galeraComesBackWithAllThatItsBackupMustHave() throws Exception {
        TestedGalera.home();
        assertOnlyWhatFollowedIsGone(drill(new GaleraEngine(), GALERA, "jdbc", "true", 0));
    }

    @Test
    void anOlderBackupOfGaleraIsFound() throws Exception {
        TestedGalera.home();
        assertMoreIsLost(drill(new GaleraEngine(), GALERA, "jdbc", older(), 3));
    }

    @Test
    void patroniComesBackWithAllThatItsBackupMustHave() throws Exception {
        openForServers();
        assertOnlyWhatFollowedIsGone(drill(new PatroniEngine(), TestedPatroni.quick(), "jdbc", "true", 0));
    }

    @Test
    void anOlderBackupOfPatroniIsFound() throws Exception {
        openForServers();
        assertMoreIsLost(drill(new PatroniEngine(), TestedPatroni.quick(), "jdbc", older(), 3));
    }

    /** The SQL node has to find the table that is back. */
    @Test
    void ndbComesBackWithAllThatItsBackupMustHaveAndItsSqlNodeFindsTheTable() throws Exception {
        TestedNdb.completeHome();
        assertOnlyWhatFollowedIsGone(drill(new NdbEngine(), NDB, "jdbc", "true", 0));
    }

    @Test
    void ndbComesBackWithoutASqlNode() throws Exception {
        TestedNdb.home();
        Map<String, String> options = Map.of("data-memory", "64M", "sql-nodes", "0");
        assertOnlyWhatFollowedIsGone(drill(new NdbEngine(), options, "native", "true", 0));
    }

    @Test
    void anOlderBackupOfNdbIsFound() throws Exception {
        TestedNdb.home();
        // Its number is in the files, too: only the first of them is found by the name that is asked for.
        String older = "cd " + folder.resolve("c") + " && for n in 1 2 3; do (cd node$n/BACKUP"
                + " && cp BACKUP-1/* BACKUP-2 && cp BACKUP-1/BACKUP-1.$n.ctl BACKUP-2/BACKUP-2.$n.ctl) || exit 1; done";
        assertMoreIsLost(drill(new NdbEngine(), NDB, "native", older, 3));
    }

    @Test
    void ndbIsNotStartedAnyMoreWhenTheToolIsKilledInTheMiddle() throws Exception {
        String home = TestedNdb.completeHome().root().toString();
        assertCutShort("ndb", "--data-memory", "64M", "--ndb-home", home);
    }

    @Test
    void galeraIsNotStartedAnyMoreWhenTheToolIsKilledInTheMiddle() throws Exception {
        TestedGalera.home();
        assertCutShort("galera", "--buffer-pool", "32M", "--gcache", "32M");
    }

    @Test
    void patroniIsNotStartedAnyMoreWhenTheToolIsKilledInTheMiddle() throws Exception {
        openForServers();
        assertCutShort("patroni");
    }

    /** With {@code kill -9}, as soon as data are removed. Nothing completes it, and nothing else is removed but by {@code cluster down}. */
    private void assertCutShort(String engine, String... options) throws Exception {
        Path state = folder.resolve("state");
        Map<String, String> environment = Map.of("YCSB_DRILL_STATE", state.toString());
        List<String> up = new ArrayList<>(List.of("cluster", "up", engine));
        up.addAll(List.of(options));
        try (Child started = child(environment, up.toArray(String[]::new))) {
            assertThat(started.exitCode()).as(started.err()).isZero();
        }
        Path cluster = state.resolve(engine).resolve("cluster");
        Path mark = cluster.resolve("restoring");
        Files.writeString(folder.resolve("w"), WORKLOAD);
        Files.writeString(
                folder.resolve("drill.yaml"), """
                name: restore
                steady: {after: 10s, window: 3s, within: 2m}
                recovery_timeout: 4m
                steps:
                  - {step: backup, operation: backup, node: NODE, at: 0s}
                  - {step: restore, operation: restore, node: all, after: backup}
                limits: {max_rpo: 2m}
                """.replace("NODE", nodes(engine).get(0)));
        try (Child drill =
                child(environment, "drill", "jdbc", "-P", "w", "-D", "drill.yaml", "-threads", "6", "-target", "200")) {
            drill.await(() -> Files.exists(mark));
            drill.signal("KILL");
            assertThat(drill.exitCode()).isEqualTo(128 + 9);
        }
        String why = "a restore was cut short, or is under way (of " + (engine.equals("ndb") ? "BACKUP-1" : "backup-");

        assertSays(environment, why, "cluster", "status");
        for (String node : nodes(engine)) {
            assertSays(environment, why, "cluster", "start", node);
        }
        assertSays(environment, why, "cluster", "heal");
        // A cluster of which nothing runs is used by no drill.
        String unused = "none of the nodes of the galera cluster";
        assertSays(environment, engine.equals("galera") ? unused : why, "drill", "jdbc", "-P", "w", "-D", "drill.yaml");
        assertThat(mark).exists();
        try (Child doctor = child(environment, "doctor")) {
            doctor.exitCode();
            assertThat(doctor.out()).contains(why);
        }
        try (Child down = child(environment, "cluster", "down", engine)) {
            assertThat(down.exitCode()).as(down.err()).isZero();
        }
        assertThat(cluster).doesNotExist();
    }

    private static List<String> nodes(String engine) {
        return engine.equals("ndb") ? List.of("1", "2", "3") : List.of("node1", "node2", "node3");
    }

    private void assertSays(Map<String, String> environment, String text, String... command) throws Exception {
        try (Child child = child(environment, command)) {
            assertThat(child.exitCode()).as(child.out() + child.err()).isNotZero();
            assertThat(child.out() + child.err()).contains(text);
        }
    }

    private Child child(Map<String, String> environment, String... command) throws IOException {
        return new Child(folder, environment, Child.ycsb(command));
    }

    /** PostgreSQL does not run as root, and its user has to reach the cluster. */
    private void openForServers() throws IOException {
        TestedPatroni.home();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }

    /** The newer of both backups becomes a copy of the older one. */
    private String older() {
        return "cd " + folder.resolve("c/node1") + " && set -- backup-* && rm -rf \"$2\" && cp -a \"$1\" \"$2\"";
    }

    private static void assertOnlyWhatFollowedIsGone(JsonNode audit) {
        Audits.assertNothingLost(audit);
        assertThat(audit.at("/restore/gone").asLong()).as("%s", audit).isPositive();
        assertThat(audit.at("/restore/rpoSeconds").asDouble())
                .as("%s", audit)
                .isPositive()
                .isLessThanOrEqualTo(audit.at("/restore/rpoAtMostSeconds").asDouble());
    }

    private static void assertMoreIsLost(JsonNode audit) {
        assertThat(audit.path("ackedLost").asLong()).as("%s", audit).isPositive();
        assertThat(audit.at("/restore/rpoSeconds").asDouble())
                .as("%s", audit)
                .isGreaterThan(audit.at("/restore/rpoAtMostSeconds").asDouble());
    }

    /**
     * Returns what the audit has found.
     *
     * @param between a line for the shell between the backup and the loss
     */
    private JsonNode drill(
            LocalEngine engine, Map<String, String> options, String binding, String between, int expected)
            throws IOException {
        LocalCluster cluster = engine.up(folder.resolve("c"), options, Lifetime.OWNED, line -> {});
        try {
            World world = new World(folder).with(engine);
            world.clusters().write(cluster.descriptor());
            world.file("w", WORKLOAD);
            String done = folder.resolve("done").toString();
            world.file("drill.yaml", """
                    name: restore
                    slo: {p99: 2s, p50: 200ms}   # what is asked is what the backup has kept
                    steady: {after: 10s, window: 3s, within: 2m}
                    cooldown: 10s
                    recovery_timeout: 4m
                    steps:
                      - {step: older, operation: backup, node: %3$s, at: 0s}
                      - {step: backup, operation: backup, node: %3$s, after: older, delay: 5s}
                      - step: between
                        fault: run
                        node: %3$s
                        shell: true
                        command: '%1$s && touch %2$s'
                        verify: test -e %2$s
                        heal: rm -f %2$s
                        healed: test ! -e %2$s
                        duration: 1s
                        after: backup
                      - {step: restore, operation: restore, node: all, after: between, delay: 5s}
                    limits: {acked_lost: 0, max_rpo: 2m}
                    """.formatted(
                            between, done, nodes(engine.name()).get(0)));

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
                    "200",
                    "--window",
                    "1s",
                    "--out",
                    "out");

            assertThat(exitCode).as(world.err() + world.out()).isEqualTo(expected);
            Markers.assertEveryFaultWasEffective(world.directory().resolve("out"));
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
            assertThat(folder.resolve("c/restoring")).doesNotExist();
            return new ObjectMapper()
                    .readTree(world.directory().resolve("out/audit.json").toFile());
        } finally {
            cluster.down();
        }
    }
}
