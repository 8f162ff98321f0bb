package io.ycsbdrill.client.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.binding.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

class ThreadRecorderTest {
    private static final long MILLI = 1_000_000;
    private static final long ORIGIN = -12_345;

    private long now = ORIGIN;
    private final Timeline timeline =
            new Timeline(new RunClock(() -> now, ORIGIN, Instant.EPOCH), 1000 * MILLI, 100 * MILLI);
    private final Operations operations = new Operations();
    private final ThreadRecorder recorder = new ThreadRecorder(operations, timeline, 0);
    private final Collector collector = new Collector(List.of(recorder), timeline);

    @Test
    void completionAtABoundaryBelongsToTheLaterSliceAndInterval() {
        call(Operations.READ, 0, 100 * MILLI - 1, Status.OK);
        call(Operations.READ, 0, 100 * MILLI, Status.OK);
        call(Operations.READ, 900 * MILLI, 1000 * MILLI - 1, Status.OK);
        call(Operations.READ, 900 * MILLI, 1000 * MILLI, Status.OK);

        List<IntervalTotals> intervals = collectUntil(2000 * MILLI);

        assertThat(ok(intervals.get(0), Operations.READ)).containsExactly(1, 1, 0, 0, 0, 0, 0, 0, 0, 1);
        assertThat(ok(intervals.get(1), Operations.READ)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void stallLeavesIntervalsOfZerosAndTheLongCallWhereItEnded() {
        call(Operations.READ, 0, 10 * MILLI, Status.OK);
        call(Operations.READ, 20 * MILLI, 3020 * MILLI, Status.OK);

        List<IntervalTotals> intervals = collectUntil(4000 * MILLI);

        assertThat(intervals).hasSize(4);
        assertThat(intervals.get(1).operations()).isEmpty();
        assertThat(intervals.get(2).operations()).isEmpty();
        assertThat(intervals.get(3).sliced().get(Operations.READ).maxServiceNanos()[0])
                .isEqualTo(3000 * MILLI);
        assertThat(intervals
                        .get(3)
                        .operations()
                        .get(Operations.READ)
                        .service(Outcome.OK)
                        .getMaxValue())
                .isGreaterThanOrEqualTo(3000 * MILLI);
    }

    @Test
    void callsCountForTheOwnerOfTheirKeyToo() {
        owned(1, Operations.READ, 10, Status.OK);
        owned(1, Operations.UPDATE, 150, Status.NOT_FOUND);
        owned(0, Operations.READ, 150, Status.OK);
        owned(KeyOwner.NONE, Operations.READ, 160, Status.OK);
        call(Operations.SCAN, 160 * MILLI, 170 * MILLI, Status.OK);
        owned(1, Operations.READ, 1010, Status.OK);

        List<IntervalTotals> intervals = collectUntil(2000 * MILLI);

        Map<Integer, IntervalTotals.Slices> owned = intervals.get(0).owned();
        assertThat(owned).containsOnlyKeys(0, 1);
        assertThat(owned.get(1).count(Outcome.OK, 0)).isEqualTo(1);
        assertThat(owned.get(1).count(Outcome.FAILED, 1)).isEqualTo(1);
        assertThat(owned.get(1).maxServiceNanos()).startsWith(MILLI, MILLI, -1);
        assertThat(owned.get(0).count(Outcome.OK, 1)).isEqualTo(1);
        assertThat(intervals.get(1).owned()).containsOnlyKeys(1);
        assertThat(intervals.get(1).owned().get(1).count(Outcome.OK, 0)).isEqualTo(1);
    }

    @Test
    void anAbandonedCallCountsForTheOwnerOfItsKey() {
        now = ORIGIN + 10 * MILLI;
        recorder.begin(Operations.READ, 2);
        ThreadRecorder heir = new ThreadRecorder(operations, timeline, 0);
        collector.add(heir);
        now = ORIGIN + 500 * MILLI;
        heir.takeOver(recorder);

        Map<Integer, IntervalTotals.Slices> owned =
                collectUntil(1000 * MILLI).get(0).owned();

        assertThat(owned).containsOnlyKeys(2);
        assertThat(owned.get(2).count(Outcome.FAILED, 5)).isEqualTo(1);
    }

    private void owned(int owner, int operation, long endMillis, Status status) {
        now = ORIGIN + (endMillis - 1) * MILLI;
        recorder.beginTransaction();
        long start = recorder.begin(operation, owner);
        now = ORIGIN + endMillis * MILLI;
        recorder.end(operation, start, status);
        recorder.endTransaction();
    }

    @Test
    void outcomesAndReturnsAreKeptApart() {
        call(Operations.READ, 0, 1, Status.NOT_FOUND);
        call(Operations.READ, 0, 1, null);
        call(Operations.UPDATE, 0, 1, Status.ERROR);
        call(Operations.UPDATE, 0, 1, null);
        call(Operations.UPDATE, 0, 1, Status.NOT_FOUND);
        call(Operations.UPDATE, 0, 1, Status.BATCHED_OK);
        long start = recorder.begin(Operations.INSERT);
        recorder.thrown(Operations.INSERT, start, new IllegalStateException("boom"));

        Map<Integer, OperationTotals> totals = collectUntil(1000 * MILLI).get(0).operations();

        assertThat(counts(totals.get(Operations.READ))).containsExactly(0, 2, 0);
        assertThat(totals.get(Operations.READ).returns()).isEqualTo(Map.of("NOT_FOUND", 1L, "null", 1L));
        assertThat(counts(totals.get(Operations.UPDATE))).containsExactly(1, 1, 2);
        assertThat(counts(totals.get(Operations.INSERT))).containsExactly(0, 0, 1);
        assertThat(totals.get(Operations.INSERT).returns()).isEqualTo(Map.of("IllegalStateException", 1L));
    }

    @Test
    void responseTimeRunsFromTheIntendedStartForTheFirstCallOfATransactionOnly() {
        recorder.beginTransaction(ORIGIN + 10 * MILLI);
        callInTransaction(Operations.READ, 50 * MILLI, 60 * MILLI, Status.OK);
        callInTransaction(Operations.UPDATE, 70 * MILLI, 90 * MILLI, Status.NOT_FOUND);
        recorder.reported(Operations.READ_MODIFY_WRITE, 12);
        recorder.endTransaction();

        IntervalTotals interval = collectUntil(1000 * MILLI).get(0);

        Map<Integer, OperationTotals> totals = interval.operations();
        assertThat(max(totals.get(Operations.READ).response(Outcome.OK))).isEqualTo(50 * MILLI);
        assertThat(max(totals.get(Operations.UPDATE).response(Outcome.FAILED))).isEqualTo(20 * MILLI);
        OperationTotals whole = totals.get(operations.id(Operations.READ_MODIFY_WRITE));
        assertThat(counts(whole)).containsExactly(0, 1, 0);
        assertThat(max(whole.service(Outcome.FAILED))).isEqualTo(40 * MILLI);
        assertThat(max(whole.response(Outcome.FAILED))).isEqualTo(80 * MILLI);
        assertThat(interval.transactions()).isEqualTo(1);
    }

    @Test
    void verificationTakesTheStatusThatFollowsIt() {
        recorder.beginTransaction();
        callInTransaction(Operations.READ, 0, 1, Status.OK);
        recorder.reported("VERIFY", 3);
        recorder.reportedStatus("VERIFY", Status.UNEXPECTED_STATE);
        recorder.endTransaction();
        recorder.beginTransaction();
        callInTransaction(Operations.READ, 0, 1, Status.OK);
        recorder.reported("CUSTOM", 7);
        recorder.endTransaction();

        Map<Integer, OperationTotals> totals = collectUntil(1000 * MILLI).get(0).operations();

        assertThat(counts(totals.get(operations.id("VERIFY")))).containsExactly(0, 1, 0);
        assertThat(counts(totals.get(operations.id("CUSTOM")))).containsExactly(1, 0, 0);
    }

    @Test
    void skippedArrivalsAreCountedWhenTheyAreDropped() {
        now = ORIGIN + 250 * MILLI;
        recorder.skip(7);
        now = ORIGIN + 1000 * MILLI;
        recorder.skip(5);

        List<IntervalTotals> intervals = collectUntil(2000 * MILLI);

        assertThat(intervals.get(0).skipped(2)).isEqualTo(7);
        assertThat(intervals.get(0).skipped()).isEqualTo(7);
        assertThat(intervals.get(1).skipped(0)).isEqualTo(5);
    }

    @Test
    void transactionWithoutACallCounts() {
        recorder.beginTransaction();
        recorder.endTransaction();

        assertThat(collectUntil(1000 * MILLI).get(0).transactions()).isEqualTo(1);
    }

    @Test
    void afterCloseNothingIsAddedAndTheCallInFlightIsKnown() {
        call(Operations.READ, 0, 1, Status.OK);
        now = ORIGIN + 100 * MILLI;
        long start = recorder.begin(Operations.UPDATE);
        now = ORIGIN + 600 * MILLI;

        collector.close();
        recorder.end(Operations.UPDATE, start, Status.OK);
        recorder.skip(3);
        recorder.endTransaction();

        assertThat(recorder.inFlight()).contains(new ThreadRecorder.InFlight(Operations.UPDATE, 500 * MILLI));
        IntervalTotals last = collector.pollClosed(600 * MILLI).orElseThrow();
        assertThat(last.endNanos()).isEqualTo(600 * MILLI);
        assertThat(last.slices()).isEqualTo(6);
        assertThat(last.operations()).containsOnlyKeys(Operations.READ);
        assertThat(last.skipped()).isZero();
        assertThat(collector.pollClosed(600 * MILLI)).isEmpty();
    }

    @Test
    void returnedCallIsNotInFlight() {
        call(Operations.UPDATE, 0, 1, Status.OK);

        assertThat(recorder.inFlight()).isEmpty();
    }

    @Test
    void statusesOfOneNameShareOneCountHoweverManyObjectsThereAre() {
        for (int i = 0; i < 1000; i++) {
            call(Operations.READ, 0, 1, new Status("SAME", "text " + i));
            call(Operations.READ, 0, 1, new Status("NAME" + i, "text"));
        }

        Map<String, Long> returns = collectUntil(1000 * MILLI)
                .get(0)
                .operations()
                .get(Operations.READ)
                .returns();

        assertThat(returns.size()).isLessThan(70);
        assertThat(returns.get("SAME")).isEqualTo(1000);
        assertThat(returns.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(2000);
    }

    @Test
    void timelineCutsWindowsOfAnyLengthIntoWholeIntervals() {
        RunClock clock = RunClock.startingNow();

        assertThat(Timeline.of(clock, Duration.ofSeconds(10)).intervalNanos()).isEqualTo(1000 * MILLI);
        assertThat(Timeline.of(clock, Duration.ofMillis(2500)).intervalNanos()).isEqualTo(500 * MILLI);
        assertThat(Timeline.of(clock, Duration.ofMillis(700)).intervalNanos()).isEqualTo(100 * MILLI);
        assertThat(Timeline.of(clock, Duration.ofMillis(100)).intervalNanos()).isEqualTo(100 * MILLI);
    }

    private void call(int operation, long start, long end, Status status) {
        recorder.beginTransaction();
        callInTransaction(operation, start, end, status);
        recorder.endTransaction();
    }

    private void callInTransaction(int operation, long start, long end, Status status) {
        now = ORIGIN + start;
        long started = recorder.begin(operation);
        now = ORIGIN + end;
        recorder.end(operation, started, status);
    }

    private List<IntervalTotals> collectUntil(long nanos) {
        now = ORIGIN + nanos;
        List<IntervalTotals> intervals = new ArrayList<>();
        for (var next = collector.poll(); next.isPresent(); next = collector.poll()) {
            intervals.add(next.get());
        }
        return intervals;
    }

    private static long[] ok(IntervalTotals interval, int operation) {
        long[] counts = new long[interval.slices()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = interval.sliced().get(operation).count(Outcome.OK, i);
        }
        return counts;
    }

    private static long[] counts(OperationTotals totals) {
        return new long[] {totals.count(Outcome.OK), totals.count(Outcome.FAILED), totals.count(Outcome.UNKNOWN)};
    }

    /** The histogram's precision is three digits; its maximum is the upper end of the value's bucket. */
    private static long max(org.HdrHistogram.Histogram histogram) {
        return Math.round(histogram.getMaxValue() / 1e6 - 0.01) * MILLI;
    }
}
