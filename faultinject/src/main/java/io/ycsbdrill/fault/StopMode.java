package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.Stoppable;

/** How a node is brought down. */
public enum StopMode {
    /** Through the engine's management interface, with hand-over. */
    GRACEFUL("graceful", Stoppable.class),
    /** Through the engine's management interface, at once. */
    ABORT("abort", Stoppable.class),
    /** Ends its process by SIGKILL. */
    KILL("kill", Killable.class);

    private final String label;
    private final Class<?> capability;

    StopMode(String label, Class<?> capability) {
        this.label = label;
        this.capability = capability;
    }

    /** The name in drill files. */
    public String label() {
        return label;
    }

    Class<?> capability() {
        return capability;
    }

    void bringDown(NodeController controller, String node, FaultContext context) {
        if (this == KILL) {
            Capabilities.require(controller, Killable.class).kill(node);
        } else {
            Stoppable.Mode mode = this == GRACEFUL ? Stoppable.Mode.GRACEFUL : Stoppable.Mode.ABORT;
            Capabilities.require(controller, Stoppable.class).stop(node, mode, context.stopBound());
        }
    }
}
