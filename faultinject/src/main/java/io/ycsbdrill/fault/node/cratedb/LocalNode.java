package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.kit.Moment;

/** What a {@link LocalHistory}, which owns it, knows of one node. */
final class LocalNode {
    /** Where a node is in its life. */
    enum Life {
        DOWN,
        STARTING,
        /** In the cluster, though copies of its shards may be missing. */
        JOINED,
        RECOVERED
    }

    Life life = Life.DOWN;
    boolean process;
    /** The others have dropped it although its process exists. */
    boolean out;

    boolean handled = true;
    /** It was said that no node is left that can handle its failure; that may still happen. */
    boolean unhandled;

    boolean synchronising;
    /** When the last of the others learned that it is gone; null before the first has. */
    Moment removed;
    /** When it came into the cluster; null before. */
    Moment joined;
    /** When the tables last said, since the removal or the join, that things are not right yet; null when they have not. */
    Moment notYet;
    /** When they first said, since the removal, that data are missing; null when they have not. */
    Moment missingSince;

    long lastNanos = Long.MIN_VALUE;

    /** When its process was first seen; null of one that ran before the watch began. */
    Moment begun;

    Moment ended;
}
