package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Restorable;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class RestorationTest {
    @TempDir
    Path folder;

    private static final List<String> NODES = List.of("node1", "node2", "node3");

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final Map<String, OsProcess> up = new ConcurrentHashMap<>();
    private final List<Process> processes = new ArrayList<>();
    private Path directory;
    private Path backup;
    private String of = "node2";
    private boolean made = true;
    private boolean breaks;
    private boolean serves = true;
    private boolean lacks;
    private boolean interrupts;
    /** Happens after everything was checked. */
    private volatile Callable<Void> lastly = () -> null;

    @BeforeEach
    void threeNodesWithData() throws IOException {
        directory = folder.resolve("cluster");
        OwnedDirectory.claim(directory, "a test");
        backup = Files.createDirectory(directory.resolve("backup-1"));
        for (String node : NODES) {
            Files.createDirectory(directory.resolve(node));
            Files.writeString(directory.resolve(node).resolve("rows"), "those of " + node);
        }
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void theNodeOfTheBackupIsFirstAndTheOthersCopyFromIt() {
        Restored cluster = new Restored();
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        cluster.begin();
        cluster.listen(events::add);

        restoreAll(cluster);
        NodeLocks.await(Duration.ofSeconds(20), () -> !events.isEmpty(), () -> "nothing was told");

        assertThat(done)
                .containsExactly(
                        "put back on node2",
                        "launched node2 with rows of the backup",
                        "node2 serves",
                        "launched node1 empty",
                        "node2 serves",
                        "launched node3 empty");
        assertThat(mark()).doesNotExist();
        cluster.close();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.signal()).isEqualTo(EngineEvent.Signal.RESTORED);
            assertThat(event.node()).isEqualTo("node2");
            assertThat(event.text()).startsWith("the data of all nodes was removed; the backup backup-1 was put back");
        });
    }

    @Test
    void threeThreadsRemoveTheDataOnce() throws Exception {
        Restored cluster = new Restored();
        Restorable restore = restorable(cluster);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> calls = new ArrayList<>();
        for (String node : NODES) {
            calls.add(threads.submit(() -> {
                restore.lose(node);
                restore.restore(node);
            }));
        }
        for (Future<?> call : calls) {
            call.get();
        }
        threads.shutdown();

        assertThat(done)
                .containsOnlyOnce("put back on node2", "launched node2 with rows of the backup")
                .containsOnlyOnce("launched node1 empty", "launched node3 empty");
        assertThat(mark()).doesNotExist();
    }

    /** The tool was killed while the backup was put back: the data of all are gone. */
    @Test
    void whatWasCutShortIsNeverCompleted() throws IOException {
        Restored cluster = new Restored();
        breaks = true;
        assertThatThrownBy(() -> restoreAll(cluster)).hasMessage("killed");
        breaks = false;
        done.clear();
        Files.writeString(directory.resolve("node1").resolve("rows"), "of a user");

        assertNothingIsStarted();

        assertThat(directory.resolve("node1").resolve("rows")).hasContent("of a user");
    }

    /** The tool was killed when the first node ran: it may have taken new data since, and be down again. */
    @Test
    void aNodeThatRanAfterwardsIsNotEmptiedByAnyStart() throws IOException {
        Restored cluster = new Restored();
        serves = false;
        assertThatThrownBy(() -> restoreAll(cluster))
                .hasMessageStartingWith(
                        "the restored node2 has not come up (node2 does not serve); a restore was cut short");
        assertThat(up).containsKey("node2");
        done.clear();
        Files.writeString(directory.resolve("node2").resolve("rows"), "new ones");

        assertNothingIsStarted();
        up.clear();
        assertNothingIsStarted();

        assertThat(directory.resolve("node2").resolve("rows")).hasContent("new ones");
    }

    private void assertNothingIsStarted() {
        Restored later = new Restored();
        assertThat(later.incomplete()).hasValueSatisfying(why -> assertThat(why)
                .matches(
                        "a restore was cut short, or is under way \\(of backup-1 of node2, begun at \\d{4}-.*Z\\): data of"
                                + " this cluster are incomplete, and no node is started; take it down \\(ycsb cluster down\\)"
                                + " and begin anew; if a node still runs, copy what you need from it first"));
        for (String node : NODES) {
            assertThatThrownBy(() -> later.start(node))
                    .hasMessage(later.incomplete().orElseThrow());
            assertThatThrownBy(() -> later.startInitial(node))
                    .hasMessage(later.incomplete().orElseThrow());
        }
        FaultSchedule drill = FaultSchedule.named("drill")
                .step(ScheduledFault.step("kill", new KillNode())
                        .on(new NodeSelector.Named(List.of("node1")))
                        .at(Duration.ZERO))
                .build();
        assertThat(ScheduleCheck.problems(drill, later))
                .contains(later.incomplete().orElseThrow());
        NODES.forEach(node -> restorable(later).lose(node));
        assertThatThrownBy(() -> restorable(later).restore("node1"))
                .hasMessage(later.incomplete().orElseThrow());
        assertThat(done).isEmpty();
    }

    /** From then on the cluster has all its data, and empty nodes copy them, whoever starts them. */
    @Test
    void whenTheFirstNodeServesItIsComplete() {
        Restored cluster = new Restored();
        Restorable restore = restorable(cluster);
        NODES.forEach(restore::lose);
        restore.restore("node2");
        assertThat(mark()).exists();
        restore.restore("node1");
        assertThat(mark()).doesNotExist();

        new Restored().start("node3");

        assertThat(done).endsWith("launched node3 empty");
    }

    @Test
    void withoutACompleteBackupNoNodeIsKilled() throws IOException {
        launchAll();
        made = false;
        assertNothingIsLost();
        made = true;
        backup = directory.resolve("backup-2");
        assertNothingIsLost(); // people free disk space
        backup = Files.createDirectory(folder.resolve("elsewhere"));
        assertNothingIsLost();
        backup = Files.createDirectory(directory.resolve("node3").resolve("backup-1"));
        assertNothingIsLost(); // the removal would take it
        backup = Files.createSymbolicLink(directory.resolve("link"), folder.resolve("elsewhere"));
        assertNothingIsLost();
        backup = directory.resolve("backup-1");
        of = "node4";
        assertNothingIsLost(); // it has left the cluster
    }

    private void assertNothingIsLost() {
        assertThatThrownBy(() -> restorable(new Restored()).lose("node1"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageStartingWith(
                        "no complete backup that this controller has made, of a node that is a member, is" + " left in "
                                + directory);
        assertThat(up).containsKey("node1");
    }

    @Test
    void aBackupThatIsGoneWhenAllAreDownRemovesNothing() throws IOException {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        Files.delete(directory.resolve("backup-1"));

        assertRefused(cluster, "no complete backup that this controller has made");
    }

    @Test
    void aNodeThatIsUpAgainRemovesNothing() {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        new Restored().start("node3");

        assertRefused(cluster, "node3 is up again, so no data is removed");
    }

    @Test
    void aProcessThatUsesADirectoryRemovesNothing() throws IOException {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        processes.add(new ProcessBuilder("sleep", "60")
                .directory(directory.resolve("node3").toFile())
                .start());

        assertRefused(cluster, "the data of node3, which stays as it is; end the process first");
    }

    @Test
    void aDirectoryThatIsNotOursRemovesNothing() throws IOException {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        Files.delete(directory.resolve(OwnedDirectory.MARKER));

        assertRefused(cluster, "the data of node1 cannot be removed, and no data is: ");
    }

    /** People move a large directory to another disk. */
    @Test
    void aDirectoryBehindALinkRemovesNothing() throws IOException {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        Files.move(directory.resolve("node3"), folder.resolve("bigger"));
        Files.createSymbolicLink(directory.resolve("node3"), folder.resolve("bigger"));

        assertRefused(cluster, "the data of node3 cannot be removed, and no data is: ");
    }

    /** What fails in the middle of the removal has removed something already. */
    @Test
    void theMarkIsThereBeforeTheFirstFileIsRemoved() throws IOException {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        lastly = () -> {
            Files.move(directory.resolve("node3"), folder.resolve("bigger"));
            Files.createSymbolicLink(directory.resolve("node3"), folder.resolve("bigger"));
            return null;
        };

        assertThatThrownBy(() -> restorable(cluster).restore("node1"))
                .hasMessageContaining("files of node3 cannot be removed");

        assertThat(directory.resolve("node1")).isEmptyDirectory();
        assertThat(folder.resolve("bigger").resolve("rows")).hasContent("those of node3");
        assertNothingIsStarted();
    }

    @Test
    void whatIsRefusedForOneNodeIsNotDoneForTheNext() throws Exception {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        CountDownLatch checked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        lastly = () -> {
            checked.countDown();
            go.await();
            throw new NodeControlException("refused");
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Future<?> one = threads.submit(() -> restorable(cluster).restore("node1"));
        checked.await();
        Thread[] waiting = new Thread[1];
        Future<?> two = threads.submit(() -> {
            waiting[0] = Thread.currentThread();
            restorable(cluster).restore("node2");
        });
        NodeLocks.await(
                Duration.ofSeconds(20),
                () -> waiting[0] != null && waiting[0].getState() == Thread.State.WAITING,
                () -> "node2 does not wait for its turn");
        lastly = () -> null;
        go.countDown();

        assertThatThrownBy(one::get).hasMessageContaining("refused");
        assertThatThrownBy(two::get).hasMessageContaining("the restore has failed on another node");
        threads.shutdown();
        assertKept();
    }

    /** It may be starting the node. */
    @Test
    void whileAnotherOperationIsUnderWayOnANodeNothingIsRemoved() throws Exception {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        Thread restoring = new Thread(() -> restorable(cluster).restore("node1"), "restoring");
        cluster.exclusively("node3", () -> {
            restoring.start();
            NodeLocks.await(
                    Duration.ofSeconds(20),
                    () -> restoring.getState() == Thread.State.WAITING || !restoring.isAlive(),
                    () -> "it does not wait");
            assertKept();
        });
        restoring.join();
        assertThat(done).startsWith("put back on node2");
    }

    @Test
    void aNodeThatThisHasNotKilledRemovesNothing() throws Exception {
        Restored cluster = new Restored();
        restorable(cluster).lose("node1");
        restorable(cluster).lose("node2");
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Thread restoring = new Thread(() -> restorable(cluster).restore("node1"), "restoring");
        restoring.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        restoring.start();
        NodeLocks.await(
                Duration.ofSeconds(20),
                () -> restoring.getState() == Thread.State.TIMED_WAITING || !restoring.isAlive(),
                () -> "it does not wait");
        restoring.interrupt();
        restoring.join();

        assertThat(failures).singleElement().asString().contains("interrupted");
        assertKept();
    }

    @Test
    void aDrillThatIsStoppedDuringTheCheckRemovesNothing() {
        Restored cluster = new Restored();
        interrupts = true;
        NODES.forEach(restorable(cluster)::lose);

        assertRefused(cluster, "interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Of a restore in which not each node was asked for. */
    @Test
    void aSecondRestoreBeginsAnew() {
        Restored cluster = new Restored();
        NODES.forEach(restorable(cluster)::lose);
        restorable(cluster).restore("node1");
        done.clear();

        restoreAll(cluster);

        assertThat(done).startsWith("put back on node2", "launched node2 with rows of the backup");
    }

    @Test
    void whatTheEngineMissesRemovesNothing() {
        Restored cluster = new Restored();
        lacks = true;
        NODES.forEach(restorable(cluster)::lose);

        assertRefused(cluster, "the program is missing");
    }

    private void assertRefused(Restored cluster, String why) {
        List<String> before = List.copyOf(done);
        assertThatThrownBy(() -> restorable(cluster).restore("node1"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(why);
        assertThat(done).isEqualTo(before);
        assertKept();
        assertThat(cluster.incomplete()).isEmpty();
    }

    private void assertKept() {
        assertThat(mark()).doesNotExist();
        for (String node : NODES) {
            assertThat(directory.resolve(node).resolve("rows")).hasContent("those of " + node);
        }
    }

    @Test
    void aNodeThatIsStartedLaterKeepsItsData() throws IOException {
        restoreAll(new Restored());
        Files.writeString(directory.resolve("node1").resolve("rows"), "copied");
        up.remove("node1");
        done.clear();

        new Restored().start("node1");

        assertThat(done).containsExactly("launched node1 with copied");
    }

    private Path mark() {
        return directory.resolve("restoring");
    }

    private void launchAll() {
        NODES.forEach(new Restored()::start);
    }

    private static void restoreAll(Restored cluster) {
        NODES.forEach(restorable(cluster)::lose);
        NODES.forEach(restorable(cluster)::restore);
    }

    private static Restorable restorable(Restored cluster) {
        return cluster.capability(Restorable.class).orElseThrow();
    }

    private final class Restored extends ScriptedCluster implements Restoring {
        Restored() {
            super(directory, Members.numbered(directory, 3));
        }

        /** Knows of no node. */
        @Override
        protected ProcessHistory history() {
            return new ProcessHistory() {
                @Override
                public boolean running(String node) {
                    return false;
                }

                @Override
                public boolean recovered(String node) {
                    return false;
                }
            };
        }

        @Override
        public void backUp(String node) {}

        @Override
        public Optional<Backup> lastBackup() {
            return Optional.of(new Backup(of, backup)).filter(last -> made);
        }

        @Override
        public void checkPutBack(Backup from) {
            try {
                lastly.call();
            } catch (NodeControlException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            if (interrupts) {
                Thread.currentThread().interrupt();
            }
            if (lacks) {
                throw new NodeControlException("the program is missing");
            }
        }

        @Override
        public boolean putBack(Backup from) {
            if (breaks) {
                throw new NodeControlException("killed");
            }
            NODES.forEach(node -> assertThat(data(node)).isEmptyDirectory());
            assertThat(mark()).exists();
            done.add("put back on " + from.node());
            try {
                Files.writeString(data(from.node()).resolve("rows"), "rows of the backup");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return false;
        }

        @Override
        public Optional<OsProcess> process(String node) {
            return Optional.ofNullable(up.get(node)).filter(OsProcess::alive);
        }

        @Override
        protected Process launch(String node, boolean empty) {
            try {
                Process process = new ProcessBuilder("sleep", "60").start();
                processes.add(process);
                up.put(node, OsProcess.started(process, "sleep"));
                Path rows = data(node).resolve("rows");
                done.add("launched " + node
                        + (Files.exists(rows) ? " with " + Files.readString(rows) : empty ? " empty" : " wrongly"));
                return process;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected NodeStatus status(String node, OsProcess process) {
            return status(node, NodeStatus.State.STARTED, "", process);
        }

        @Override
        protected boolean reported(String node, Process launched) {
            return true;
        }

        @Override
        public void awaitStarted(String node, Duration bound) {
            if (!serves) {
                throw new NodeControlException(node + " does not serve");
            }
            done.add(node + " serves");
        }
    }
}
