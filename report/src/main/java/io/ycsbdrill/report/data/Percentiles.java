package io.ycsbdrill.report.data;

/**
 * Latencies of successful operations in microseconds; {@link Double#NaN} where there was no operation or the file does not
 * say.
 */
public record Percentiles(double mean, double p50, double p90, double p95, double p99, double p999, double max) {
    public static final Percentiles ABSENT =
            new Percentiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Whether any operation was recorded. */
    public boolean present() {
        return !Double.isNaN(mean);
    }
}
