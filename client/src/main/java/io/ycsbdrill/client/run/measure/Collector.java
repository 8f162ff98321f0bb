package io.ycsbdrill.client.run.measure;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Takes interval after interval out of all threads' recorders, in order and without gaps; the argument that nothing is lost or
 * counted twice is in {@link ThreadRecorder}. Owned by one thread at a time.
 */
public final class Collector {
    private static final long QUIET = -1;
    private static final long UNSEEN = -2;

    private final List<ThreadRecorder> recorders;
    private final Timeline timeline;
    private final List<Queue<Interval>> handedOver = new ArrayList<>();
    /** Per recorder: the odd section number waited for, or QUIET once nothing more can reach the next interval. */
    private final long[] waiting;

    private long next;

    public Collector(List<ThreadRecorder> recorders, Timeline timeline) {
        this.recorders = List.copyOf(recorders);
        this.timeline = timeline;
        recorders.forEach(recorder -> handedOver.add(new ArrayDeque<>()));
        waiting = new long[recorders.size()];
        Arrays.fill(waiting, UNSEEN);
    }

    /** When the next interval can be taken, since run start. */
    public long nextDueNanos() {
        return (next + 1) * timeline.intervalNanos();
    }

    /** Until when everything was taken, since run start. */
    public long takenUntilNanos() {
        return next * timeline.intervalNanos();
    }

    /** The next interval; empty while it has not ended or a thread is just recording into it. */
    public Optional<IntervalTotals> poll() {
        if (timeline.clock().now() < nextDueNanos() || !quiet()) {
            return Optional.empty();
        }
        return Optional.of(take(nextDueNanos()));
    }

    /** Drops whatever the threads still record from now on. A thread that is blocked in a call is not waited for. */
    public void close() {
        recorders.forEach(ThreadRecorder::close);
        Arrays.fill(waiting, UNSEEN);
        while (!quiet()) {
            Thread.onSpinWait();
        }
    }

    /**
     * After {@link #close}: the next interval up to the run's end; empty when everything up to there was taken.
     *
     * @param endNanos the run's end since its start, later than every completion
     */
    public Optional<IntervalTotals> pollClosed(long endNanos) {
        long start = next * timeline.intervalNanos();
        return start >= endNanos ? Optional.empty() : Optional.of(take(Math.min(nextDueNanos(), endNanos)));
    }

    private boolean quiet() {
        VarHandle.fullFence();
        boolean all = true;
        for (int i = 0; i < waiting.length; i++) {
            if (waiting[i] != QUIET) {
                long section = recorders.get(i).section();
                boolean quiet = (section & 1) == 0 || waiting[i] >= 0 && waiting[i] != section;
                waiting[i] = quiet ? QUIET : section;
                all &= quiet;
            }
        }
        return all;
    }

    private IntervalTotals take(long endNanos) {
        IntervalTotals totals =
                new IntervalTotals(next, next * timeline.intervalNanos(), endNanos, timeline.sliceNanos());
        for (int i = 0; i < recorders.size(); i++) {
            take(recorders.get(i), handedOver.get(i), totals);
        }
        next++;
        Arrays.fill(waiting, UNSEEN);
        return totals;
    }

    private void take(ThreadRecorder recorder, Queue<Interval> queue, IntervalTotals totals) {
        Interval held = recorder.held();
        if (held.index == next && !held.taken) {
            totals.add(held);
            held.taken = true;
        }
        for (Interval full = recorder.nextFull(); full != null; full = recorder.nextFull()) {
            queue.add(full);
        }
        while (!queue.isEmpty() && queue.peek().index <= next) {
            Interval full = queue.remove();
            if (!full.taken) {
                totals.add(full);
            }
            full.reset();
            recorder.recycle(full);
        }
    }
}
