package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeOperations;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.FileDamage;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Operations on the data nodes of a local cluster. A node is two processes, angel and worker, so that its operations differ
 * from those of other engines' nodes; stops go through the management server. Thread-safe.
 */
record DataNodes(NdbCluster cluster, NdbPrograms programs, NdbFiles files) implements NodeOperations {
    private static final Duration ANGEL_BOUND = Duration.ofSeconds(20);
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(5);
    private static final Duration SIGNAL_POLL = Duration.ofMillis(2);

    @Override
    public void kill(String node) {
        cluster.exclusively(node, () -> {
            int id = Integer.parseInt(node);
            if (programs.angel(id).isEmpty()) {
                requireDown(id);
            }
            programs.killNode(id);
        });
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        cluster.exclusively(node, () -> {
            int id = Integer.parseInt(node);
            Optional<OsProcess> angel = programs.angel(id);
            if (angel.isEmpty()) {
                requireDown(id);
                return;
            }
            long deadline = System.nanoTime() + bound.toNanos();
            Optional<OsProcess> worker = programs.worker(id);
            cluster.client().stop(id, mode == Mode.ABORT, bound);
            long left = Math.max(TimeUnit.SECONDS.toNanos(1), deadline - System.nanoTime());
            for (OsProcess process : List.of(worker.orElse(angel.get()), angel.get())) {
                NodeLocks.await(
                        Duration.ofNanos(left),
                        () -> !process.alive(),
                        () -> "node " + node + " did not end within " + bound.toSeconds() + " s of a stop (" + mode
                                + ") that the management server confirmed; pid " + process.pid()
                                + " is still running; " + programs.logs(id));
            }
        });
    }

    @Override
    public void start(String node) {
        cluster.exclusively(node, () -> {
            cluster.requireComplete();
            int id = Integer.parseInt(node);
            if (programs.angel(id).isEmpty()) {
                requireDown(id);
            }
            // An initial start was cut off when the files were removed: it is completed.
            boolean empty = !runs(id) && !Files.isDirectory(files.fileSystem(id));
            if (empty) {
                removeFiles(id);
            }
            launch(id, empty);
        });
    }

    /** The only data node of a cluster may be emptied: nobody expects a copy. */
    @Override
    public void checkInitial(String node) {
        if (cluster.client().dataNodes().size() > 1) {
            cluster.requireCopy(node);
        }
    }

    @Override
    public void startInitial(String node) {
        cluster.exclusively(node, () -> {
            cluster.requireComplete();
            checkInitial(node);
            int id = Integer.parseInt(node);
            if (runs(id)) {
                throw new NodeControlException(
                        "node " + node + " is running; its files can be removed only when it is down");
            }
            requireDown(id);
            DirectoryUsers.requireUnused("node " + node, files.fileSystem(id));
            removeFiles(id);
            launch(id, true);
        });
    }

    private void removeFiles(int id) {
        NodeIo.run("the files of node " + id + " in " + files.fileSystem(id) + " cannot be removed", () -> {
            OwnedDirectory.deletePart(files.fileSystem(id));
            FileDamage.removed(cluster.directory(), Integer.toString(id));
        });
    }

    /**
     * Whether the node has a worker. An angel without one is on its way out, or starts the next one: it is waited for, and
     * ended when it does neither.
     */
    private boolean runs(int node) {
        Optional<OsProcess> angel = programs.angel(node);
        if (angel.isEmpty()) {
            return false;
        }
        boolean settled = NodeLocks.holds(
                ANGEL_BOUND, () -> !angel.get().alive() || programs.worker(node).isPresent());
        if (!settled) {
            programs.killNode(node);
        }
        return programs.worker(node).isPresent();
    }

    private void requireDown(int node) {
        DirectoryUsers.requireDown("node " + node, files.data(node), files.pid(NdbPrograms.nodeName(node)));
    }

    /** Starts the node unless it runs; the caller has its lock. */
    void launch(int node, boolean initial) {
        if (runs(node)) {
            return;
        }
        OsProcess worker = programs.startNode(node, initial);
        cluster.watch()
                .ifPresent(w -> w.processStep(
                        node,
                        "process started" + (initial ? " without files (--initial)" : "") + ", pid " + worker.pid()));
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        cluster.awaitDataNode(node, bound);
    }

    @Override
    public void pause(String node) {
        cluster.exclusively(node, () -> {
            OsProcess worker = programs.worker(Integer.parseInt(node))
                    .orElseThrow(
                            () -> new NodeControlException("node " + node + " cannot be paused: it has no process"));
            signal(node, worker, "STOP", true);
        });
    }

    @Override
    public void resume(String node) {
        cluster.exclusively(node, () -> {
            int id = Integer.parseInt(node);
            if (programs.angel(id).isEmpty()) {
                requireDown(id);
            }
            programs.worker(id).filter(OsProcess::stopped).ifPresent(worker -> signal(node, worker, "CONT", false));
        });
    }

    private static void signal(String node, OsProcess worker, String signal, boolean stopped) {
        worker.signal(signal);
        NodeLocks.await(
                SIGNAL_BOUND,
                SIGNAL_POLL,
                () -> !worker.alive() || worker.stopped() == stopped,
                () -> "node " + node + " (pid " + worker.pid() + ") "
                        + (stopped ? "did not stop after SIGSTOP" : "is still stopped after SIGCONT"));
    }
}
