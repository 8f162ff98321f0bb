package io.ycsbdrill.client.live;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Times so far, by the bounds of a Prometheus histogram. A time counts under a bound only when all times that the recorder does not
 * distinguish from it (three significant digits) lie under it, so no bucket holds a longer one. Owned by one thread at a time.
 */
final class Buckets {
    private static final double[] BOUNDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
    };

    private final long[] counts = new long[BOUNDS.length + 1];
    private double sumSeconds;

    /** Adds times in nanoseconds. */
    void add(Histogram nanos) {
        if (nanos == null) {
            return;
        }
        int bucket = 0;
        for (HistogramIterationValue value : nanos.recordedValues()) {
            while (bucket < BOUNDS.length && value.getValueIteratedTo() > BOUNDS[bucket] * 1e9) {
                bucket++;
            }
            counts[bucket] += value.getCountAddedInThisIterationStep();
        }
        sumSeconds += nanos.getMean() * nanos.getTotalCount() / 1e9;
    }

    boolean isEmpty() {
        return Arrays.stream(counts).allMatch(count -> count == 0);
    }

    double sumSeconds() {
        return sumSeconds;
    }

    ClassicHistogramBuckets snapshot() {
        ClassicHistogramBuckets.Builder builder = ClassicHistogramBuckets.builder();
        for (int i = 0; i < counts.length; i++) {
            builder.bucket(i < BOUNDS.length ? BOUNDS[i] : Double.POSITIVE_INFINITY, counts[i]);
        }
        return builder.build();
    }
}
