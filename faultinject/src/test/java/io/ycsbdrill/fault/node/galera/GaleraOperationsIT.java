package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.TestedInstallations;
import io.ycsbdrill.fault.node.Upgradable;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to a real cluster for maintenance. */
@Tag("engine")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GaleraOperationsIT {
    private static final String NO_BACKUP = "this Galera has no mariadb-backup, of the package of that name";

    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        GaleraHome home = TestedGalera.home();
        cluster = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of(
                                "spare-nodes",
                                "1",
                                "buffer-pool",
                                "32M",
                                "gcache",
                                "16M",
                                "galera-home",
                                home.root().toString()),
                        Lifetime.OWNED,
                        line -> {});
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static String change(String setting, String where) {
        return "- {step: change, operation: rolling-config, set: {%s}, node: %s, at: 0s, every: 0s, count: all}"
                .formatted(setting, where);
    }

    @Test
    @Order(1)
    void settingIsChangedNodeByNode() throws Exception {
        RealDrill drill = RealDrill.run(cluster, change("innodb-lru-scan-depth: 2K", "rolling"));

        assertThat(drill.effects())
                .containsExactly(
                        "node1 reports innodb-lru-scan-depth=2048",
                        "node2 reports innodb-lru-scan-depth=2048",
                        "node3 reports innodb-lru-scan-depth=2048");
        List.of("node1", "node2", "node3").forEach(node -> assertThat(drill.phases("change", node))
                .startsWith(Phase.FAULT, Phase.FAILURE_HANDLING, Phase.DOWN, Phase.LOCAL_RECOVERY)
                .endsWith(Phase.RECOVERED));
    }

    @Test
    @Order(2)
    void whatCannotBeChangedIsRefusedBeforeTheDrill() throws Exception {
        assertThat(RealDrill.problems(cluster, change("innodb_lru_scan_depth: 2048", "rolling")))
                .singleElement()
                .asString()
                .contains("innodb_lru_scan_depth is 2048 on every node already");
        assertThat(RealDrill.problems(cluster, change("no_such_thing: 1", "rolling")))
                .singleElement()
                .asString()
                .contains("node node1, node2, node3 has no setting no_such_thing");
        assertThat(RealDrill.problems(cluster, change("Port: 1", "rolling")))
                .singleElement()
                .asString()
                .contains("Port is what the cluster is made with");
        assertThat(RealDrill.problems(cluster, change("sql_mode: \"a\\nport=1\"", "rolling")))
                .singleElement()
                .asString()
                .contains("expected 1 to 128 letters");
    }

    @Test
    @Order(2)
    void backupIsCompleteAndCanBePrepared() throws Exception {
        GaleraHome home = TestedGalera.home();
        assumeTrue(home.program("mariadb-backup").isPresent(), NO_BACKUP);

        RealDrill drill = RealDrill.run(cluster, "- {step: save, operation: backup, node: node2, at: 0s}");

        assertThat(drill.effects()).singleElement().asString().startsWith("backup of node2 is complete, in ");
        String to = drill.effects().get(0).replaceFirst(".* in ", "");
        ProgramOutput prepared = ProgramOutput.of(
                List.of(home.required("mariadb-backup"), "--prepare", "--target-dir=" + to),
                home.environment(System.getenv()),
                Duration.ofMinutes(2));
        assertThat(prepared.exit()).as(prepared.text()).isZero();
        assertThat(Path.of(to, "ibdata1")).isNotEmptyFile();
        assertThat(drill.phases("save", "node2")).containsExactly(Phase.FAULT, Phase.RECOVERED);
    }

    @Test
    @Order(3)
    void nodeThatDoesNotStartHasItsFormerSettingsAgain() throws Exception {
        Path options = folder.resolve("c/node2.cnf");
        String before = Files.readString(options);

        RealDrill drill = RealDrill.failing(cluster, change("innodb_page_size: 12345", "node2"));

        assertThat(drill.failures())
                .singleElement()
                .asString()
                .contains("could not be restarted with {innodb_page_size=12345} and is as before again");
        assertThat(options).hasContent(before);
    }

    @Test
    @Order(4)
    void fourthNodeJoinsWithACopyOfEverything() throws Exception {
        RealDrill drill = RealDrill.run(cluster, "- {operation: add-node, node: node4, at: 0s}");

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2", "node3", "node4");
        assertThat(drill.effects()).containsExactly("the other nodes have node4 among them");
        assertThat(drill.phases("add-node", "node4"))
                .startsWith(Phase.FAULT, Phase.LOCAL_RECOVERY, Phase.SYNCHRONISE)
                .endsWith(Phase.RECOVERED);
    }

    @Test
    @Order(5)
    void memberLeavesAndTheRestComeBackWithoutIt() throws Exception {
        RealDrill drill = RealDrill.run(cluster, "- {operation: remove-node, node: node2, at: 0s}");

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node3", "node4");
        assertThat(drill.phases("remove-node", "node2"))
                .containsExactly(Phase.FAULT, Phase.FAILURE_HANDLING, Phase.DOWN);

        // After the loss of all nodes nobody waits for one that is no member.
        RealDrill.run(cluster, "- {fault: restart, mode: kill, node: all, at: 0s}");
        RealDrill.run(cluster, "- {operation: add-node, node: node2, at: 0s}");
    }

    private static String upgrade(Path home) {
        return "- {operation: upgrade, home: %s, node: rolling, at: 0s, every: 0s, count: all}".formatted(home);
    }

    @Test
    @Order(6)
    void nodesAreMovedOntoAnotherInstallation() throws Exception {
        Path next = TestedInstallations.copy(TestedGalera.home().root(), folder.resolve("next"));

        RealDrill drill = RealDrill.run(cluster, upgrade(next));

        assertThat(drill.effects())
                .containsExactly(
                        "node1 runs " + next + "/usr/sbin/mariadbd",
                        "node2 runs " + next + "/usr/sbin/mariadbd",
                        "node3 runs " + next + "/usr/sbin/mariadbd",
                        "node4 runs " + next + "/usr/sbin/mariadbd");
        assertThat(RealDrill.problems(cluster, upgrade(next)))
                .singleElement()
                .asString()
                .contains("every node runs from " + next + " already");
        try (LocalCluster later = new GaleraEngine().attach(cluster.descriptor())) {
            Upgradable upgradable = later.capability(Upgradable.class).orElseThrow();
            later.capability(Killable.class).orElseThrow().kill("node2");
            later.capability(Startable.class).orElseThrow().start("node2");
            later.capability(Startable.class).orElseThrow().awaitStarted("node2", Duration.ofMinutes(3));
            assertThat(upgradable.lookForInstallation("node2", next).effect())
                    .as("also when another process starts it again")
                    .isTrue();
        }
    }

    @Test
    @Order(7)
    void aBackupAfterAnUpgradeIsMadeByTheNextInstallation() throws Exception {
        Path next = folder.resolve("next");
        Path program = new GaleraHome(next).program("mariadb-backup").orElse(null);
        assumeTrue(program != null, NO_BACKUP);
        Path real = Files.move(program, program.resolveSibling("mariadb-backup-itself"));
        Files.writeString(program, "#!/bin/sh\necho run >\"$0.used\"\nexec " + real + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        RealDrill drill = RealDrill.run(cluster, "- {step: save, operation: backup, node: node2, at: 0s}");

        assertThat(drill.effects()).singleElement().asString().startsWith("backup of node2 is complete, in ");
        assertThat(program.resolveSibling("mariadb-backup.used")).exists();
    }

    @Test
    @Order(8)
    void whatIsNoInstallationIsRefusedBeforeTheDrill() throws Exception {
        assertThat(RealDrill.problems(cluster, upgrade(folder.resolve("nowhere"))))
                .singleElement()
                .asString()
                .contains("there is no folder");
        assertThat(RealDrill.problems(cluster, upgrade(folder)))
                .singleElement()
                .asString()
                .contains("is not a complete installation: missing mariadbd");
    }
}
