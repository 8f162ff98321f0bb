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
     * @param node on which it is put back; where each node has a part, one of them
     * @param path its directory on that node, in that of the cluster, which stays as it is
     */
    record Backup(String node, Path path) {}

    @Override
    default Sight lookForBackup() {
        return lastBackup()
                .map(last -> new Sight(true, "backup of " + last.node() + " is complete, in " + last.path()))
                .orElse(new Sight(false, "no backup is complete"));
    }

    /** Why none can be put back; empty when one can, once it is made. */
    default Optional<String> restoreLacks() {
        return Optional.empty();
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
     * Puts the backup in the place of the data. All nodes are down and their data directories are empty. It fills that of its node, which is the
     * first of a new cluster when it is launched then; where backups are put back by a client, it starts all nodes, and lets no other client in. What it
     * runs ends with this process.
     *
     * @return whether it is launched as a new node
     */
    boolean putBack(Backup backup);
}
