package io.ycsbdrill.client.run.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import io.ycsbdrill.client.run.pace.RatePlan.Segment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacingTest {
    private static final double FOREVER = Double.POSITIVE_INFINITY;
    private static final long MILLI = 1_000_000;

    /** Moves only when told to, or when a pacer waits. */
    private long now;

    private final RunClock clock = new RunClock(() -> now, 0, Instant.EPOCH);
    private long skipped;

    @Test
    void constantRateIsEvenlySpacedWithoutDrift() {
        ArrivalSchedule schedule = schedule(new Segment(0, FOREVER, 1000, 1000));

        assertThat(schedule.dueNanos(0)).isZero();
        assertThat(schedule.dueNanos(1)).isEqualTo(MILLI);
        assertThat(schedule.dueNanos(3_600_000_000L)).isEqualTo(3_600_000L * 1_000_000_000L);
    }

    @Test
    void rampFollowsTheIntegralOfTheRate() {
        ArrivalSchedule schedule =
                schedule(new Segment(0, 10, 0, 100), new Segment(10, 20, 100, 0), new Segment(20, FOREVER, 50, 50));

        assertThat(schedule.dueNanos(0)).isZero();
        assertThat(schedule.dueNanos(5)).isEqualTo(1_000_000_000L); // 100/10 · t²/2 = 5 at t = 1
        assertThat(schedule.dueNanos(125)).isEqualTo(5_000_000_000L);
        assertThat(schedule.dueNanos(500)).isEqualTo(10_000_000_000L);
        assertThat(schedule.dueNanos(875)).isEqualTo(15_000_000_000L); // mirror image of 125
        assertThat(schedule.dueNanos(1050)).isEqualTo(21_000_000_000L);
    }

    @Test
    void pauseInTheScheduleMovesTheNextArrivalToItsEnd() {
        ArrivalSchedule schedule =
                schedule(new Segment(0, 10, 100, 100), new Segment(10, 20, 0, 0), new Segment(20, FOREVER, 50, 50));

        assertThat(schedule.dueNanos(999)).isEqualTo(9_990_000_000L);
        assertThat(schedule.dueNanos(1000)).isEqualTo(20_000_000_000L);
        assertThat(schedule.dueNanos(1001)).isEqualTo(20_020_000_000L);
    }

    @Test
    void scheduleThatEndsAtZeroHasNoFurtherArrivals() {
        ArrivalSchedule schedule = schedule(new Segment(0, 10, 100, 100), new Segment(10, FOREVER, 0, 0));

        assertThat(schedule.dueNanos(999)).isLessThan(10_000_000_000L);
        assertThat(schedule.dueNanos(1000)).isEqualTo(ArrivalSchedule.NEVER);
    }

    @Test
    void arrivalsAreInOrderThroughEverySegment() {
        ArrivalSchedule schedule = schedule(
                new Segment(0, 3, 7, 1000),
                new Segment(3, 3.5, 1000, 0),
                new Segment(3.5, 4, 0, 0),
                new Segment(4, FOREVER, 333, 333));
        long last = -1;

        for (int i = 0; i < 5_000; i++) {
            long due = schedule.dueNanos(i);
            assertThat(due).as("arrival %d", i).isGreaterThan(last);
            last = due;
        }
    }

    @Test
    void threadsShareTheArrivalsWithoutACounter() {
        List<Long> all = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            now = 0;
            all.addAll(take(pacer(AfterStall.CATCHUP, 0, thread, 3, 100 * MILLI), Integer.MAX_VALUE));
        }

        assertThat(all).hasSize(100).doesNotHaveDuplicates().allMatch(due -> due % MILLI == 0 && due < 100 * MILLI);
    }

    @Test
    void arrivalDueAtTheEndIsNotStarted() {
        assertThat(take(pacer(AfterStall.CATCHUP, 0, 0, 1, 10 * MILLI), Integer.MAX_VALUE))
                .hasSize(10)
                .endsWith(9 * MILLI);
    }

    @Test
    void catchUpRunsEveryLateArrivalWithItsOwnIntendedStart() {
        Pacer pacer = pacer(AfterStall.CATCHUP, 0, 0, 1, Pacer.END);
        take(pacer, 1);

        now = 10 * MILLI + 500;

        assertThat(take(pacer, 12)).startsWith(MILLI, 2 * MILLI).endsWith(11 * MILLI, 12 * MILLI);
        assertThat(skipped).isZero();
    }

    @ParameterizedTest
    @CsvSource({"SKIP, 0, 9, 10", "CAP, 0, 9, 10", "CAP, 4, 5, 6", "CAP, 9, 0, 1", "CAP, 1000, 0, 1"})
    void lateArrivalsAreDroppedByPolicyAndCounted(AfterStall policy, long cap, long dropped, long nextMillis) {
        Pacer pacer = pacer(policy, cap, 0, 1, Pacer.END);
        take(pacer, 1); // arrival 0; then the thread is busy until after arrival 10 is due

        now = 10 * MILLI + 500;
        List<Long> started = take(pacer, 12);

        assertThat(skipped).isEqualTo(dropped);
        assertThat(started.get(0)).isEqualTo(nextMillis * MILLI);
        assertThat(started).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void capIsSharedByTheThreadsExactly() {
        long kept = 0;
        for (int thread = 0; thread < 4; thread++) {
            now = 0;
            skipped = 0;
            Pacer pacer = pacer(AfterStall.CAP, 10, thread, 4, Pacer.END);
            take(pacer, 1);
            now = 999 * MILLI + 1;
            take(pacer, 1);
            kept += 249 - 1 - skipped; // the newest of the 249 due ones is not counted as late
        }

        assertThat(kept).isEqualTo(10);
    }

    @Test
    void ordinaryLatenessDropsNothing() {
        Pacer pacer = pacer(AfterStall.SKIP, 0, 0, 1, Pacer.END);
        for (int i = 0; i < 1000; i++) {
            assertThat(take(pacer, 1)).containsExactly(i * MILLI);
            now += MILLI - 1; // each call takes almost the whole distance
        }

        assertThat(skipped).isZero();
    }

    @Test
    void everyArrivalIsEitherStartedOrSkippedThroughManyStalls() {
        Pacer pacer = pacer(AfterStall.SKIP, 0, 0, 1, 100_000 * MILLI);
        long started = 0;
        for (long due = pacer.next(() -> false); due != Pacer.END; due = pacer.next(() -> false)) {
            started++;
            now += started % 7 == 0 ? started * 1_234_567 % (50 * MILLI) : 1000;
        }

        assertThat(started + skipped).isEqualTo(100_000);
        assertThat(skipped).isPositive();
    }

    @Test
    void stalledUntilAfterTheEndSkipsOnlyArrivalsOfTheRun() {
        Pacer pacer = pacer(AfterStall.SKIP, 0, 0, 1, 100 * MILLI);
        take(pacer, 1);

        now = TimeUnit.HOURS.toNanos(1);

        assertThat(take(pacer, 10)).containsExactly(99 * MILLI);
        assertThat(skipped).isEqualTo(98);
    }

    @Test
    void stopEndsTheWait() {
        Pacer pacer = pacer(AfterStall.CATCHUP, 0, 0, 1, Pacer.END);
        take(pacer, 1);

        assertThat(pacer.next(() -> true)).isEqualTo(Pacer.END);
    }

    private ArrivalSchedule schedule(Segment... segments) {
        return new ArrivalSchedule(List.of(segments));
    }

    private Pacer pacer(AfterStall policy, long cap, int thread, int threads, long durationNanos) {
        RatePlan plan = new RatePlan(List.of(new Segment(0, FOREVER, 1000, 1000)), policy, cap);
        return new Pacer(
                plan, thread, threads, durationNanos, clock, nanos -> now += nanos, dropped -> skipped += dropped);
    }

    private List<Long> take(Pacer pacer, int most) {
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            long due = pacer.next(() -> false);
            if (due == Pacer.END) {
                break;
            }
            taken.add(due);
        }
        return taken;
    }
}
