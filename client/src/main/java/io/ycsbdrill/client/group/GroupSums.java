package io.ycsbdrill.client.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.Calibrated;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.measure.WindowCutter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * What all clients of a run have recorded so far, interval by interval, for what shows the run while it goes on. A companion of the first
 * client. An interval is passed on when every client that still runs has sent it, or when one of them is {@value #MOST_WAITING} intervals
 * further: what comes later is left out, and is in the merged run directory, which is made of the clients' files. Thread-safe; those
 * that watch are told of windows and intervals by the thread {@code group-sums}.
 */
final class GroupSums implements RunCompanion, AutoCloseable {
    static final int MOST_WAITING = 30;

    private static final int FIRST = 1;
    private static final Duration LAST = Duration.ofSeconds(30);

    private final List<RunCompanion> watching;
    private final long intervalNanos;
    private final Operations names = new Operations();
    private final TreeMap<Long, Sum> waiting = new TreeMap<>();
    private final Map<Integer, Long> newest = new HashMap<>();
    private final Set<Integer> running = new HashSet<>();
    private final GroupSeconds seconds;
    private final TaskThread thread = new TaskThread("group-sums", Integer.MAX_VALUE);
    /** Owned by {@code group-sums}. */
    private final WindowCutter windows;

    private long next;
    private volatile RunControl run;

    /** What has come of an interval: parts are added at once, as the histograms of many clients would need much memory. */
    private static final class Sum {
        private final IntervalTotals totals;
        private long endNanos;

        Sum(long index, long intervalNanos) {
            endNanos = index * intervalNanos;
            totals = new IntervalTotals(index, endNanos, endNanos + intervalNanos, Timeline.SLICE_NANOS);
        }

        void add(IntervalTotals part, IntUnaryOperator ids) {
            totals.add(part, ids);
            endNanos = Math.max(endNanos, part.endNanos());
        }

        /** The last interval of a run may be short. */
        IntervalTotals totals() {
            return endNanos < totals.endNanos() && endNanos > totals.startNanos()
                    ? totals.until(endNanos, Timeline.SLICE_NANOS)
                    : totals;
        }
    }

    /**
     * @param clients how many, with the first one
     * @param window length of a window
     * @param watching are told of all clients together
     */
    GroupSums(int clients, Duration window, List<RunCompanion> watching) {
        this.watching = List.copyOf(watching);
        windows = new WindowCutter(
                window.toNanos(), whole -> {}, shown -> tell("window " + shown.index(), each -> each.window(shown)));
        intervalNanos = Timeline.intervalNanos(window);
        seconds = new GroupSeconds(clients);
        for (int number = FIRST; number <= clients; number++) {
            running.add(number);
            newest.put(number, -1L);
        }
    }

    @Override
    public void waiting(Instant start, Duration left) {
        watching.forEach(each -> each.waiting(start, left));
    }

    @Override
    public void started(RunControl control) {
        run = control;
        control.judgedBy(seconds::recent);
        watching.forEach(each -> each.started(control));
    }

    @Override
    public void calibrated(Calibrated result) {
        watching.forEach(each -> each.calibrated(result));
    }

    @Override
    public void interval(IntervalTotals interval, Operations itsNames) {
        GroupSeconds.ending(interval, run).ifPresent(second -> seconds.add(FIRST, interval, second));
        add(FIRST, interval, id -> IntervalText.id(itsNames.name(id), Operations.isCall(id), names));
    }

    @Override
    public void ended(RunControl control) {
        over(FIRST);
    }

    /** What another client has sent; a line that is damaged is left out. */
    void add(int client, String text) {
        try {
            JsonNode line = IntervalText.parse(text);
            IntervalTotals interval = IntervalText.read(line, names, Timeline.SLICE_NANOS);
            IntervalText.second(line).ifPresent(second -> seconds.add(client, interval, second));
            add(client, interval, id -> id);
        } catch (RuntimeException e) {
            // Whatever another host sends: the thread that reads its lines goes on.
            return;
        }
    }

    private synchronized void add(int client, IntervalTotals interval, IntUnaryOperator ids) {
        boolean fits = interval.startNanos() == interval.index() * intervalNanos
                && interval.endNanos() <= interval.startNanos() + intervalNanos;
        if (!fits || !running.contains(client)) {
            return;
        }
        newest.merge(client, interval.index(), Math::max);
        if (interval.index() >= next) {
            waiting.computeIfAbsent(interval.index(), index -> new Sum(index, intervalNanos))
                    .add(interval, ids);
            passOn();
        }
    }

    /** Nothing more comes from this client. */
    synchronized void over(int client) {
        seconds.over(client);
        running.remove(client);
        passOn();
    }

    private void passOn() {
        while (!waiting.isEmpty() && isDue()) {
            Sum known = waiting.remove(next);
            IntervalTotals sum = (known == null ? new Sum(next, intervalNanos) : known).totals();
            next++;
            thread.execute(() -> pass(sum));
        }
    }

    private boolean isDue() {
        return waiting.lastKey() - next >= MOST_WAITING
                || running.stream().allMatch(client -> newest.get(client) >= next);
    }

    private void pass(IntervalTotals sum) {
        tell("interval " + sum.index(), each -> each.interval(sum, names));
        windows.add(sum);
    }

    private void tell(String what, Consumer<RunCompanion> call) {
        for (RunCompanion each : watching) {
            try {
                call.accept(each);
            } catch (RuntimeException e) {
                // Intervals come only after the start.
                run.abort(each.getClass().getSimpleName() + " failed in " + what + ": " + e);
            }
        }
    }

    /** Nothing more comes from anybody: returns when all that has come was passed on, and the run of all clients has ended. Once. */
    @Override
    public void close() {
        synchronized (this) {
            running.clear();
            passOn();
            thread.execute(windows::finish);
        }
        thread.finish(LAST);
        if (run != null) {
            watching.forEach(each -> each.ended(run));
        }
    }
}
