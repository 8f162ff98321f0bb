package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.Sight;
import java.nio.file.Path;
import java.util.Optional;

/** What an engine says of its backups, so that its local clusters can be restored from one. */
public interface Restoring extends Backupable {

    /**
     * A complete backup.
     *
     * @param node on which it is put back
     * @param path its directory, in that of the cluster, which stays as it is
     */
    record Backup(String node, Path path) {}

    @Override
    default Sight lookForBackup() {
        return lastBackup()
                .map(last -> new Sight(true, "backup of " + last.node() + " is complete, in " + last.path()))
                .orElse(new Sight(false, "no backup is complete"));
    }

    /** The last one that this controller has made, and that is there still with all that says so; empty when there is none. */
    Optional<Backup> lastBackup();

    /**
     * Changes nothing.
     *
     * @throws NodeControlException when something is missing without which the backup cannot be put back
     */
    void checkPutBack(Backup backup);

    /**
     * Fills the node's data directory, which is empty, from the backup: the node that is launched with it is the first of a new cluster. All
     * nodes are down. What it runs ends with this process.
     *
     * @return whether it is launched as a new node
     */
    boolean putBack(Backup backup);
}
