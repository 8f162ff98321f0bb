package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.claim.ClaimVerdict;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.MedianInterval;
import io.ycsbdrill.report.stat.NoiseFloor;

/** Estimates and ratios as text; the same on the page, in Markdown and on the terminal. Stateless. */
final class ResultWords {
    /** {@code 12,345}, or {@code n/a}. */
    static String median(Figure figure, Estimate estimate) {
        return estimate.n() == 0 ? NumberText.ABSENT : figure.text(estimate.value());
    }

    /** {@code 12,100 to 12,600}, of five runs {@code 12,100 to 12,600, 93.75 %}, or why there is none. */
    static String interval(Figure figure, Estimate estimate) {
        return estimate.hasInterval()
                ? figure.text(estimate.low()) + " to " + figure.text(estimate.high())
                        + (estimate.n() == MedianInterval.LEAST ? ", " + MedianInterval.level(estimate.n()) : "")
                : "no interval (n=" + estimate.n() + ")";
    }

    /** {@code ×1.23 (1.18 to 1.29)}. */
    static String ratio(Estimate ratio) {
        return factor(ratio.value())
                + (ratio.hasInterval()
                        ? " (" + number(ratio.low()) + " to " + number(ratio.high()) + ")"
                        : " (no interval, n=" + ratio.n() + ")");
    }

    /** {@code ×1.23}. */
    static String factor(double ratio) {
        return "\u00d7" + number(ratio);
    }

    private static String number(double ratio) {
        return Formatted.of(ratio >= 10 ? "%,.0f" : ratio >= 0.1 ? "%.2f" : "%.3f", ratio);
    }

    /** With a sign, as nothing is shown by colour alone. */
    static String comparison(Comparison comparison) {
        return switch (comparison) {
            case BETTER -> "\u25b2 better";
            case WORSE -> "\u25bc worse";
            case NOT_DISTINGUISHABLE -> Comparison.NOT_DISTINGUISHABLE.label();
        };
    }

    static String notComparable(String reason) {
        return ClaimVerdict.notComparable(reason).text();
    }

    /** {@code ±3.1 % (5 pairs)}. */
    static String floor(NoiseFloor floor) {
        return floor.n() == 0
                ? "not measured"
                : Formatted.of(
                        "\u00b1%.1f %% (%d %s)",
                        100 * (floor.ratio() - 1), floor.n(), floor.n() == 1 ? "pair" : "pairs");
    }
}
