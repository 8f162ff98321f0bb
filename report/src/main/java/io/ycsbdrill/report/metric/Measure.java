package io.ycsbdrill.report.metric;

import java.util.OptionalDouble;

/**
 * A measured value, or why there is none.
 *
 * @param value empty when it could not be measured or was not reached
 * @param note resolution, or the reason for an absent value; may be empty when there is a value
 * @param censored true when the data end first: the true value is at least this one (a share of throughput: any other)
 * @param least what a value that was not reached is at least; 0 when nobody knows
 * @param atMost true when only a bound is known: the true value is at most this one
 * @param applicable false when there was nothing to measure (a pause costs no redundancy), as opposed to a value that is missing
 * @param unreached true when the data show that it had not come about when they ended, as opposed to a value that nobody knows
 */
public record Measure(
        OptionalDouble value,
        String note,
        boolean censored,
        double least,
        boolean atMost,
        boolean applicable,
        boolean unreached) {

    public static Measure of(double value) {
        return new Measure(OptionalDouble.of(value), "", false, 0, false, true, false);
    }

    public static Measure of(double value, String note) {
        return new Measure(OptionalDouble.of(value), note, false, 0, false, true, false);
    }

    /** A value that the end of the data cut short. It can miss an upper limit, but never keep one. */
    public static Measure atLeast(double value, String note) {
        return new Measure(OptionalDouble.of(value), note, true, 0, false, true, false);
    }

    /** A bound that the true value is not above: it can keep a limit, and says nothing where it is above one. */
    static Measure atMost(double value, String note) {
        return new Measure(OptionalDouble.of(value), note, false, 0, true, true, false);
    }

    /** The value of a stretch that the data may have cut short, in which case it can miss a limit but never keep one. */
    static Measure of(double value, String note, boolean censored) {
        return new Measure(OptionalDouble.of(value), note, censored, 0, false, true, false);
    }

    public static Measure absent(String reason) {
        return new Measure(OptionalDouble.empty(), reason, false, 0, false, true, false);
    }

    /**
     * A moment that the data do not show.
     *
     * @param least how long it took at least; anything below 0 says nothing
     */
    public static Measure notReached(double least, String reason) {
        return new Measure(OptionalDouble.empty(), reason, false, Math.max(0, least), false, true, true);
    }

    /** The same absence as the figure of several of which this is one; together they are at least that much. */
    Measure absentIn(String where, double atLeast) {
        return new Measure(value, where + ": " + note, false, Math.max(0, atLeast), false, true, unreached);
    }

    public static Measure notApplicable(String reason) {
        return new Measure(OptionalDouble.empty(), reason, false, 0, false, false, false);
    }
}
