package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.base.Phase;
import java.util.OptionalLong;

/**
 * One phase of one recovery.
 *
 * @param phase the phase
 * @param startNanos since run start
 * @param endNanos since run start; the start of the next phase of the recovery; empty while it lasts, and for {@code
 *     recovered}, unless the fault made the node fail again
 */
public record PhaseSpan(Phase phase, long startNanos, OptionalLong endNanos) {

    PhaseSpan until(long nanos) {
        return new PhaseSpan(phase, startNanos, OptionalLong.of(nanos));
    }
}
