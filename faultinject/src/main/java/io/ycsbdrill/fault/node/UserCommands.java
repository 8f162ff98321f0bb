package io.ycsbdrill.fault.node;

import java.time.Duration;
import java.util.List;

/**
 * The user's own commands of a fault: ssh, docker, kubectl, systemctl.
 *
 * @param inject what brings the fault about; empty only when all are
 * @param heal undoes it, safe to run at any time; empty when nothing is to be undone
 * @param verify ends with 0 when the effect is there, asked again until then; empty: the engine's word that the node is not up
 * @param healed ends with 0 when the node is healed, asked again until then; empty when that is not asked
 * @param bound the longest time that each may run, and in which the effect must be seen; positive
 */
public record UserCommands(
        UserCommand inject, UserCommand heal, UserCommand verify, UserCommand healed, Duration bound) {
    /** Used when a drill does not say how long its commands may run. */
    public static final Duration DEFAULT_BOUND = Duration.ofSeconds(60);

    /** What a fault without commands has. */
    public static final UserCommands NONE =
            new UserCommands(UserCommand.NONE, UserCommand.NONE, UserCommand.NONE, UserCommand.NONE, DEFAULT_BOUND);

    public UserCommands {
        if (bound.isNegative() || bound.isZero()) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        if (heal.isEmpty() && !healed.isEmpty()) {
            throw new IllegalArgumentException("healed without a heal command has no effect");
        }
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return inject.isEmpty();
    }

    /** All of them, those that are empty too. */
    public List<UserCommand> all() {
        return List.of(inject, heal, verify, healed);
    }
}
