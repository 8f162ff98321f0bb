package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.AuditData;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.OptionalDouble;

/** Formats numbers for display with their significant digits, the same on every machine. */
public final class NumberText {
    public static final String ABSENT = "n/a";
    private static final double ROUNDING = 1e-9;
    /** Before the bound of a value that is not above it. */
    public static final String AT_MOST = "\u2264 ";

    private NumberText() {}

    /** {@code 19,874}, {@code 57.3}, {@code 2.4}, {@code 0.043}; {@code n/a} for NaN, 0 for what only arithmetic has left. */
    public static String plain(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return ABSENT;
        }
        if (value == Math.rint(value) || size >= 1000 || size < ROUNDING) {
            return Formatted.of("%,.0f", size < ROUNDING ? 0 : value);
        }
        return Formatted.of(size >= 100 ? "%.0f" : size >= 1 ? "%.1f" : "%.3g", value);
    }

    /** Without the digits that only arithmetic has made; never a small value as 0. */
    public static double forScripts(double value) {
        return new BigDecimal(value).round(new MathContext(12)).doubleValue();
    }

    /** {@code 1,200}, {@code 60.0408}: to the millionth. */
    public static String exact(double value) {
        return Formatted.of("%,.6f", value).replaceFirst("\\.?0+$", "");
    }

    public static String of(OptionalDouble value) {
        return value.isPresent() ? plain(value.getAsDouble()) : ABSENT;
    }

    /** Seconds on the run's time axis, always to a tenth so that columns line up. */
    public static String seconds(double value) {
        return Double.isFinite(value) ? Formatted.of("%,.1f", value) : ABSENT;
    }

    /** Microseconds as milliseconds, three significant digits. */
    public static String millis(double micros) {
        return threeDigits(micros / 1000);
    }

    /** {@code 1,234}, {@code 123}, {@code 12.3}, {@code 1.23}, {@code 0.123}. */
    public static String threeDigits(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return ABSENT;
        }
        return Formatted.of(size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }

    /** {@code 12}, {@code ≥ 12} when there may be more. */
    public static String ackedLost(DrillMetrics metrics) {
        return bound(metrics.ackedLost()) + of(metrics.ackedLost().value());
    }

    /** {@code 412 ms}, {@code none} when no write was lost. */
    public static String rpo(DrillMetrics metrics) {
        if (metrics.rpo().value().isEmpty()) {
            return ABSENT;
        }
        double millis = Math.rint(1000 * metrics.rpo().value().getAsDouble());
        return noneLost(metrics) ? "none lost" : bound(metrics.rpo()) + plain(millis) + " ms";
    }

    /** {@code ≥ }, {@code ≤ }, or nothing before a value that is known. */
    public static String bound(Measure measure) {
        return measure.censored() ? "\u2265 " : measure.atMost() ? AT_MOST : "";
    }

    /** Whether no acknowledged write is missing: never after a restore, which may have taken what was written anew since. */
    public static boolean noneLost(DrillMetrics metrics) {
        return metrics.ackedLost().value().orElse(1) == 0
                && metrics.audit().flatMap(AuditData::restore).isEmpty();
    }

    public static String measure(Metric metric, Measure measure) {
        if (measure.value().isEmpty()) {
            return ABSENT;
        }
        double value = measure.value().getAsDouble();
        String number =
                switch (metric.unit()) {
                    case SECONDS -> seconds(value);
                    case MILLIS -> threeDigits(value);
                    // Not "-0.0", which looks as if it were a fall.
                    case PERCENT -> Formatted.of("%.1f", Math.rint(10 * value) / 10 + 0.0);
                    case OPERATIONS, TYPES, OPS_PER_SECOND -> Formatted.of("%,.0f", value);
                };
        return (metric.least(measure).isPresent() ? "\u2265 " : "") + number + " "
                + metric.unit().symbol();
    }
}
