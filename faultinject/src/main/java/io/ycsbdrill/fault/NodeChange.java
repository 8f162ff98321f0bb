package io.ycsbdrill.fault;

/** What becomes of a node's process, or of its membership, when a fault is injected or ended. */
public enum NodeChange {
    /** Nothing. */
    NONE,
    /** Its stopped process continues. */
    RESUMED,
    /** Its process has ended. */
    PROCESS_ENDED,
    /** It has a process again. */
    PROCESS_STARTED,
    /** It has another process than before, which has taken over in an orderly way. */
    PROCESS_REPLACED,
    /** It has joined the cluster. */
    ADDED,
    /** It has left the cluster, and its process has ended. */
    REMOVED;

    /** Whether the node has no process once this is confirmed: all that began before that was done to the former one. */
    public boolean leavesNoProcess() {
        return this == PROCESS_ENDED || this == REMOVED;
    }
}
