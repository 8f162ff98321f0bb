package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.Outcome;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;
import site.ycsb.Status;

/** What one thread did of one operation in one interval. Written by that thread, then read and reset by the collector. */
final class OperationData {
    private static final int OUTCOMES = Outcome.values().length;
    static final int DIGITS = 3;

    final SliceCounts slices;

    /** By outcome; null until first needed. Intervals are at most a second, so an int count cannot overflow. */
    final AbstractHistogram[] service = new AbstractHistogram[OUTCOMES];

    final AbstractHistogram[] response = new AbstractHistogram[OUTCOMES];
    final StatusCounts returns = new StatusCounts();
    long retries;
    long retriedOperations;

    OperationData(int slices) {
        this.slices = new SliceCounts(slices);
    }

    /**
     * @param responseNanos negative when there is no intended start
     * @param status null when the operation has none of its own
     */
    void record(int slice, Outcome outcome, long serviceNanos, long responseNanos, Status status) {
        int o = outcome.ordinal();
        slices.record(slice, outcome, serviceNanos);
        histogram(service, o).recordValue(serviceNanos);
        if (responseNanos >= 0) {
            histogram(response, o).recordValue(responseNanos);
        }
        if (status != null) {
            returns.count(status);
        }
    }

    /** One of the recorded operations needed this many retries. */
    void retried(int times) {
        retries += times;
        retriedOperations++;
    }

    private static AbstractHistogram histogram(AbstractHistogram[] histograms, int outcome) {
        AbstractHistogram histogram = histograms[outcome];
        if (histogram == null) {
            histogram = new IntCountsHistogram(DIGITS);
            histograms[outcome] = histogram;
        }
        return histogram;
    }

    void reset() {
        slices.reset();
        reset(service);
        reset(response);
        returns.reset();
        retries = 0;
        retriedOperations = 0;
    }

    private static void reset(AbstractHistogram[] histograms) {
        for (AbstractHistogram histogram : histograms) {
            if (histogram != null && histogram.getTotalCount() > 0) {
                histogram.reset();
            }
        }
    }
}
