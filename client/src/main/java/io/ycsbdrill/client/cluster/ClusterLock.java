package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Keeps the nodes of a cluster to one command at a time: a second one would undo the faults of a drill, which counts
 * them as in force. Commands that change nothing about the nodes do without it. Stateless.
 */
public final class ClusterLock {
    private ClusterLock() {}

    /**
     * Takes the cluster for this process until the lock is closed.
     *
     * @param directory of the cluster, or of its records; need not be there
     * @throws ConfigException naming the process that has it, or when the state directory cannot be written
     * @throws NodeControlException when the thread is interrupted
     */
    public static ProcessLock take(Path directory) {
        // Beside the directory, which comes and goes with the cluster.
        Path file = directory.resolveSibling(directory.getFileName() + ".lock");
        try {
            PrivateFolders.create(file.toAbsolutePath().getParent());
            return ProcessLock.take(
                    file,
                    holder -> new ConfigException(holder + " is at work on the nodes of the cluster in " + directory
                            + " (a drill, or a command under cluster); wait until it has ended, or end it"));
        } catch (ClosedByInterruptException e) {
            throw new NodeControlException(file + " was not locked: the command was interrupted", e);
        } catch (IOException e) {
            throw new ConfigException(
                    file + " cannot be locked: " + FileReason.of(e) + "; set YCSB_DRILL_STATE to a writable directory");
        }
    }

    /**
     * Works on the nodes of a cluster that no other command works on meanwhile.
     *
     * @throws ConfigException as {@link #take} does
     */
    public static <T> T during(Path directory, Supplier<T> work) {
        return take(directory).during(work);
    }
}
