package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import java.util.Optional;

/** What a confirmed step of a fault says about its node. */
public enum Effect {
    /** Nothing that affects a recovery. */
    NONE("none", null, NodeChange.NONE),
    /** The node's process is gone. */
    NODE_DOWN("node-down", Phase.FAILURE_HANDLING, NodeChange.PROCESS_ENDED),
    /** The node's process runs again and begins to recover. */
    PROCESS_STARTED("process-started", Phase.LOCAL_RECOVERY, NodeChange.PROCESS_STARTED),
    /** The node is left alone again, its process having been there all the time. */
    RELEASED("released", null, NodeChange.NONE);

    private final String label;
    private final Phase begins;
    private final NodeChange change;

    Effect(String label, Phase begins, NodeChange change) {
        this.label = label;
        this.begins = begins;
        this.change = change;
    }

    /** The name in files. */
    public String label() {
        return label;
    }

    /** The phase that the node enters, if nothing later was seen of it yet; empty when the effect begins none. */
    public Optional<Phase> begins() {
        return Optional.ofNullable(begins);
    }

    /** What has become of the node's process with it. */
    public NodeChange change() {
        return change;
    }
}
