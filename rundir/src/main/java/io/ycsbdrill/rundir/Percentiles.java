package io.ycsbdrill.rundir;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Latencies of successful operations in microseconds; {@link Double#NaN} where there was no operation or the file does not
 * say. Immutable.
 */
public final class Percentiles {
    public static final Percentiles ABSENT = of(latency -> Double.NaN);

    private final double[] micros;

    private Percentiles(double[] micros) {
        this.micros = micros;
    }

    /** These values. */
    public static Percentiles of(ToDoubleFunction<Latency> micros) {
        return new Percentiles(
                Arrays.stream(Latency.values()).mapToDouble(micros).toArray());
    }

    /** @param nanos null for none */
    public static Percentiles of(Histogram nanos) {
        return nanos == null || nanos.getTotalCount() == 0 ? ABSENT : of(latency -> latency.of(nanos) / 1000);
    }

    /** One of them. */
    public double get(Latency latency) {
        return micros[latency.ordinal()];
    }

    /** Whether any operation was recorded. */
    public boolean present() {
        return !Double.isNaN(mean());
    }

    public double mean() {
        return get(Latency.MEAN);
    }

    public double p50() {
        return get(Latency.P50);
    }

    public double p95() {
        return get(Latency.P95);
    }

    public double p99() {
        return get(Latency.P99);
    }
}
