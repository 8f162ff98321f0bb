package io.ycsbdrill.client.explore;

import io.ycsbdrill.fault.explore.DrawnDrill;
import java.util.function.BooleanSupplier;

/** A drill that has shown something, and what came of it. Immutable. */
record Shown(DrawnDrill drill, Explored outcome) {
    Trouble trouble() {
        return outcome.worst().orElseThrow();
    }

    Trouble.Kind kind() {
        return trouble().kind();
    }

    /** Whether it can be believed: one that was cut off has left nodes down and limits missed, but lost no write by that. */
    static boolean in(Explored outcome, BooleanSupplier stopped) {
        return outcome.worst().isPresent()
                && (!stopped.getAsBoolean()
                        || outcome.invalid().isEmpty()
                        || outcome.worst().get().kind().ofTheTable());
    }
}
