package io.ycsbdrill.fault;

import java.time.Duration;
import java.util.Objects;

/**
 * Brings a node down and starts it again with the files it has: the node restart.
 *
 * @param mode how it is brought down
 * @param down the least time between its process's end and its start
 */
@Traits(name = "restart", label = "R")
public record RestartNode(StopMode mode, Duration down) implements DownAndUp {

    public RestartNode {
        Objects.requireNonNull(mode, "mode");
        if (down.isNegative()) {
            throw new IllegalArgumentException("down " + down + " is negative");
        }
    }
}
