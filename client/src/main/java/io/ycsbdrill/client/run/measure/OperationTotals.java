package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.rundir.HistogramLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** One operation over some time, all threads together; sums exactly. Owned by one thread at a time. */
public final class OperationTotals {
    private final long[] counts = new long[Outcome.values().length];
    private final Histogram[] service = new Histogram[Outcome.values().length];
    private final Histogram[] response = new Histogram[Outcome.values().length];
    private final TreeMap<String, Long> returns = new TreeMap<>();
    private long retries;
    private long retriedOperations;

    void add(OperationData data) {
        for (int o = 0; o < counts.length; o++) {
            for (long count : data.slices.completed[o]) {
                counts[o] += count;
            }
            add(service, o, data.service[o]);
            add(response, o, data.response[o]);
        }
        data.returns.addTo(returns);
        retries += data.retries;
        retriedOperations += data.retriedOperations;
    }

    /** Adds another one, for example an interval to a window. */
    public void add(OperationTotals other) {
        for (int o = 0; o < counts.length; o++) {
            counts[o] += other.counts[o];
            add(service, o, other.service[o]);
            add(response, o, other.response[o]);
        }
        other.returns.forEach((name, count) -> returns.merge(name, count, Long::sum));
        retries += other.retries;
        retriedOperations += other.retriedOperations;
    }

    private static void add(Histogram[] sums, int outcome, AbstractHistogram more) {
        if (more == null || more.getTotalCount() == 0) {
            return;
        }
        if (sums[outcome] == null) {
            sums[outcome] = new Histogram(OperationData.DIGITS);
        }
        sums[outcome].add(more);
    }

    /** Adds what a run directory says of one outcome: the number and, unless null, its histograms. */
    public void add(Outcome outcome, long count, Histogram serviceNanos, Histogram responseNanos) {
        counts[outcome.ordinal()] += count;
        add(service, outcome.ordinal(), serviceNanos);
        add(response, outcome.ordinal(), responseNanos);
    }

    /** Adds a line of {@code windows.jsonl} or {@code totals.jsonl}. */
    public void add(HistogramLine line) {
        Outcome of = Outcome.valueOf(line.outcome().toUpperCase(Locale.ROOT));
        Histogram histogram = line.histogram();
        add(
                of,
                line.response() ? 0 : histogram.getTotalCount(),
                line.response() ? null : histogram,
                line.response() ? histogram : null);
    }

    /** A line for each histogram that has values. */
    public List<HistogramLine> lines(String operation) {
        List<HistogramLine> lines = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            String name = outcome.name().toLowerCase(Locale.ROOT);
            line(lines, operation, name, HistogramLine.SERVICE, service(outcome));
            line(lines, operation, name, HistogramLine.RESPONSE, response(outcome));
        }
        return lines;
    }

    private static void line(
            List<HistogramLine> lines, String operation, String outcome, String measure, Histogram histogram) {
        if (histogram != null) {
            lines.add(HistogramLine.of(operation, outcome, measure, histogram));
        }
    }

    /** Adds retries. */
    public void addRetries(long attempts, long operations) {
        retries += attempts;
        retriedOperations += operations;
    }

    public long count(Outcome outcome) {
        return counts[outcome.ordinal()];
    }

    /** Service times in nanoseconds; null when nothing completed so. */
    public Histogram service(Outcome outcome) {
        return service[outcome.ordinal()];
    }

    /** Response times in nanoseconds; null when nothing completed so, or without a rate. */
    public Histogram response(Outcome outcome) {
        return response[outcome.ordinal()];
    }

    /** Attempts after the first. */
    public long retries() {
        return retries;
    }

    /** Operations that needed more than one attempt. */
    public long retriedOperations() {
        return retriedOperations;
    }

    /** How often each status came back, by name. */
    public Map<String, Long> returns() {
        return returns;
    }
}
