package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import java.util.Optional;

/** What a confirmed step of a fault says about its node. */
public enum Effect {
    /** Nothing that affects a recovery. */
    NONE("none", null),
    /** The node's process is gone. */
    NODE_DOWN("node-down", Phase.FAILURE_HANDLING),
    /** The node's process runs again and begins to recover. */
    PROCESS_STARTED("process-started", Phase.LOCAL_RECOVERY),
    /** The node is left alone again, its process having been there all the time. */
    RELEASED("released", null);

    private final String label;
    private final Phase begins;

    Effect(String label, Phase begins) {
        this.label = label;
        this.begins = begins;
    }

    /** The name in files. */
    public String label() {
        return label;
    }

    /** The phase that the node enters, if nothing later was seen of it yet; empty when the effect begins none. */
    public Optional<Phase> begins() {
        return Optional.ofNullable(begins);
    }
}
