package io.ycsbdrill.client.run.pace;

import io.ycsbdrill.base.RunClock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * Gives one client thread its arrivals of the schedule: thread <i>k</i> of <i>n</i> takes <i>k</i>, <i>k+n</i>, … and waits for each
 * to be due. When several of its arrivals are due already, the policy decides which are run. Owned by its thread, but for {@link #unsent}.
 *
 * <p>{@link RatePlan.AfterStall#SKIP} runs the newest arrival that is due and drops those before it;
 * {@link RatePlan.AfterStall#CAP} also keeps the thread's share of {@code capOperations} before the newest; both count what they
 * drop. An arrival that is only late by less than the distance to the thread's next one is never dropped.
 */
public final class Pacer {
    /** No arrival any more: the run was stopped, or the schedule or the duration is over. */
    public static final long END = Long.MAX_VALUE;

    private final ArrivalSchedule schedule;
    private final RunClock clock;
    private final Pause pause;
    private final long step;
    private final long durationNanos;
    /** Late arrivals to keep before the newest one; negative = all. */
    private final long keep;

    private final LongConsumer skipped;
    /** The next one; written by the owner only. */
    private final AtomicLong arrival;

    /** Lets some time pass; may return early. */
    @FunctionalInterface
    public interface Pause {
        /** @param nanos how long at most; positive */
        void pause(long nanos);
    }

    /**
     * @param thread from 0
     * @param durationNanos no arrival that is due at or after this is started
     * @param skipped notified of how many arrivals were dropped, when they are
     */
    public Pacer(
            RatePlan plan,
            int thread,
            int threads,
            long durationNanos,
            RunClock clock,
            Pause pause,
            LongConsumer skipped) {
        schedule = new ArrivalSchedule(plan.segments());
        this.clock = clock;
        this.pause = pause;
        this.durationNanos = durationNanos;
        this.skipped = skipped;
        step = threads;
        arrival = new AtomicLong(thread);
        keep = switch (plan.afterStall()) {
            case CATCHUP -> -1;
            case SKIP -> 0;
            case CAP -> plan.capOperations() / threads + (thread < plan.capOperations() % threads ? 1 : 0);
        };
    }

    /**
     * Waits for the next arrival to be due.
     *
     * @param stopped asked while waiting
     * @return its intended start, in nanoseconds since run start, or {@link #END}
     */
    public long next(BooleanSupplier stopped) {
        long now = clock.now();
        if (keep >= 0 && isDue(1, now)) {
            drop(now);
        }
        long due = due(0);
        if (due >= durationNanos) {
            return END;
        }
        while (now < due) {
            if (stopped.getAsBoolean()) {
                return END;
            }
            pause.pause(due - now);
            now = clock.now();
        }
        arrival.setRelease(arrival.getPlain() + step);
        return due;
    }

    /** The arrivals of one thread, or of all, that were due and were neither sent nor skipped. */
    public record Unsent(long arrivals, long oldestNanos) {
        public static final Unsent NONE = new Unsent(0, 0);

        /** Those of both. */
        public Unsent plus(Unsent other) {
            return new Unsent(arrivals + other.arrivals, Math.max(oldestNanos, other.oldestNanos));
        }
    }

    /**
     * What is left when the load has been stopped; from any thread, also while the owner hangs in a call.
     *
     * @param stoppedNanos when it was, since run start: later arrivals were not due
     * @param most how many operations the thread had left at most
     */
    public Unsent unsent(long stoppedNanos, long most) {
        long first = arrival.getAcquire();
        long due = schedule.dueNanos(first);
        if (most <= 0 || !isOwed(due, stoppedNanos)) {
            return Unsent.NONE;
        }
        return new Unsent(
                Math.min(most, newest(ahead -> isOwed(schedule.dueNanos(first + ahead * step), stoppedNanos)) + 1),
                stoppedNanos - due);
    }

    /** An arrival past the run's duration is none, so it can be neither dropped nor owed. */
    private boolean isOwed(long due, long now) {
        return due <= now && due < durationNanos;
    }

    private long due(long ahead) {
        return schedule.dueNanos(arrival.getPlain() + ahead);
    }

    /** Moves on to the newest arrival that is due, less those to keep. */
    private void drop(long now) {
        long dropped = Math.max(0, newest(ahead -> isDue(ahead, now)) - keep);
        if (dropped > 0) {
            arrival.setRelease(arrival.getPlain() + dropped * step);
            skipped.accept(dropped);
        }
    }

    /** How many arrivals after the next one are due, which itself is; in logarithmic time, as a stall can be long. */
    private static long newest(LongPredicate due) {
        if (!due.test(1)) {
            return 0;
        }
        long late = 1;
        while (due.test(late * 2)) {
            late *= 2;
        }
        for (long more = late / 2; more > 0; more /= 2) {
            if (due.test(late + more)) {
                late += more;
            }
        }
        return late;
    }

    private boolean isDue(long arrivalsAhead, long now) {
        return isOwed(due(arrivalsAhead * step), now);
    }
}
