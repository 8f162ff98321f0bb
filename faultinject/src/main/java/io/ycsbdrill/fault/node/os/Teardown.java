package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tears down a local cluster recorded in {@code run/*.pid} of its directory: its
 * processes, its isolated network, its watchdog, its files. A process that leads its group, as those started by {@link Launcher} do, ends with the
 * entire group. Stateless.
 */
public final class Teardown {
    private static final long KILL_BOUND_MILLIS = 10_000;

    private Teardown() {}

    /**
     * Ends a cluster, even one that was only partly started. An interrupt does not cut it short; it is kept for afterwards.
     *
     * @param directory removed with all that is in it, unless a process of it stays; need not be there
     * @param watchdog ended after the processes, and left to its work when they stay; null when there is none
     * @throws NodeControlException when processes or files stay, or nothing proves that the directory is ours; then nothing is done
     */
    public static void run(Path directory, Process watchdog) {
        Optional<OwnedDirectory> owned =
                Files.exists(directory) ? Optional.of(Directories.owned(directory)) : Optional.empty();
        boolean interrupted = Thread.interrupted();
        try {
            if (owned.isPresent()) {
                end(directory);
                IsolatedNetwork.end(directory);
                MemoryGroups.remove(directory);
            }
            if (watchdog != null) {
                watchdog.destroy();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        try {
            if (owned.isPresent()) {
                owned.get().delete();
            }
        } catch (IOException e) {
            throw new NodeControlException(
                    "the cluster is down, but " + directory + " cannot be removed: " + e.getMessage(), e);
        }
    }

    /**
     * Ends what there is of a cluster that did not start, as {@link #run} does.
     *
     * @param cluster closed first; null when it did not come so far
     */
    public static void undo(NodeController cluster, Process watchdog, Path directory) {
        if (cluster != null) {
            cluster.close();
        }
        run(directory, watchdog);
    }

    private static void end(Path directory) {
        List<OsProcess> all = new ArrayList<>();
        // Signals first: a server that sees the others die one by one only wastes time on it.
        for (OsProcess leader : OsProcess.allRecorded(directory.resolve("run"))) {
            all.add(leader);
            List<OsProcess> children = leader.children();
            all.addAll(children);
            if (leader.leadsGroup()) {
                leader.signalGroup("KILL");
            } else { // started by somebody else
                leader.kill();
                children.forEach(OsProcess::kill);
            }
        }
        for (OsProcess process : all) {
            if (!process.awaitEnd(KILL_BOUND_MILLIS)) {
                throw new NodeControlException("process " + process.pid() + " (" + process.commandLine()
                        + ") is still running " + KILL_BOUND_MILLIS / 1000 + " s after SIGKILL; files are kept in "
                        + directory);
            }
        }
        Set<String> programs = OsProcess.allPrograms(directory.resolve("run"));
        DirectoryUsers.requireNoServer(directory, user -> user.runsOneOf(programs));
    }
}
