package io.ycsbdrill.report.claim;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.claim.Claim.Expect;
import io.ycsbdrill.report.claim.Claim.Kind;
import io.ycsbdrill.report.claim.Claim.Range;
import io.ycsbdrill.report.stat.Estimate;

/**
 * What a measurement says about a claim. Immutable.
 *
 * @param reason why nothing more can be said; empty when the claim is judged
 */
public record ClaimVerdict(ClaimWord word, String reason) {

    /** {@code not comparable (other hardware)}. */
    public String text() {
        return word.label() + (reason.isEmpty() ? "" : " (" + reason + ")");
    }

    /** No figure. */
    public static ClaimVerdict notMeasured(String reason) {
        return new ClaimVerdict(ClaimWord.NOT_MEASURED, reason);
    }

    /** A figure that decides nothing. */
    public static ClaimVerdict notComparable(String reason) {
        return new ClaimVerdict(ClaimWord.NOT_COMPARABLE, reason);
    }

    /**
     * Judges. An interval that covers both outcomes decides nothing, nor does a ratio by which a variant differs from itself.
     *
     * @param measured the ratio, or the figure of a claim without comparison
     * @param floor by which ratio a variant differed from itself, at least 1
     */
    public static ClaimVerdict of(Claim claim, Estimate measured, double floor) {
        if (claim.notMeasured().isPresent() || Double.isNaN(measured.value())) {
            return notMeasured(claim.notMeasured().orElse("the figure is lacking"));
        }
        if (claim.notComparable().isPresent() || claim.kind() == Kind.ABSOLUTE) {
            return notComparable(claim.notComparable().orElse("other hardware"));
        }
        if (!measured.hasInterval()) {
            return notComparable("no interval of " + measured.n() + (measured.n() == 1 ? " repeat" : " repeats"));
        }
        if (claim.kind() == Kind.SHAPE) {
            return shape(claim.expect().orElseThrow(), measured, claim.compares() ? floor : 1);
        }
        Range target = claim.target().orElseThrow();
        return within(measured, target.low() / (1 + claim.tolerance()), target.high() * (1 + claim.tolerance()));
    }

    private static ClaimVerdict shape(Expect expect, Estimate measured, double floor) {
        boolean above = measured.low() > expect.bound();
        boolean below = measured.high() < expect.bound();
        if (!above && !below) {
            return undecided(measured);
        }
        double distance = above ? measured.value() / expect.bound() : expect.bound() / measured.value();
        if (distance <= floor) {
            return notComparable(Formatted.of("no larger than the noise floor of %.1f %%", 100 * (floor - 1)));
        }
        return new ClaimVerdict(above == expect.more() ? ClaimWord.REPRODUCED : ClaimWord.NOT_REPRODUCED, "");
    }

    private static ClaimVerdict within(Estimate measured, double low, double high) {
        if (measured.low() >= low && measured.high() <= high) {
            return new ClaimVerdict(ClaimWord.REPRODUCED, "");
        }
        return measured.high() < low || measured.low() > high
                ? new ClaimVerdict(ClaimWord.NOT_REPRODUCED, "")
                : undecided(measured);
    }

    private static ClaimVerdict undecided(Estimate measured) {
        return notComparable("the interval " + ClaimNumber.text(measured.low()) + " to "
                + ClaimNumber.text(measured.high()) + " does not decide");
    }
}
