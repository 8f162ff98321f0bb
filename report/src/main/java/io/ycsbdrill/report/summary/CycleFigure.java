package io.ycsbdrill.report.summary;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.MedianInterval;
import java.util.List;
import java.util.Optional;

/**
 * One figure over the cycles of a repeated drill; docs/metrics.md has the formulas. Bounds are in the unit of the figure; what the end
 * of a cycle cut short makes the upper ones infinite.
 *
 * @param key its name in JSON
 * @param title its name in tables
 * @param unit of all its numbers
 * @param byCycle its values, one for each cycle in order of time
 * @param n cycles with faults that have it at all; of these are the following
 * @param median from and to: equal when known exactly
 * @param least the smallest value
 * @param most the largest value
 * @param interval of the median, see {@link MedianInterval}; empty when there are too few cycles
 * @param noise the worst value of a null cycle; empty when no null cycle has one
 * @param effect whether the cycles with faults differ from those without
 * @param trend rise for each cycle of the run, with its interval; empty when a value is not known exactly, or fewer than two are
 */
public record CycleFigure(
        String key,
        String title,
        Metric.Unit unit,
        List<Value> byCycle,
        int n,
        Range median,
        double least,
        double most,
        Optional<Range> interval,
        Optional<Double> noise,
        Effect effect,
        Optional<Estimate> trend) {

    /** From and to; infinite when unknown. */
    public record Range(double from, double to) {}

    /**
     * The value of one cycle.
     *
     * @param cycle its number
     * @param isNull whether nothing was injected in it
     */
    public record Value(int cycle, boolean isNull, Measure measure) {}

    /** Whether a figure differs from that of cycles in which nothing was injected. */
    public enum Effect {
        SEEN(""),
        NOT_DISTINGUISHABLE("not distinguishable from no fault"),
        TOO_FEW("too few cycles to tell from no fault"),
        /** Without null cycles, or of a figure that is no effect of a fault. */
        NOT_COMPARED("");

        private final String label;

        Effect(String label) {
            this.label = label;
        }

        /** What to write beside the figure; empty when there is nothing to say. */
        public String label() {
            return label;
        }
    }

    public CycleFigure {
        byCycle = List.copyOf(byCycle);
    }

    /** {@code 1.2 s [0.9 to 3.4]}; {@code n/a} when no cycle has it. */
    public String summary() {
        boolean nothing = n == 0 || Double.isInfinite(median.from()) && Double.isInfinite(most);
        return nothing ? middle() : middle() + " [" + number(least) + " to " + number(most) + "]";
    }

    /** {@code 1.2 s}; {@code ≥ 1.2 s} when the end of cycles cut it short, {@code unknown} when nothing is known then. */
    public String middle() {
        if (n == 0) {
            return NumberText.ABSENT;
        }
        return Double.isInfinite(median.from())
                ? number(median.from())
                : (median.from() == median.to() ? "" : "\u2265 ") + number(median.from()) + " " + unit.symbol();
    }

    /** {@code 0.9 to 2.9 s (95 %)}, {@code 0.9 to unknown s (93.75 %)}. */
    public String intervalText() {
        return interval.map(range -> number(range.from()) + " to " + number(range.to()) + " " + unit.symbol() + " ("
                        + MedianInterval.level(n) + ")")
                .orElse(n == 0 ? "" : "no interval (n=" + n + ")");
    }

    /** {@code 0.2 s}, {@code none} when null cycles had no such thing; empty when there is nothing to compare with. */
    public String noiseText() {
        return effect == Effect.NOT_COMPARED
                ? ""
                : noise.map(value -> number(value) + (Double.isInfinite(value) ? "" : " " + unit.symbol()))
                        .orElse("none");
    }

    /** {@code +0.3 s per cycle (0.1 to 0.5)}, {@code none (-0.1 to 0.2 s per cycle)}; empty when it is not known. */
    public String trendText() {
        return trend.map(slope -> {
                    if (!slope.hasInterval()) {
                        return "no interval (n=" + slope.n() + ")";
                    }
                    String from = NumberText.threeDigits(slope.low());
                    String to = NumberText.threeDigits(slope.high());
                    return slope.excludes(0)
                            ? Formatted.of(
                                    "%s%s %s per cycle (%s to %s)",
                                    slope.value() > 0 ? "+" : "",
                                    NumberText.threeDigits(slope.value()),
                                    unit.symbol(),
                                    from,
                                    to)
                            : "none (" + from + " to " + to + " " + unit.symbol() + " per cycle)";
                })
                .orElse(n == 0 ? "" : NumberText.ABSENT);
    }

    /** The value of a cycle as in tables: {@code 1.2}, {@code ≥ 1.2}, {@code n/a}; a dash when there was nothing to measure. */
    public String text(Value value) {
        Measure measure = value.measure();
        if (measure.value().isEmpty()) {
            return measure.applicable() ? NumberText.ABSENT : "\u2013";
        }
        return boundless(value)
                ? "unknown"
                : (measure.censored() ? "\u2265 " : "") + number(measure.value().getAsDouble());
    }

    /** Whether the value may be any other, because the end of the cycle cut short a share of the service. */
    public boolean boundless(Value value) {
        return value.measure().censored() && key.equals(Metric.FIRST_MINUTE.key());
    }

    private String number(double value) {
        boolean fine = key.equals(Metric.DETECTED.key());
        if (Double.isInfinite(value)) {
            return "unknown";
        }
        return switch (unit) {
            case MILLIS -> NumberText.threeDigits(value);
            case SECONDS -> fine ? NumberText.threeDigits(value) : NumberText.seconds(value);
            case PERCENT -> Formatted.of("%.1f", value);
            case OPERATIONS, TYPES, OPS_PER_SECOND -> Formatted.of("%,.0f", value);
        };
    }
}
