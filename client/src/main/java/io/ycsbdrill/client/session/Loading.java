package io.ycsbdrill.client.session;

/** When a session loads the workload's records before its run. */
public enum Loading {
    NEVER,
    /** When the table is known to be empty. */
    WHEN_EMPTY,
    /** When the table is known to be empty, or the binding is not one of ours, so that it cannot be asked. */
    WHEN_EMPTY_OR_UNKNOWN,
    ALWAYS
}
