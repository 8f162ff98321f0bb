package io.ycsbdrill.client.live;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Sums of a run for its metrics. Fed by {@code window-sampler} with what was recorded anyway, once per recording interval;
 * read by whoever asks. Thread-safe.
 */
final class RunCounts implements RunCompanion {
    private final Runnable changed;
    private final Map<String, Operation> operations = new TreeMap<>();
    private long skipped;
    private OptionalDouble windowThroughput = OptionalDouble.empty();
    private RunControl run;
    private boolean ended;

    /** One operation's sums, by outcome. */
    static final class Operation {
        final long[] counts = new long[Outcome.values().length];
        final Buckets[] service = buckets();
        final Buckets[] response = buckets();

        private static Buckets[] buckets() {
            Buckets[] all = new Buckets[Outcome.values().length];
            Arrays.setAll(all, i -> new Buckets());
            return all;
        }
    }

    /** @param changed called when the run starts and when it has ended */
    RunCounts(Runnable changed) {
        this.changed = changed;
    }

    @Override
    public void started(RunControl started) {
        synchronized (this) {
            run = started;
        }
        changed.run();
    }

    @Override
    public synchronized void interval(IntervalTotals interval, Operations names) {
        skipped += interval.skipped();
        interval.operations()
                .forEach((id, totals) ->
                        add(operations.computeIfAbsent(names.name(id), none -> new Operation()), totals));
    }

    private static void add(Operation sums, OperationTotals totals) {
        for (Outcome outcome : Outcome.values()) {
            sums.counts[outcome.ordinal()] += totals.count(outcome);
            sums.service[outcome.ordinal()].add(totals.service(outcome));
            sums.response[outcome.ordinal()].add(totals.response(outcome));
        }
    }

    @Override
    public synchronized void window(WindowSnapshot window) {
        double seconds = (window.endNanos() - window.startNanos()) / 1e9;
        windowThroughput = seconds > 0 ? OptionalDouble.of(window.ok() / seconds) : OptionalDouble.empty();
    }

    @Override
    public void ended(RunControl over) {
        synchronized (this) {
            ended = true;
        }
        changed.run();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Wall-clock time of the start in seconds; empty before. */
    synchronized OptionalDouble startSeconds() {
        return run == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(run.clock().wall(0).toEpochMilli() / 1e3);
    }

    /** Seconds since the start; 0 before. */
    synchronized double elapsedSeconds() {
        return run == null ? 0 : run.clock().now() / 1e9;
    }

    /** Sums by operation; hold this object's lock while reading them. */
    Map<String, Operation> operations() {
        return operations;
    }

    long skipped() {
        return skipped;
    }

    OptionalDouble windowThroughput() {
        return windowThroughput;
    }

    /** What the client threads last reported about lost connections. */
    List<Reconnects.Server> reconnects() {
        RunControl asked;
        synchronized (this) {
            asked = run;
        }
        return asked == null ? List.of() : asked.reconnects();
    }
}
