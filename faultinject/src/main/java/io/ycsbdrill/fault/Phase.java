package io.ycsbdrill.fault;

/**
 * The phases of one node's failure and recovery, in order; the same names for every engine. A phase that an engine does not
 * have is skipped: absent, never zero.
 */
public enum Phase {
    /** Before the first fault, and after the last recovery has settled. */
    STEADY("steady"),
    /** The fault is being injected; the node is not yet down. */
    FAULT("fault"),
    /** The node is down and the survivors reorganise. */
    FAILURE_HANDLING("failure-handling"),
    /** The survivors carry on without it. */
    DOWN("down"),
    /** The node is back and recovers what it has on its own disk (LRS). */
    LOCAL_RECOVERY("local-recovery"),
    /** It copies what it missed from the live nodes (SS). */
    SYNCHRONISE("synchronise"),
    /** It has the data and waits for a checkpoint or hand-over (WLCP). */
    WAIT_CHECKPOINT("wait-checkpoint"),
    /** The engine calls it whole again: redundancy restored. */
    RECOVERED("recovered");

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** The short name of the stage in the RonDB availability benchmark: LRS, SS or WLCP; empty for the other phases. */
    public String stage() {
        return switch (this) {
            case LOCAL_RECOVERY -> "LRS";
            case SYNCHRONISE -> "SS";
            case WAIT_CHECKPOINT -> "WLCP";
            default -> "";
        };
    }

    /** The name in files, charts and on the terminal. */
    public String label() {
        return label;
    }
}
