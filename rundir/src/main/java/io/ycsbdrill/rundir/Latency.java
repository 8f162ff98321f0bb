package io.ycsbdrill.rundir;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The latencies that are told of successful operations; a constant is a column of {@code windows.csv}, of {@code summary.json} and of the report. */
public enum Latency {
    MEAN("mean", Double.NaN),
    P50("p50", 50),
    P90("p90", 90),
    P95("p95", 95),
    P99("p99", 99),
    P99_9("p99_9", 99.9),
    MAX("max", Double.NaN);

    /** Those of an experiment's tables. */
    public static final List<Latency> OF_EXPERIMENTS =
            Arrays.stream(values()).filter(latency -> latency != P90).toList();

    private final String label;
    private final double percentile;

    Latency(String label, double percentile) {
        this.label = label;
        this.percentile = percentile;
    }

    /** The one with this label. */
    public static Latency labelled(String label) {
        return Arrays.stream(values())
                .filter(latency -> latency.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + label + "\" is not a latency"));
    }

    /** {@code p99_9}, as in names of columns. */
    public String label() {
        return label;
    }

    /** {@code p99.9}, for people. */
    public String title() {
        return label.replace('_', '.');
    }

    /** Whether it is a percentile, and not the mean or the maximum. */
    public boolean isPercentile() {
        return !Double.isNaN(percentile);
    }

    /** {@code service_p99_9_us}. */
    public String column(String measure) {
        return measure + "_" + label + "_us";
    }

    /** {@code p99_9Micros}. */
    public String key() {
        return label + "Micros";
    }

    /** The value that a histogram has of it. */
    public double of(Histogram histogram) {
        return isPercentile()
                ? histogram.getValueAtPercentile(percentile)
                : this == MEAN ? histogram.getMean() : histogram.getMaxValue();
    }

    static String columns(String measure) {
        return Arrays.stream(values()).map(each -> each.column(measure)).collect(Collectors.joining(" "));
    }
}
