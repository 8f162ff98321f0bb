package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tears down a local cluster recorded in {@code run/*.pid} of its directory: its
 * processes, what surrounds its nodes, its watchdog, its files. A process that leads its group, as those started by {@link Launcher} do, ends with the
 * entire group. Stateless.
 */
public final class Teardown {
    private static final int KEPT_BYTES = 1 << 20;
    private static final String FAILED = "failed-start";
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
                NodeSandbox.end(directory);
            }
            if (watchdog != null) {
                watchdog.destroy();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        NodeIo.run("the cluster is down, but " + directory + " cannot be removed", () -> {
            if (owned.isPresent()) {
                owned.get().delete();
            }
        });
    }

    /**
     * Ends what there is of a cluster that did not start, as {@link #run} does. The files that the reason names, such as a node's log, are kept
     * in a folder {@value #FAILED} beside its directory, in place of those of an earlier failure.
     *
     * @param cluster closed first; null when it did not come so far
     * @return what is to be thrown: the reason, with the places where these files are now
     */
    public static RuntimeException undo(Exception reason, NodeController cluster, Process watchdog, Path directory) {
        if (cluster != null) {
            cluster.close();
        }
        String said = reason instanceof IOException
                ? "the cluster in " + directory + " did not start: " + reason.getMessage()
                : String.valueOf(reason.getMessage());
        String kept = keep(said, directory);
        run(directory, watchdog);
        return reason instanceof RuntimeException thrown && kept.equals(said)
                ? thrown
                : new NodeControlException(kept, reason);
    }

    private static String keep(String said, Path directory) {
        if (!Files.isDirectory(directory)) {
            return said;
        }
        Path to = directory.resolveSibling(FAILED);
        String now = said;
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(f -> said.contains(f.toString()))
                    .filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
                    // The name of one may be the beginning of another's.
                    .sorted(Comparator.comparingInt((Path f) -> f.toString().length())
                            .reversed())
                    .toList()) {
                Path copy = to.resolve(directory.relativize(file).toString().replace('/', '-'));
                PrivateFolders.forOwner(to);
                AtomicFile.writePrivate(copy, LogTail.bytes(file, KEPT_BYTES));
                now = now.replace(file.toString(), copy.toString());
            }
            return now;
        } catch (IOException | UncheckedIOException e) {
            return now + "; the nodes' files are not kept: " + e.getMessage();
        }
    }

    private static void end(Path directory) {
        List<OsProcess> all = new ArrayList<>();
        // Signals first: a server that sees the others die one by one only wastes time on it.
        for (OsProcess leader : PidFile.allRunning(directory.resolve("run"))) {
            all.add(leader);
            List<OsProcess> children = leader.children();
            all.addAll(children);
            if (leader.leadsGroup()) {
                leader.signalGroup("KILL");
            } else { // started by somebody else
                leader.kill();
            }
            children.forEach(OsProcess::kill); // they may lead groups of their own
        }
        for (OsProcess process : all) {
            if (!process.awaitEnd(KILL_BOUND_MILLIS)) {
                throw new NodeControlException("process " + process.pid() + " (" + process.commandLine()
                        + ") is still running " + KILL_BOUND_MILLIS / 1000 + " s after SIGKILL; files are kept in "
                        + directory);
            }
        }
        Set<String> programs = PidFile.allPrograms(directory.resolve("run"));
        DirectoryUsers.requireNoServer(directory, user -> user.runsOneOf(programs));
    }
}
