package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Phase;
import java.time.Duration;
import java.util.Optional;

/** When a step is due for the first time. */
public sealed interface When {

    /**
     * A time after the steady state was reached, or after run start when the schedule does not wait for one.
     *
     * @param offset not negative
     */
    record At(Duration offset) implements When {
        public At {
            Rules.notNegative("at", offset);
        }
    }

    /**
     * A time after an earlier step has brought all of its nodes into a phase.
     *
     * @param step name of the earlier step; of a repeated step the last occurrence counts
     * @param phase the phase, or a later one when the engine does not have it; empty: after the step is over
     * @param delay not negative
     */
    record After(String step, Optional<Phase> phase, Duration delay) implements When {
        public After {
            Rules.notNegative("delay", delay);
        }
    }

    /**
     * A time after a node has come into a phase for the first time, whatever has brought it there.
     *
     * @param node its id
     * @param phase the phase, or a later one when the engine does not have it; not {@link Phase#STEADY}
     * @param delay not negative; the step is due then even if the node is out of the phase again
     */
    record InPhase(String node, Phase phase, Duration delay) implements When {
        public InPhase {
            Rules.notNegative("at", delay);
        }
    }
}
