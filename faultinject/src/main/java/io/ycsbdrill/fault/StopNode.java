package io.ycsbdrill.fault;

import java.util.Objects;

/**
 * Stops a node through the engine's management interface; it stays down until it is started.
 *
 * @param mode {@link StopMode#GRACEFUL} or {@link StopMode#ABORT}; to kill is {@link KillNode}
 */
@Traits(name = "stop")
public record StopNode(StopMode mode) implements BringsDown {

    public StopNode {
        Objects.requireNonNull(mode, "mode");
        if (mode == StopMode.KILL) {
            throw new IllegalArgumentException("a stop is graceful or abort; use kill to kill");
        }
    }
}
