package io.ycsbdrill.report.metric;

import java.util.OptionalDouble;

/**
 * A measured value, or why there is none.
 *
 * @param value empty when it could not be measured or was not reached
 * @param note resolution, or the reason for an absent value; may be empty when there is a value
 * @param censored true when the data end first: the true value is at least this one (a share of throughput: any other)
 * @param applicable false when there was nothing to measure (a pause costs no redundancy), as opposed to a value that is missing
 */
public record Measure(OptionalDouble value, String note, boolean censored, boolean applicable) {

    public static Measure of(double value) {
        return new Measure(OptionalDouble.of(value), "", false, true);
    }

    public static Measure of(double value, String note) {
        return new Measure(OptionalDouble.of(value), note, false, true);
    }

    /** A value that the end of the data cut short. It can miss an upper limit, but never keep one. */
    public static Measure atLeast(double value, String note) {
        return new Measure(OptionalDouble.of(value), note, true, true);
    }

    /** The value of a stretch that the data may have cut short, in which case it can miss a limit but never keep one. */
    static Measure of(double value, String note, boolean censored) {
        return new Measure(OptionalDouble.of(value), note, censored, true);
    }

    public static Measure absent(String reason) {
        return new Measure(OptionalDouble.empty(), reason, false, true);
    }

    public static Measure notApplicable(String reason) {
        return new Measure(OptionalDouble.empty(), reason, false, false);
    }
}
