package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import site.ycsb.Status;

/**
 * Records one client thread's operations. All methods are for that thread only, except those of the collector, which are marked.
 * In steady state an operation costs no lock and no allocation.
 *
 * <p><b>Why every operation lands in exactly one interval, the one in which it completed.</b> The end of an operation is read
 * from the clock inside a <i>section</i>: the writer makes {@code section} odd, passes a full fence, reads the clock, records,
 * and makes {@code section} even again (release). The end decides the interval; when it lies past the current buffer's
 * end, the writer queues that buffer for the collector and goes on in a fresh one, so a buffer only ever holds one interval.
 *
 * <p>The collector takes interval <i>i</i>, which ends at <i>E</i>, after it has read a time of at least <i>E</i>, passed a full
 * fence and then looked at {@code section}. If it was even, any later section became odd after the look, so that its clock reading
 * is later than the collector's and at least <i>E</i> (the two fences make this order total: either the collector sees the odd value or
 * the writer reads a later time). If it was odd, the collector waits for it to change; from then on the same holds. So nothing more
 * can be added to interval <i>i</i>, and all of it is visible (acquire of the value that the writer released). The numbers are then either
 * in the buffer still held by the writer or in a queued one: the collector looks at the held one first, and the writer queues
 * before it replaces it, so the buffer cannot be missed; a held buffer that was read is marked as taken, so it is not counted again
 * when it arrives in the queue. A thread that is blocked in a call is outside any section and delays no one.
 *
 * <p>Long, as that argument is about all of it.
 */
public final class ThreadRecorder {
    /** Stands for the missing status of a binding that answered {@code null}. */
    static final Status NO_STATUS = new Status("null", "The binding returned no status.");

    /** In place of an intended start, when there is none. */
    public static final long UNSCHEDULED = Long.MIN_VALUE;

