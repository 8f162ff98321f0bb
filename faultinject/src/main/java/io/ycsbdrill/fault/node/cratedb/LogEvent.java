package io.ycsbdrill.fault.node.cratedb;

import java.time.Instant;
import java.util.List;

/**
 * An event in a server's log.
 *
 * @param at to the millisecond
 * @param nodes that were added or removed; else empty
 * @param text the server's own words
 */
record LogEvent(Kind kind, Instant at, List<String> nodes, String text) {

    /** Kinds of events. */
    enum Kind {
        /** The server has a master, and so is in the cluster. */
        JOINED,
        /** It has no master any more. */
        ALONE,
        /** From now on it sees these nodes in the cluster. */
        ADDED,
        /** It no longer sees these nodes. */
        REMOVED,
        /** A shard of its own begins to be copied from another node. */
        COPY_STARTED,
        /** A shard of its own is complete. */
        COPY_DONE,
        /** What the master says: every shard of every table has all its copies. */
        GREEN,
        /** A step worth keeping. */
        STEP
    }

    LogEvent {
        nodes = List.copyOf(nodes);
    }
}
