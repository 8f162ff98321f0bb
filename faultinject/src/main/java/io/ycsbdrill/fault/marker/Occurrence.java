package io.ycsbdrill.fault.marker;

import java.util.Objects;

/**
 * One injection of one step of a schedule.
 *
 * @param step the step's name; empty for a failure that was not injected
 * @param number 1 for the first time
 * @param fault name of the fault; {@code unplanned} for a failure that was not injected
 * @param label label of the fault in charts
 */
public record Occurrence(String step, int number, String fault, String label) {

    /** A failure that was not injected. */
    public static final Occurrence UNPLANNED = new Occurrence("", 1, "unplanned", "unplanned");

    public Occurrence {
        Objects.requireNonNull(step, "step");
        Objects.requireNonNull(fault, "fault");
        Objects.requireNonNull(label, "label");
        if (number < 1) {
            throw new IllegalArgumentException("occurrence " + number + " is not positive");
        }
    }
}