    private static final VarHandle SECTION;
    private static final VarHandle IN_FLIGHT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SECTION = lookup.findVarHandle(ThreadRecorder.class, "section", long.class);
            IN_FLIGHT = lookup.findVarHandle(ThreadRecorder.class, "inFlight", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Operations operations;
    private final int thread;
    private final NanoClock clock;
    private final long originNanos;
    private final long intervalNanos;
    private final long sliceNanos;
    private final int slices;
    private final Map<String, Integer> reportedIds = new HashMap<>();
    private final Map<String, Integer> wholeIds = new HashMap<>();

    private long section;
    private int inFlight = -1;
    private long inFlightSince;
    private volatile boolean closed;
    private volatile Interval held;
    private final Queue<Interval> full = new ConcurrentLinkedQueue<>();
    private final Queue<Interval> free = new ConcurrentLinkedQueue<>();

    /** The writer's own copy of {@link #held}, and its bounds. */
    private Interval interval;

    private long intervalStart;
    private long intervalEnd;

    private long intended = UNSCHEDULED;
    private boolean firstCall = true;
    private long firstStart;
    private long lastEnd;
    private Outcome worst = Outcome.OK;
    private String reported;
    private long reportedNanos;
    /** How often the call under way was repeated. */
    private int retries;
    /** The owner of the key of the call under way. */
    private int owner = KeyOwner.NONE;

    /** @param thread number of the client thread, from 0; of one that takes over from another, that one's */
    public ThreadRecorder(Operations operations, Timeline timeline, int thread) {
        this.operations = operations;
        this.thread = thread;
        clock = timeline.clock().clock();
        originNanos = timeline.clock().originNanos();
        intervalNanos = timeline.intervalNanos();
        sliceNanos = timeline.sliceNanos();
        slices = timeline.slicesPerInterval();
        interval = new Interval(slices);
        intervalStart = originNanos;
        intervalEnd = originNanos + intervalNanos;
        held = interval;
    }

    /** A transaction begins in a closed loop: it has no intended start. */
    public void beginTransaction() {
        firstCall = true;
        worst = Outcome.OK;
    }

    /** A transaction begins whose intended start was at this reading of the clock. */
    public void beginTransaction(long intendedNanoTime) {
        beginTransaction();
        intended = intendedNanoTime;
    }

    /** The transaction is over; one that called the database not at all counts too. */
    public void endTransaction() {
        flushReported();
        if (firstCall) {
            enter();
            try {
                if (!closed) {
                    interval.transactions++;
                }
            } finally {
                leave();
            }
        }
    }

    /** Arrivals of the schedule that are dropped now. */
    public void skip(long arrivals) {
        long now = enter();
        try {
            if (!closed) {
                interval.skipped[slice(now)] += arrivals;
            }
        } finally {
            leave();
        }
    }

    /** A call starts; gives its start, a reading of the clock. */
    public long begin(int operation) {
        flushReported();
        long start = clock.nanoTime();
        if (firstCall) {
            firstStart = start;
        }
        inFlightSince = start;
        IN_FLIGHT.setRelease(this, operation);
        return start;
    }

    /**
     * A call on one key starts; gives its start, a reading of the clock.
     *
     * @param keyOwner who owns the key; {@link KeyOwner#NONE} when nobody knows
     */
    long begin(int operation, int keyOwner) {
        owner = keyOwner;
        return begin(operation);
    }

    /** The number of a whole operation. */
    int whole(String name) {
        return wholeIds.computeIfAbsent(name, operations::whole);
    }

    /** The call that has begun is tried once more. */
    public void retrying() {
        retries++;
    }

    /**
     * A call has returned.
     *
     * @param start what {@link #begin} gave
     * @param status what the binding returned; null counts as no answer
     * @return its outcome
     */
    public Outcome end(int operation, long start, Status status) {
        Outcome outcome = Outcome.of(status, Operations.isWrite(operation));
        end(operation, start, outcome, status == null ? NO_STATUS : status);
        return outcome;
    }

    /** A call has returned and has done what was asked, although its status is not OK. */
    Outcome ok(int operation, long start, Status status) {
        end(operation, start, Outcome.OK, status);
        return Outcome.OK;
    }

    /** A call has thrown: a read has failed, a write has an unknown outcome. */
    public void thrown(int operation, long start, Throwable cause) {
        if (cause instanceof AbandonedCall) {
            return; // It was recorded when it was abandoned, by takeOver.
        }
        Outcome outcome = Operations.isWrite(operation) ? Outcome.UNKNOWN : Outcome.FAILED;
        end(operation, start, outcome, new Status(cause.getClass().getSimpleName(), "Thrown by the binding."));
    }

    /**
     * Ends the call under way of another recorder here and now, as timed out: its thread was given up, and records nothing any more. Called
     * before this recorder's own thread starts.
     */
    public void takeOver(ThreadRecorder abandoned) {
        abandoned.close();
        firstCall = abandoned.firstCall;
        intended = abandoned.intended;
        retries = abandoned.retries;
        owner = abandoned.owner;
        end((int) IN_FLIGHT.getAcquire(abandoned), abandoned.inFlightSince, Statuses.TIMEOUT);
    }

    /** What was begun is not a call yet: it will be one of the rows of {@link #endRows}, and is counted there. */
    public void deferTransaction() {
        firstCall = false;
    }

    /** The intended start of the current transaction, a reading of the clock; {@link #UNSCHEDULED} in a closed loop. */
    public long scheduledStart() {
        return intended;
    }

    /**
     * A call for several rows has returned. Each row is an operation and a transaction that took as long as the call.
     *
     * @param start what {@link #begin} gave
     * @param statuses of the rows
     * @param outcomes of the rows
     * @param scheduled what {@link #scheduledStart} gave for each row
     */
    void endRows(int operation, long start, Status[] statuses, Outcome[] outcomes, long... scheduled) {
        long end = enter();
        try {
            if (!closed) {
                long service = Math.max(0, end - start);
                for (int i = 0; i < statuses.length; i++) {
                    long response = scheduled[i] == UNSCHEDULED ? -1 : Math.max(service, end - scheduled[i]);
                    interval.operation(operation).record(slice(end), outcomes[i], service, response, statuses[i]);
                }
                interval.transactions += statuses.length;
                IN_FLIGHT.setOpaque(this, -1);
            }
        } finally {
            leave();
        }
        firstCall = false;
        lastEnd = end;
        flushReported(); // the last call of a load belongs to no transaction that would end
    }

    private void end(int operation, long start, Outcome outcome, Status status) {
        long end = enter();
        try {
            if (!closed) {
                long service = Math.max(0, end - start);
                long response = intended == UNSCHEDULED ? -1 : firstCall ? Math.max(service, end - intended) : service;
                OperationData data = interval.operation(operation);
                data.record(slice(end), outcome, service, response, status);
                if (retries > 0) {
                    data.retried(retries);
                }
                if (owner >= 0) {
                    interval.owner(owner).record(slice(end), outcome, service);
                }
                if (firstCall) {
                    interval.transactions++;
                }
                IN_FLIGHT.setOpaque(this, -1);
            }
        } finally {
            leave();
        }
        firstCall = false;
        retries = 0;
        owner = KeyOwner.NONE;
        lastEnd = end;
        if (outcome.ordinal() > worst.ordinal()) {
            worst = outcome;
        }
    }

    /** The workload reports a measurement of its own; its status, if any, comes in {@link #reportedStatus}. */
    void reported(String operation, int micros) {
        flushReported();
        if (operation.equals(Operations.READ_MODIFY_WRITE) && !firstCall) {
            // Its own times are exact, and it is as good as its worst part; the workload tells neither.
            recordReported(
                    operation,
                    lastEnd - firstStart,
                    intended == UNSCHEDULED ? -1 : Math.max(lastEnd - firstStart, lastEnd - intended),
                    worst,
                    null);
        } else {
            reported = operation;
            reportedNanos = Math.max(0, micros) * 1000L;
        }
    }

    /** The status of the measurement just reported. */
    void reportedStatus(String operation, Status status) {
        if (operation.equals(reported)) {
            reported = null;
            Status known = status == null ? NO_STATUS : status;
            recordReported(operation, reportedNanos, -1, Outcome.of(status, false), known);
        }
    }

    private void flushReported() {
        if (reported != null) {
            String operation = reported;
            reported = null;
            recordReported(operation, reportedNanos, -1, Outcome.OK, null);
        }
    }

    private void recordReported(String operation, long service, long response, Outcome outcome, Status status) {
        int id = reportedIds.computeIfAbsent(operation, operations::id);
        long now = enter();
        try {
            if (!closed) {
                interval.operation(id).record(slice(now), outcome, service, response, status);
            }
        } finally {
            leave();
        }
    }

    /** The intended start of the current transaction, for workloads that ask; now when there is none. */
    long intendedStart() {
        return intended == UNSCHEDULED ? clock.nanoTime() : intended;
    }

    private long enter() {
        SECTION.setOpaque(this, section + 1);
        VarHandle.fullFence();
        long now = clock.nanoTime();
        if (now - intervalEnd >= 0 && !closed) {
            try {
                roll(now);
            } catch (Throwable t) {
                leave(); // Out of memory must not leave the collector waiting for ever.
                throw t;
            }
        }
        return now;
    }

    private void leave() {
        SECTION.setRelease(this, section + 1);
    }

    private int slice(long now) {
        return (int) ((now - intervalStart) / sliceNanos);
    }

    private void roll(long now) {
        Interval next = free.poll();
        if (next == null) {
            next = new Interval(slices);
        }
        next.index = (now - originNanos) / intervalNanos;
        intervalStart = originNanos + next.index * intervalNanos;
        intervalEnd = intervalStart + intervalNanos;
        full.add(interval);
        interval = next;
        held = next;
    }

    // ---- the collector's side

    /** Collector: number of the client thread. */
    int thread() {
        return thread;
    }

    /** Collector: the section counter; odd while the writer is inside a section. */
    long section() {
        return (long) SECTION.getAcquire(this);
    }

    /** Collector: the buffer that the writer holds. */
    Interval held() {
        return held;
    }

    /** Collector: the next buffer handed over; null when there is none. */
    Interval nextFull() {
        return full.poll();
    }

    /** Collector: gives a reset buffer back. */
    void recycle(Interval empty) {
        free.add(empty);
    }

    /** Collector: whether nothing more is recorded. */
    boolean isClosed() {
        return closed;
    }

    /** Collector: whatever is recorded from now on is dropped; a section that is under way still counts. */
    void close() {
        closed = true;
    }

    /** From any thread: the call that has not returned. Exact once this recorder is closed; a hint before. */
    public Optional<InFlight> inFlight() {
        int operation = (int) IN_FLIGHT.getAcquire(this);
        return operation < 0
                ? Optional.empty()
                : Optional.of(new InFlight(operation, clock.nanoTime() - inFlightSince));
    }

    /**
     * A call that has not returned.
     *
     * @param operation its number
     * @param nanos how long it has been running
     */
    public record InFlight(int operation, long nanos) {}
}
