package io.ycsbdrill.fault.node.patroni;

import java.time.Instant;

/**
 * A line of a node's log that says something about its recovery.
 *
 * @param text the line's own words
 * @param detail what the line is about: the timeline, another node's name, PostgreSQL's version; empty when there is nothing
 */
record PatroniLogEvent(Kind kind, Instant at, String text, String detail) {

    /** What a line means. */
    enum Kind {
        /** PostgreSQL's server begins; the detail is its version. */
        STARTING,
        /** The server takes writes. */
        READY,
        /** The server has ended by itself. */
        SHUT_DOWN,
        /** The server was told to become primary. */
        PROMOTED,
        /** The new primary's timeline, the detail. */
        TIMELINE,
        /** The node receives what the primary writes, on the timeline that is the detail. */
        STREAMING,
        /** It does so no longer. */
        STREAM_ENDED,
        /** The primary has given up the connection of the replica that is the detail. */
        REPLICA_SILENT,
        /** Patroni has taken the leader's key, which another one had. */
        LOCK_TAKEN,
        /** Patroni holds the leader's key, as it says in each of its rounds. */
        LOCK_HELD,
        /** Patroni makes its server stop being primary. */
        DEMOTING,
        /** Patroni lets its server be primary although etcd does not answer. */
        FAILSAFE,
        /** Data is about to be made equal to the primary's: by pg_rewind, or by a copy of everything. */
        COPYING,
        /** That is done; the detail says how. */
        COPIED,
        /** The replicas, the detail, that a commit waits for. */
        SYNCHRONOUS,
        /** Anything else worth keeping. */
        STEP
    }
}
