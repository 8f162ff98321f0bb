package io.ycsbdrill.report.summary;

import io.ycsbdrill.report.metric.NumberText;
import java.util.OptionalDouble;

/**
 * One limit and what was measured.
 *
 * @param key the limit's name in the drill
 * @param title what is limited
 * @param relation {@code at least} or {@code at most}
 * @param allowed the limit; NaN when it is not a number
 * @param unit symbol of both numbers
 * @param measured empty when it could not be measured
 * @param bound {@code ≥ } when the data end before what was measured was over, so that it is at least that; {@code ≤ } when it is at most that
 * @param result pass or not
 * @param reason why there is no measured value, or the note on it
 * @param missedIn which cycles of a repeated drill have missed it, in words; else empty
 */
public record Check(
        String key,
        String title,
        String relation,
        double allowed,
        String unit,
        OptionalDouble measured,
        String bound,
        Result result,
        String reason,
        String missedIn) {

    private static final double NEAR = 0.1;

    /** One whose title says it all, without numbers. */
    Check(String key, String title, Result result, String reason) {
        this(key, title, "", Double.NaN, "", OptionalDouble.empty(), "", result, reason, "");
    }

    /** FAIL and NOT_MEASURABLE miss the limit. */
    public enum Result {
        PASS("pass"),
        FAIL("fail"),
        /** It is not known whether the limit was kept, so it counts as missed. */
        NOT_MEASURABLE("not measurable"),
        /** Missed, unless it is chance, and kept, if it is: the baseline does not tell. Neither kept nor missed, and no verdict. */
        UNDECIDED("cannot be said"),
        /** There was nothing to measure, as after a pause that cost no redundancy; neither kept nor missed. */
        NOT_APPLICABLE("not applicable");

        private final String label;

        Result(String label) {
            this.label = label;
        }

        /** The name in files, tables and on the terminal. */
        public String label() {
            return label;
        }
    }

    /** Whether the limit was missed. */
    public boolean missed() {
        return missed(result);
    }

    static boolean missed(Result result) {
        return result == Result.FAIL || result == Result.NOT_MEASURABLE;
    }

    /** Whether nobody can say if it was missed. */
    public boolean undecided() {
        return result == Result.UNDECIDED;
    }

    /** {@code 2.4 s}, {@code ≥ 20.1 s}, {@code n/a}. */
    public String measuredText() {
        if (measured.isEmpty()) {
            return NumberText.ABSENT;
        }
        double value = measured.getAsDouble();
        return bound + (result == Result.PASS ? NumberText.plain(value) : shown(value, allowed)) + " " + unit;
    }

    /** A value that has missed a limit: by less than the usual digits show, it must not look kept. */
    static String shown(double value, double allowed) {
        boolean near = Math.abs(value - allowed) < Math.max(NEAR, NEAR * allowed / 10);
        return near ? NumberText.exact(value) : NumberText.plain(value);
    }

    /** {@code Longest gap without a success 2.4 s, at most 2 s allowed}. */
    public String sentence() {
        if (Double.isNaN(allowed)) {
            return title + (reason.isEmpty() ? "" : ": " + reason);
        }
        return title + " " + measuredText() + ", " + relation + " " + NumberText.exact(allowed) + " " + unit
                + " allowed"
                + (measured.isEmpty()
                                || !bound.isEmpty()
                                || result == Result.NOT_MEASURABLE
                                || result == Result.UNDECIDED
                        ? " (" + reason + ")"
                        : "")
                + (missedIn.isEmpty() ? "" : "; " + missedIn);
    }
}
