package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Restorable;
import io.ycsbdrill.fault.node.ndb.mgm.ScriptedMgmd;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** All programs are scripts, which write into one file what they are asked to do; the management server's answers are scripted. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class NdbBackupsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final List<String> NODES = List.of("1", "2");

    @TempDir
    Path directory;

    private NdbFiles files;
    private Path home;
    private Path log;
    private ScriptedMgmd server;
    private NdbCluster cluster;
    private volatile String state = "STARTED";
    /** What the cluster itself calls its next backup. */
    private volatile int next = 1;

    @BeforeEach
    void up() throws IOException {
        home = Files.createDirectories(directory.resolve("home"));
        log = Files.createFile(home.resolve("log"));
        files = new NdbFiles(directory.resolve("c"));
        OwnedDirectory.claim(files.directory(), "a test");
        for (Path folder : List.of(files.run(), files.output("").getParent(), home.resolve("bin"))) {
            Files.createDirectories(folder);
        }
        for (String server : List.of("ndbmtd", "ndb_mgmd")) {
            Files.copy(Path.of("/bin/sleep"), home.resolve(server), StandardCopyOption.COPY_ATTRIBUTES);
        }
        script("ndb_mgmd", "exec " + home.resolve("ndb_mgmd") + " 600");
        script("ndbmtd", "echo \"start $*\" >>" + log + "; " + home.resolve("ndbmtd") + " 600 & wait");
        script(
                "ndb_restore",
                "echo \"restore $*\" >>" + log + "; echo read; [ ! -e " + home.resolve("full")
                        + " ] || { echo 'no memory is left'; exit 1; }");
        Files.writeString(files.config(), NdbConfig.cluster(NdbOptions.parse(Map.of("data-nodes", "2")), files, 1));
        server = new ScriptedMgmd(this::answer);
        cluster = open();
        new NdbPrograms(new NdbHome(home), files).startManagement();
        for (String node : NODES) {
            Files.createDirectories(cluster.data(node));
            Files.writeString(cluster.data(node).resolve("rows"), "those of " + node);
            cluster.start(node);
        }
        Files.writeString(log, "");
    }

    private void script(String name, String line) throws IOException {
        Path program = Files.writeString(home.resolve("bin").resolve(name), "#!/bin/sh\n" + line + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private NdbCluster open() {
        Map<String, String> state =
                Map.of("connectstring", server.address(), "home", home.toString(), "dataNodes", "2", "replicas", "2");
        return new NdbCluster(
                new ClusterDescriptor("ndb", files.directory(), Instant.EPOCH, "9.7.2", Map.of(), state),
                new NdbPrograms(new NdbHome(home), files),
                files,
                null);
    }

    @AfterEach
    void down() throws IOException {
        cluster.close();
        NODES.forEach(node -> new NdbPrograms(new NdbHome(home), files).killNode(Integer.parseInt(node)));
        PidFile.allRunning(files.run()).forEach(process -> {
            process.kill();
            process.awaitEnd(10_000);
        });
        server.close();
    }

    private String answer(List<String> request) {
        String what = request.get(0);
        if (what.equals("start backup")) {
            int number = request.size() == 4 ? Integer.parseInt(request.get(3).replace("backupid: ", "")) : next++;
            NODES.forEach(node -> make(Integer.parseInt(node), number));
            return "start backup reply\nresult: Ok\nid: " + number + "\n\n";
        }
        if (what.endsWith(" single user")) {
            state = what.startsWith("enter") ? "SINGLE USER MODE" : "STARTED";
            done(String.join(" ", request));
            return what + " reply\nresult: Ok\n\n";
        }
        return switch (what) {
            case "set clientversion" -> "set clientversion reply\nresult: Ok\n\n";
            case "get status" ->
                "node status\nnodes: 2\nnode.1.type: NDB\nnode.1.status: " + state
                        + "\nnode.1.dynamic_id: 1\nnode.2.type: NDB\nnode.2.status: " + state
                        + "\nnode.2.dynamic_id: 2\n\n";
            default -> "listen event\nresult: 0\n\n";
        };
    }

    /** The node's part, as NDB makes it. */
    private void make(int node, int number) {
        try {
            Path part = Files.createDirectories(files.backups(node).resolve("BACKUP-" + number));
            Files.writeString(part.resolve("BACKUP-" + number + "." + node + ".ctl"), "tables");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void done(String what) {
        try {
            Files.writeString(log, what + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> done() throws IOException {
        return Files.readString(log)
                .replace(files.directory().toString(), "C")
                .replace(server.address(), "MGMD")
                .lines()
                .toList();
    }

    private Restorable restorable() {
        return cluster.capability(Restorable.class).orElseThrow();
    }

    private void backUp() {
        cluster.capability(Backupable.class).orElseThrow().backUp("2");
    }

    @Test
    void eachPartIsPutBackByTheOnlyClientAndThenTheOthersAreLetIn() throws IOException {
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        backUp();
        cluster.listen(events::add);

        NODES.forEach(restorable()::lose);
        NODES.forEach(restorable()::restore);

        String part = "restore --no-defaults --ndb-connectstring=MGMD --ndb-nodeid=211 --nodeid=%1$s --backupid=1"
                + " --backup-path=C/node%1$s/BACKUP/BACKUP-1 --exclude-databases=mysql ";
        assertThat(done())
                .containsExactly(
                        "start --defaults-file=C/ndbmtd.cnf --ndb-nodeid=1 --nodaemon --initial",
                        "start --defaults-file=C/ndbmtd.cnf --ndb-nodeid=2 --nodaemon --initial",
                        "enter single user nodeId: 211",
                        part.formatted("1") + "--restore-meta --restore-data --disable-indexes",
                        part.formatted("2") + "--restore-data --disable-indexes",
                        part.formatted("1") + "--rebuild-indexes",
                        "exit single user");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(cluster.incomplete()).isEmpty();
        NODES.forEach(node -> assertThat(cluster.data(node).resolve("rows")).doesNotExist());
        NodeLocks.await(BOUND, () -> count(events, Signal.RECOVERED) == 2, () -> "no recovery in " + events);
        assertThat(events)
                .extracting(EngineEvent::signal)
                .filteredOn(signal -> signal == Signal.RESTORED || signal == Signal.RECOVERED)
                .containsExactly(Signal.RESTORED, Signal.RECOVERED, Signal.RECOVERED);
    }

    private static long count(List<EngineEvent> events, Signal signal) {
        return events.stream().filter(event -> event.signal() == signal).count();
    }

    /** Else people would read an empty cluster for a recovered one, and clients would write into tables that are half there. */
    @Test
    void whenAPartCannotBePutBackNobodyIsLetInAndNoNodeIsStarted() throws IOException {
        Files.createFile(home.resolve("full"));
        backUp();
        NODES.forEach(restorable()::lose);

        assertThatThrownBy(() -> restorable().restore("1"))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("ndb_restore of the part of node 1 ended with exit status 1; it printed at last: \"read\n"
                        + "no memory is left\"");

        assertThat(done()).contains("enter single user nodeId: 211").doesNotContain("exit single user");
        cluster.close();
        cluster = open();
        assertThat(cluster.status())
                .extracting(NodeStatus::state, NodeStatus::detail)
                .containsOnly(tuple(State.STARTING, "SINGLE USER MODE, without its data"));
        String why = cluster.incomplete().orElseThrow();
        assertThat(why).startsWith("a restore was cut short, or is under way (of BACKUP-1 of 1, begun at ");
        assertThat(new Healer(cluster, HealRecord.inMemory(), BOUND, line -> {}).heal())
                .containsExactly(
                        "not every node has recovered: 1 STARTING (SINGLE USER MODE, without its data), 2 STARTING"
                                + " (SINGLE USER MODE, without its data); " + why);
        for (String node : NODES) {
            assertThatThrownBy(() -> cluster.start(node)).hasMessage(why);
            assertThatThrownBy(() -> cluster.startInitial(node)).hasMessage(why);
        }
    }

    /** After an initial start the cluster counts from 1 again, and finds the files of before. */
    @Test
    void aBackupHasANumberThatNoEarlierOneHas() {
        backUp();
        next = 1;
        backUp();
        make(2, 7);
        backUp();

        assertThat(server.requests)
                .filteredOn(request -> request.get(0).equals("start backup"))
                .extracting(request -> request.get(request.size() - 1))
                .containsExactly("backuppoint: 0", "backupid: 2", "backupid: 8");
    }

    @Test
    void aBackupOfWhichAPartIsGoneIsNotRestored() throws IOException {
        backUp();
        Files.delete(files.backups(2).resolve("BACKUP-1").resolve("BACKUP-1.2.ctl"));

        assertThatThrownBy(() -> restorable().lose("1")).hasMessageContaining("no complete backup");
        assertThat(cluster.process("1")).isPresent();
    }

    @Test
    void aNodeWhoseAngelRunsIsNotEmptied() throws IOException {
        backUp();
        NODES.forEach(restorable()::lose);
        cluster.start("2");

        assertThatThrownBy(() -> restorable().restore("1")).hasMessage("2 is up again, so no data is removed");
        assertThat(cluster.data("1").resolve("rows")).hasContent("those of 1");
        assertThat(cluster.incomplete()).isEmpty();
    }

    /** Also before the node is brought down: the cluster asks its data nodes. */
    @Test
    void theLastCopyIsNeitherBroughtDownNorRemoved() {
        cluster.checkInitial("1");
        state = "STARTING";

        assertThatThrownBy(() -> cluster.checkInitial("1"))
                .hasMessageStartingWith("no other node serves from which 1 could copy the data");
    }

    @Test
    void whatIsMissingIsSaidBeforeTheDrill() throws IOException {
        assertThat(restorable().restoreLacks()).isEmpty();

        Files.delete(home.resolve("bin").resolve("ndb_restore"));
        assertThat(restorable().restoreLacks())
                .contains("a restore of NDB needs the program ndb_restore: ndb_restore not found in " + home);
        String config = Files.readString(files.config());
        Files.writeString(files.config(), config.replace("NodeId=211\n", "NodeId=212\n"));
        assertThat(restorable().restoreLacks())
                .contains("the NDB cluster has no node id for ndb_restore, as another version has started it; take it"
                        + " down and start it again");
        Files.writeString(
                files.config(),
                NdbConfig.cluster(NdbOptions.parse(Map.of("data-nodes", "2", "spare-nodes", "2")), files, 1));
        assertThat(restorable().restoreLacks())
                .contains("a cluster of NDB with spare nodes is not restored, as those that have joined have no node"
                        + " group after an initial start; start one without --spare-nodes");
    }
}
