package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GroupSumsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SLICES = 10;

    private final Operations names = new Operations();
    private final Watching watching = new Watching();
    private final List<String> aborted = new CopyOnWriteArrayList<>();
    private ServedSecond own = served(1, 100, 2);
    private Function<Duration, List<ServedSecond>> judged = length -> List.of();

    @SuppressWarnings("unchecked")
    private final RunControl run = (RunControl) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {RunControl.class}, (p, method, args) -> {
                if (method.getName().equals("ownSeconds")) {
                    return List.of(own);
                }
                if (method.getName().equals("judgedBy")) {
                    judged = (Function<Duration, List<ServedSecond>>) args[0];
                    return null;
                }
                assertThat(method.getName()).isEqualTo("abort");
                aborted.add((String) args[0]);
                return null;
            });

    private static ServedSecond served(long ok, double due, double p99) {
        return new ServedSecond(ok, 1, 0, ok + 1, due, p99 / 5, p99);
    }

    /** Writes down what it is told. */
    private static final class Watching implements RunCompanion {
        private final List<IntervalTotals> intervals = new CopyOnWriteArrayList<>();
        private final List<WindowSnapshot> windows = new CopyOnWriteArrayList<>();
        private volatile int ended;
        private volatile boolean broken;

        @Override
        public void started(RunControl control) {
            assertThat(intervals).isEmpty(); // before any of them
        }

        @Override
        public void interval(IntervalTotals interval, Operations names) {
            if (broken) {
                throw new IllegalStateException("of its own");
            }
            intervals.add(interval);
        }

        @Override
        public void window(WindowSnapshot window) {
            windows.add(window);
        }

        @Override
        public void ended(RunControl control) {
            ended++;
        }

        private List<Long> reads() {
            return intervals.stream()
                    .map(interval -> interval.operations().containsKey(Operations.READ)
                            ? interval.operations().get(Operations.READ).count(Outcome.OK)
                            : 0)
                    .toList();
        }
    }

    private GroupSums sums(int clients) {
        return new GroupSums(clients, Duration.ofSeconds(2), List.of(watching));
    }

    /** A client's second with so many reads, all in one of its slices. */
    private IntervalTotals second(long index, int reads) {
        IntervalTotals interval = new IntervalTotals(index, index * SECOND, (index + 1) * SECOND, Timeline.SLICE_NANOS);
        long[] times = new long[reads];
        for (int i = 0; i < reads; i++) {
            times[i] = 1_000 * (i + 1);
        }
        Recorded.add(interval, Operations.READ, Outcome.OK, (int) (index % SLICES), times);
        return interval;
    }

    private String text(long index, int reads) {
        return IntervalText.write(second(index, reads), names, Optional.of(served(reads, 100, 5)));
    }

    /** Those that watch are told by another thread. */
    private static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1); // the test's time limit is the bound
        }
    }

    private void untilPassedOn(int intervals) throws InterruptedException {
        until(() -> watching.intervals.size() >= intervals);
    }

    /** A drill waits for the steady state of all: one client alone may be steady while another one gets nothing. */
    @Test
    void aSecondIsJudgedWhenAllThatRunHaveSentIt() {
        GroupSums sums = sums(3);
        sums.started(run);
        sums.add(2, text(0, 20));
        sums.interval(second(0, 1), names);
        assertThat(judged.apply(Duration.ofSeconds(20))).isEmpty();

        sums.add(3, text(0, 300));
        assertThat(judged.apply(Duration.ofSeconds(20))).containsExactly(new ServedSecond(321, 3, 0, 324, 300, 1, 5));

        own = served(2, Double.NaN, Double.NaN);
        sums.interval(second(1, 2), names);
        sums.add(2, text(1, 21));
        sums.over(3);
        assertThat(judged.apply(Duration.ofSeconds(1)))
                .containsExactly(new ServedSecond(23, 2, 0, 25, Double.NaN, 1, 5));
        assertThat(judged.apply(Duration.ofSeconds(20))).hasSize(2);
        sums.close();
    }

    @Test
    void aSecondIsPassedOnWhenAllHaveSentItAndWindowsAreOfAll() throws Exception {
        GroupSums sums = sums(3);
        sums.started(run);
        sums.add(2, text(0, 20));
        sums.add(2, text(1, 21));
        sums.interval(second(0, 1), names);
        assertThat(watching.intervals).isEmpty();

        sums.add(3, text(0, 300));
        untilPassedOn(1);
        assertThat(watching.reads()).containsExactly(321L);
        sums.add(3, text(1, 301));
        sums.interval(second(1, 2), names);
        sums.close();

        assertThat(watching.reads()).containsExactly(321L, 324L);
        assertThat(watching.intervals.get(1).sliced().get(Operations.READ).count(Outcome.OK, 1))
                .isEqualTo(324);
        assertThat(watching.windows).extracting(WindowSnapshot::complete).containsExactly(false, true);
        assertThat(watching.windows.get(1).ok()).isEqualTo(645);
        assertThat(watching.windows.get(1).p99Micros().orElseThrow()).isBetween(290.0, 300.0);
        assertThat(aborted).isEmpty();
    }

    @Test
    void oneThatHasEndedIsNotWaitedForAndTheEndIsThatOfTheLast() throws Exception {
        GroupSums sums = sums(2);
        sums.started(run);
        sums.interval(second(0, 5), names);
        sums.ended(run);
        assertThat(watching.ended).isZero();
        sums.add(2, text(0, 50));
        sums.add(2, text(1, 51));
        sums.add(2, text(2, 52));
        untilPassedOn(3);

        assertThat(watching.reads()).containsExactly(55L, 51L, 52L);
        sums.close();

        assertThat(watching.ended).isEqualTo(1);
        assertThat(watching.windows.get(watching.windows.size() - 1).ok())
                .as("the last window, which is short")
                .isEqualTo(52);
    }

    @Test
    void oneThatIsLateIsWaitedForForAWhileAndThenLeftOut() throws Exception {
        GroupSums sums = sums(2);
        sums.started(run);
        for (int i = 0; i < GroupSums.MOST_WAITING; i++) {
            sums.interval(second(i, 1), names);
        }
        assertThat(watching.intervals).isEmpty();

        sums.interval(second(GroupSums.MOST_WAITING, 1), names);
        untilPassedOn(1);
        assertThat(watching.reads()).containsExactly(1L);
        sums.add(2, text(0, 10));
        assertThat(watching.reads()).as("it came too late").containsExactly(1L);
        for (int i = 1; i <= GroupSums.MOST_WAITING; i++) {
            sums.add(2, text(i, 10));
        }
        sums.close();

        assertThat(watching.reads()).hasSize(GroupSums.MOST_WAITING + 1).endsWith(11L, 11L);
        assertThat(watching.windows).filteredOn(WindowSnapshot::complete).hasSize(GroupSums.MOST_WAITING / 2 + 1);
    }

    @Test
    void aSecondThatNobodySentAndALineThatIsDamagedLeaveTheTimesOfTheOthersAsTheyAre() throws Exception {
        GroupSums sums = sums(1);
        sums.started(run);
        sums.interval(second(0, 1), names);
        sums.add(1, "damaged");
        sums.add(1, text(1, 5).replace("\"outcome\":\"ok\",", ""));
        sums.add(1, text(1, 5).replace("\"end\":2000000000", "\"end\":9000000000000000000"));
        sums.interval(second(2, 3), names);
        untilPassedOn(3);

        assertThat(watching.reads()).containsExactly(1L, 0L, 3L);
        assertThat(watching.intervals).extracting(IntervalTotals::startNanos).containsExactly(0L, SECOND, 2 * SECOND);
        assertThat(watching.intervals)
                .extracting(IntervalTotals::endNanos)
                .containsExactly(SECOND, 2 * SECOND, 3 * SECOND);
    }

    @Test
    void oneThatWatchesAndFailsEndsTheRunAndNotTheThreadThatBroughtTheInterval() throws Exception {
        GroupSums sums = sums(1);
        sums.started(run);
        watching.broken = true;

        sums.interval(second(0, 1), names);
        sums.close();

        assertThat(aborted).hasSize(1).first().asString().contains("Watching failed in interval 0", "of its own");
    }

    /** As many as a job in a container cluster may have; what is kept of them is bounded whoever comes when. */
    @Test
    void twoHundredClientsInAnyOrderAddUp() throws Exception {
        int clients = 200;
        int seconds = 20;
        Random random = new Random(1);
        GroupSums sums = sums(clients);
        sums.started(run);
        int[] sent = new int[clients + 1];
        long[] expected = new long[seconds];
        for (int left = clients * seconds; left > 0; left--) {
            int client = 1 + random.nextInt(clients);
            while (sent[client] == seconds) {
                client = 1 + client % clients;
            }
            int reads = 1 + random.nextInt(50);
            expected[sent[client]] += reads;
            if (client == 1) {
                sums.interval(second(sent[client]++, reads), names);
            } else {
                sums.add(client, text(sent[client]++, reads));
            }
        }
        sums.close();

        assertThat(watching.reads()).hasSize(seconds);
        for (int i = 0; i < seconds; i++) {
            assertThat(watching.reads().get(i)).as("second %d", i).isEqualTo(expected[i]);
        }
    }
}
