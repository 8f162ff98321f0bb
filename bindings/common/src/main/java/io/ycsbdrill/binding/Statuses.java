package io.ycsbdrill.binding;

import site.ycsb.Status;

/** The statuses that these bindings return beside YCSB's own. Compared by identity or name; never null. */
public final class Statuses {

    /** The write may or may not have been applied: time-out, link lost after sending, cluster lost before the answer. */
    public static final Status UNKNOWN = new Status("UNKNOWN", "The write may or may not have been applied.");

    /** An insert met a row with the same key; nothing was changed. */
    public static final Status DUPLICATE_KEY = new Status("DUPLICATE_KEY", "A row with this key exists already.");

    /** Definitely not applied; the same request will fail again. */
    public static final Status FAILED = new Status("FAILED", "The operation failed and was not applied.");

    /** Definitely not applied; the engine says that it may work when tried again (node failure, overload, lock wait). */
    public static final Status TEMPORARY = new Status("TEMPORARY", "A temporary error; not applied.");

    /** The transaction was aborted, nothing of it applied: it and another one waited for each other. */
    public static final Status DEADLOCK = new Status("DEADLOCK", "Aborted: deadlock with another transaction.");

    /** The transaction was aborted, nothing of it applied: another one held a lock for too long. */
    public static final Status LOCK_TIMEOUT = new Status("LOCK_TIMEOUT", "Aborted: a lock was not free in time.");

    /** The transaction was aborted, nothing of it applied: another one has changed the same rows (certification, validation). */
    public static final Status CONFLICT = new Status("CONFLICT", "Aborted: in conflict with another transaction.");

    /** Definitely not applied: no server could be reached. */
    public static final Status UNAVAILABLE = new Status("UNAVAILABLE", "No server could be reached; not applied.");

    /** A read got no answer in time. */
    public static final Status TIMEOUT = new Status("TIMEOUT", "Timeout: no answer in time.");

    /** A read of one node's own copy: this node is not to have one of that row ({@link NodeReads}). */
    public static final Status NOT_HELD = new Status("NOT_HELD", "This node holds no copy of the row.");

    private Statuses() {}
}
