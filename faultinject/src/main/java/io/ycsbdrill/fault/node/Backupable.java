package io.ycsbdrill.fault.node;

import java.util.Optional;

/** Makes backups of a cluster while it serves. A capability of a {@code NodeController}; thread-safe. */
public interface Backupable {

    /** Why it cannot make one, and what is missing; empty when it can. */
    default Optional<String> backupLacks() {
        return Optional.empty();
    }

    /** Whether this node can be asked for one. */
    default boolean canBackUp(String node) {
        return true;
    }

    /**
     * Makes a backup of the whole cluster and returns when it is complete. It cannot be undone, and ends by itself when this process
     * does.
     *
     * @param node the node that is asked for it, where the engine asks a data node
     * @throws NodeControlException when the engine refuses, or the backup fails
     */
    void backUp(String node);

    /** Looks whether the backup that was asked for last is complete. */
    Sight lookForBackup();
}
