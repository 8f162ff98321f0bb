package io.ycsbdrill.fault.explore;

/** Where a second fault is, seen from the first one. */
enum Place {
    /** On its node. */
    SAME,
    /** On another one, which takes two out of the cluster. */
    OTHER
}
