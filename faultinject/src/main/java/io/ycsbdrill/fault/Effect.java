package io.ycsbdrill.fault;

/** What a confirmed step of a fault says about its node. */
public enum Effect {
    /** Nothing that a recovery would have to know. */
    NONE("none"),
    /** The node's process is gone. */
    NODE_DOWN("node-down"),
    /** The node's process runs again and begins to recover. */
    PROCESS_STARTED("process-started"),
    /** The node is left alone again, its process having been there all the time. */
    RELEASED("released");

    private final String label;

    Effect(String label) {
        this.label = label;
    }

    /** The name in files. */
    public String label() {
        return label;
    }
}
