package io.ycsbdrill.client.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.binding.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

/** Many threads, tiny intervals, random stalls: every operation is found exactly once, in the slice in which it completed. */
class RecorderStressTest {
    private static final int THREADS = 8;
    private static final int OPERATIONS = 150_000;
    private static final long INTERVAL = 200_000;
    private static final long SLICE = 50_000;

    /** The end that the recorder used is the last reading of the clock by that thread. */
    private final ThreadLocal<long[]> lastReading = ThreadLocal.withInitial(() -> new long[1]);

    private final long origin = System.nanoTime();
    private final RunClock clock = new RunClock(() -> lastReading.get()[0] = System.nanoTime(), origin, Instant.EPOCH);
    private final Timeline timeline = new Timeline(clock, INTERVAL, SLICE);
    private final Operations operations = new Operations();

    @Test
    void nothingIsLostOrCountedTwiceOrPutIntoAnotherSlice() throws InterruptedException {
        List<ThreadRecorder> recorders = new ArrayList<>();
        List<Map<Long, Long>> expected = new ArrayList<>();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            ThreadRecorder recorder = new ThreadRecorder(operations, timeline, recorders.size());
            Map<Long, Long> bySlice = new TreeMap<>();
            Random random = new Random(i);
            recorders.add(recorder);
            expected.add(bySlice);
            writers.add(new Thread(() -> write(recorder, bySlice, random)));
        }
        Collector collector = new Collector(recorders, timeline);

        writers.forEach(Thread::start);
        Map<Long, Long> found = new TreeMap<>();
        long transactions = 0;
        long next = 0;
        while (writers.stream().anyMatch(Thread::isAlive)) {
            var interval = collector.poll();
            if (interval.isPresent()) {
                assertThat(interval.get().index()).isEqualTo(next++);
                count(interval.get(), found);
                transactions += interval.get().transactions();
            }
        }
        collector.close();
        long end = Math.max(clock.now(), collector.takenUntilNanos());
        for (var last = collector.pollClosed(end); last.isPresent(); last = collector.pollClosed(end)) {
            count(last.get(), found);
            transactions += last.get().transactions();
        }

        Map<Long, Long> all = new TreeMap<>();
        expected.forEach(slices -> slices.forEach((slice, count) -> all.merge(slice, count, Long::sum)));
        assertThat(found).isEqualTo(all);
        assertThat(transactions).isEqualTo((long) THREADS * OPERATIONS);
    }

    private void write(ThreadRecorder recorder, Map<Long, Long> bySlice, Random random) {
        for (int i = 0; i < OPERATIONS; i++) {
            int operation = random.nextInt(5);
            recorder.beginTransaction();
            long start = recorder.begin(operation);
            if (random.nextInt(5_000) == 0) {
                LockSupport.parkNanos(random.nextInt(3_000_000));
            } else if (random.nextInt(500) == 0) {
                Thread.yield();
            }
            recorder.end(operation, start, random.nextBoolean() ? Status.OK : Status.NOT_FOUND);
            bySlice.merge((lastReading.get()[0] - origin) / SLICE, 1L, Long::sum);
            recorder.endTransaction();
        }
    }

    private static void count(IntervalTotals interval, Map<Long, Long> found) {
        long inHistograms = 0;
        long inSlices = 0;
        for (OperationTotals totals : interval.operations().values()) {
            for (Outcome outcome : Outcome.values()) {
                inHistograms += totals.service(outcome) == null
                        ? 0
                        : totals.service(outcome).getTotalCount();
            }
        }
        for (IntervalTotals.Slices slices : interval.sliced().values()) {
            for (int i = 0; i < interval.slices(); i++) {
                for (Outcome outcome : Outcome.values()) {
                    long count = slices.count(outcome, i);
                    if (count > 0) {
                        found.merge(interval.startNanos() / SLICE + i, count, Long::sum);
                        inSlices += count;
                    }
                }
            }
        }
        assertThat(inHistograms).isEqualTo(inSlices);
    }
}
