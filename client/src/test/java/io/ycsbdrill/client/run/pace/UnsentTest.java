package io.ycsbdrill.client.run.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrivals that were due and not sent when the load was stopped; one a millisecond. */
class UnsentTest {
    private static final long MILLI = 1_000_000;

    private long now;
    private final RunClock clock = new RunClock(() -> now, 0, Instant.EPOCH);
    private long skipped;

    @ParameterizedTest
    @EnumSource(AfterStall.class)
    void whatWasDueWhenTheThreadHungIsOwed(AfterStall policy) {
        Pacer pacer = pacer(policy, 0, 1, Pacer.END);
        assertThat(pacer.next(() -> false)).isZero();

        // Its call never returns; the load is stopped at 10 s.
        assertThat(pacer.unsent(10_000 * MILLI, Long.MAX_VALUE)).isEqualTo(new Pacer.Unsent(10_000, 9_999 * MILLI));
        assertThat(skipped).isZero();
    }

    @Test
    void everyArrivalIsSentSkippedOrOwed() {
        Pacer pacer = pacer(AfterStall.SKIP, 0, 1, Pacer.END);
        long sent = 0;
        for (int i = 0; i < 5; i++) {
            pacer.next(() -> false);
            sent++;
            now += 7 * MILLI + 1; // the call takes as long
        }

        assertThat(sent + skipped + pacer.unsent(now, Long.MAX_VALUE).arrivals())
                .isEqualTo(now / MILLI + 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "2, 5", "3, 4", "4, 3"})
    void threadsOweTheirOwnArrivals(int threads, long ofTheFirst) {
        Pacer.Unsent all = Pacer.Unsent.NONE;
        for (int thread = 0; thread < threads; thread++) {
            all = all.plus(pacer(AfterStall.CATCHUP, thread, threads, Pacer.END).unsent(9 * MILLI, Long.MAX_VALUE));
        }

        assertThat(all).isEqualTo(new Pacer.Unsent(10, 9 * MILLI));
        assertThat(pacer(AfterStall.CATCHUP, 0, threads, Pacer.END)
                        .unsent(9 * MILLI, Long.MAX_VALUE)
                        .arrivals())
                .isEqualTo(ofTheFirst);
    }

    @Test
    void nothingIsOwedAfterTheDurationNorBeyondTheOperations() {
        Pacer pacer = pacer(AfterStall.CATCHUP, 0, 1, 5 * MILLI);

        assertThat(pacer.unsent(100 * MILLI, Long.MAX_VALUE).arrivals()).isEqualTo(5);
        assertThat(pacer.unsent(100 * MILLI, 3).arrivals()).isEqualTo(3);
        assertThat(pacer.unsent(100 * MILLI, 0)).isEqualTo(Pacer.Unsent.NONE);
    }

    @Test
    void whatIsNotDueYetIsNotOwed() {
        Pacer pacer = pacer(AfterStall.CATCHUP, 0, 1, Pacer.END);
        pacer.next(() -> false);

        assertThat(pacer.unsent(MILLI - 1, Long.MAX_VALUE)).isEqualTo(Pacer.Unsent.NONE);
        assertThat(pacer.unsent(MILLI, Long.MAX_VALUE)).isEqualTo(new Pacer.Unsent(1, 0));
    }

    @Test
    void calibratedRateBeginsAtItsTimeAndNotBefore() {
        RatePlan plan = new Calibration(0.6, Duration.ofSeconds(4), AfterStall.CATCHUP, 0)
                .planFrom(TimeUnit.SECONDS.toNanos(4) + 123_456_789, 1000);
        ArrivalSchedule schedule = new ArrivalSchedule(plan.segments());

        assertThat(schedule.dueNanos(0)).isEqualTo(4_123_456_789L);
        assertThat(schedule.dueNanos(5_000)).isEqualTo(9_123_456_789L);
    }

    @Test
    void capOfACalibratedRateIsOneSecondOfItUnlessSaid() {
        Duration length = Duration.ofSeconds(4);

        assertThat(new Calibration(0.6, length, AfterStall.CAP, 0)
                        .planFrom(0, 99.5)
                        .capOperations())
                .isEqualTo(100);
        assertThat(new Calibration(0.6, length, AfterStall.CAP, 7)
                        .planFrom(0, 99.5)
                        .capOperations())
                .isEqualTo(7);
    }

    private Pacer pacer(AfterStall policy, int thread, int threads, long duration) {
        return new Pacer(
                RatePlan.constant(1000, policy, 0),
                thread,
                threads,
                duration,
                clock,
                nanos -> now += nanos,
                dropped -> skipped += dropped);
    }
}
