package io.ycsbdrill.client.run.measure;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Takes interval after interval out of all threads' recorders, in order and without gaps; the argument that nothing is lost or
 * counted twice is in {@link ThreadRecorder}. Owned by one thread at a time, but for {@link #add}.
 */
public final class Collector {
    private static final long QUIET = -1;
    private static final long UNSEEN = -2;

    private final List<Source> sources = new ArrayList<>();
    private final Queue<ThreadRecorder> added = new ConcurrentLinkedQueue<>();
    private final Timeline timeline;
    private long next;

    /** One recorder, what it has handed over and was not taken yet. */
    private static final class Source {
        final ThreadRecorder recorder;
        final Queue<Interval> handedOver = new ArrayDeque<>();
        /** The odd section number waited for, or QUIET once nothing more can reach the next interval. */
        long waiting = UNSEEN;

        Source(ThreadRecorder recorder) {
            this.recorder = recorder;
        }
    }

    public Collector(List<ThreadRecorder> recorders, Timeline timeline) {
        this.timeline = timeline;
        recorders.forEach(recorder -> sources.add(new Source(recorder)));
    }

    /**
     * Takes the intervals of one more recorder, too. From any thread, before anything is recorded by it: what is recorded then ends later than
     * the interval that is being taken meanwhile.
     */
    public void add(ThreadRecorder recorder) {
        added.add(recorder);
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
        if (timeline.clock().now() < nextDueNanos()) {
            return Optional.empty();
        }
        join();
        if (!quiet()) {
            return Optional.empty();
        }
        return Optional.of(take(nextDueNanos()));
    }

    /** Drops whatever the threads still record from now on. A thread that is blocked in a call is not waited for. */
    public void close() {
        join();
        sources.forEach(source -> {
            source.recorder.close();
            source.waiting = UNSEEN;
        });
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

    private void join() {
        for (ThreadRecorder one = added.poll(); one != null; one = added.poll()) {
            sources.add(new Source(one));
        }
    }

    private boolean quiet() {
        VarHandle.fullFence();
        boolean all = true;
        for (Source source : sources) {
            if (source.waiting != QUIET) {
                long section = source.recorder.section();
                boolean quiet = (section & 1) == 0 || source.waiting >= 0 && source.waiting != section;
                source.waiting = quiet ? QUIET : section;
                all &= quiet;
            }
        }
        return all;
    }

    private IntervalTotals take(long endNanos) {
        IntervalTotals totals =
                new IntervalTotals(next, next * timeline.intervalNanos(), endNanos, timeline.sliceNanos());
        sources.removeIf(source -> {
            boolean closed = source.recorder.isClosed();
            take(source, totals);
            source.waiting = UNSEEN;
            return closed && source.handedOver.isEmpty() && source.recorder.held().index <= next;
        });
        next++;
        return totals;
    }

    private void take(Source source, IntervalTotals totals) {
        ThreadRecorder recorder = source.recorder;
        Queue<Interval> queue = source.handedOver;
        Interval held = recorder.held();
        if (held.index == next && !held.taken) {
            totals.add(held, recorder.thread());
            held.taken = true;
        }
        for (Interval full = recorder.nextFull(); full != null; full = recorder.nextFull()) {
            queue.add(full);
        }
        while (!queue.isEmpty() && queue.peek().index <= next) {
            Interval full = queue.remove();
            if (!full.taken) {
                totals.add(full, recorder.thread());
            }
            full.reset();
            recorder.recycle(full);
        }
    }
}
