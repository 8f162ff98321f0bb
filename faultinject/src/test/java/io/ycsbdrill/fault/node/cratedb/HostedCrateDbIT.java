package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.TestedInventory;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.os.RunAs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers that are watched over HTTP and controlled by ssh alone; set {@code CRATEDB_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class HostedCrateDbIT {
    private static final Duration BOUND = Duration.ofMinutes(2);

    @TempDir
    static Path folder;

    @TempDir
    static Path keys;

    private static LocalCluster local;
    private static SshHosts hosts;
    private static HttpServers servers;

    @BeforeAll
    static void up() throws Exception {
        local = TestedCrateDb.up(folder);
        servers = HttpServers.open(List.of(
                local.descriptor().bindings().get("rest").get("rest.endpoints").split(",")));
        hosts = SshHosts.start(
                keys.resolve("ssh"), local.nodes().stream().map(NodeInfo::id).toList(), Map.of());
        TestedCrateDb.execute(
                local,
                "create table kept (k text primary key) clustered into 2 shards"
                        + " with (number_of_replicas = 2, \"unassigned.node_left.delayed_timeout\" = '2s')");
        TestedCrateDb.execute(local, "insert into kept values ('a'), ('b')");
        TestedCrateDb.awaitGreen(local);
    }

    @AfterAll
    static void down() {
        if (hosts != null) {
            hosts.close();
        }
        if (local != null) {
            local.down();
        }
    }

    /** As of the local cluster, so that it can be ended like any other. */
    private static final String RECORD = "echo $$ $(cut -d ' ' -f 22 /proc/$$/stat) java >\"$1\"; ";

    private static Inventory inventory() throws Exception {
        CrateDbFiles files = new CrateDbFiles(local.descriptor().directory());
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (NodeInfo node : local.nodes()) {
            String pid = files.pid(node.id()).toString();
            List<String> start = Stream.of(
                            Stream.of("sh", "-c", RECORD + "cd \"$2\"; shift 2; exec \"$@\"", "sh", pid),
                            Stream.of(
                                    files.node(node.id()).toString(),
                                    "env",
                                    "CRATE_HEAP_SIZE=512m",
                                    "CRATE_DISABLE_GC_LOGGING=1"),
                            Stream.of("JAVA_HOME=" + files.home().resolve("jdk")),
                            RunAs.of(local.descriptor().engineState().getOrDefault("user", "nobody")).prefix().stream(),
                            Stream.of(
                                    files.home().resolve("bin/crate").toString(),
                                    "-Cpath.conf=" + files.configuration(node.id())))
                    .flatMap(words -> words)
                    .toList();
            nodes.add(Map.of(
                    "id", node.id(),
                    "host", node.id(),
                    "pid_file", pid,
                    "data_directory", files.data(node.id()).toString(),
                    "commands", Map.of("start", start)));
        }
        return TestedInventory.of("cratedb", hosts, keys, nodes);
    }

    @Test
    void nodesGoDownAndComeBackByCommandsOnTheirHosts() throws Exception {
        List<String> ids = local.nodes().stream().map(NodeInfo::id).toList();
        try (NodeController cluster = new HostedCluster(inventory(), false, CrateDbNodes.connect(servers))) {
            assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactlyElementsOf(ids);
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            HealJournal journal = cluster.capability(HealJournal.class).orElseThrow();

            cluster.capability(Killable.class).orElseThrow().kill(ids.get(1));
            assertThat(TestedInventory.state(cluster, ids.get(1))).isEqualTo(State.DOWN);
            assertThat(journal.open(problem -> {})).containsOnlyKeys(ids.get(1));
            startable.start(ids.get(1));
            startable.awaitStarted(ids.get(1), BOUND);
            assertThat(journal.open(problem -> {})).isEmpty();

            cluster.capability(Stoppable.class).orElseThrow().stop(ids.get(2), Stoppable.Mode.GRACEFUL, BOUND);
            assertThat(TestedInventory.state(cluster, ids.get(2))).isEqualTo(State.DOWN);
            Path old = new CrateDbFiles(local.descriptor().directory())
                    .data(ids.get(2))
                    .resolve("nodes");
            Object before = Files.readAttributes(old, "unix:ino").get("ino");
            cluster.capability(Initialisable.class).orElseThrow().startInitial(ids.get(2));
            startable.awaitStarted(ids.get(2), BOUND);
            assertThat(Files.readAttributes(old, "unix:ino").get("ino")).isNotEqualTo(before);
        }
        assertThat(TestedCrateDb.execute(local, "select count(*) from kept")).contains("[[2]]");
    }
}
