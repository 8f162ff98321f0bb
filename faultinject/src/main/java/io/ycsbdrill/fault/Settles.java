package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;

/** How a fault leaves its node when the injector has nothing more to do with it. */
public enum Settles {
    /** The node recovers. */
    RECOVERED(Phase.RECOVERED, false, false),
    /** What the user's own command has done stays until its heal command at the end of the drill. */
    UNTIL_HEALED(Phase.RECOVERED, true, true),
    /** The node is down, until a step starts it or the end of the drill. */
    DOWN(Phase.DOWN, true, true),
    /** The node is down for good, as it has left the cluster. */
    DOWN_FOR_GOOD(Phase.DOWN, true, false);

    private final Phase phase;
    private final boolean stays;
    private final boolean heals;

    Settles(Phase phase, boolean stays, boolean heals) {
        this.phase = phase;
        this.stays = stays;
        this.heals = heals;
    }

    /** The phase in which its effects are complete. */
    public Phase phase() {
        return phase;
    }

    /** Whether its effects stay until the end of the drill, so that nobody waits for the node before that. */
    public boolean staysUntilTheEnd() {
        return stays;
    }

    /** Whether a confirmed injection leaves something to heal at the end of the drill. */
    public boolean healsAtTheEnd() {
        return heals;
    }
}
