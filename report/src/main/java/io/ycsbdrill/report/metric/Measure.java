package io.ycsbdrill.report.metric;

import java.util.OptionalDouble;

/**
 * A measured value, or why there is none.
 *
 * @param value empty when it could not be measured or was not reached
 * @param note resolution, or the reason for an absent value; may be empty when there is a value
 * @param needed false when there was nothing to measure (a pause costs no redundancy): such a fault is not taken for one that never recovered
 */
public record Measure(OptionalDouble value, String note, boolean needed) {

    public static Measure of(double value) {
        return new Measure(OptionalDouble.of(value), "", true);
    }

    public static Measure of(double value, String note) {
        return new Measure(OptionalDouble.of(value), note, true);
    }

    public static Measure absent(String reason) {
        return new Measure(OptionalDouble.empty(), reason, true);
    }

    public static Measure notApplicable(String reason) {
        return new Measure(OptionalDouble.empty(), reason, false);
    }
}
