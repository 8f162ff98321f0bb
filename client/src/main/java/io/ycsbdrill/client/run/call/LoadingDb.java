package io.ycsbdrill.client.run.call;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.run.measure.MeasuredDb;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Inserts the records of a load, by one or by batches, and tries failed ones again, with a growing pause; every attempt is measured.
 * Owned by one client thread.
 *
 * <p>The workload gets {@link Status#OK} for whatever was tried in full or waits for its batch: the ledger knows the truth, and
 * CoreWorkload would only print a line per failure.
 */
public final class LoadingDb extends MeasuredDb {
    private static final long FIRST_PAUSE_NANOS = 50_000_000;
    private static final int MOST_DOUBLINGS = 6;
    /** A request of more than that is a trial of a server's buffers, not a load. */
    private static final long MOST_BYTES = 1 << 20;
    /** Who tries again what was refused so is refused again. */
    private static final Set<String> FINAL = Set.of(
            Statuses.DUPLICATE_KEY.getName(),
            Status.BAD_REQUEST.getName(),
            Status.NOT_IMPLEMENTED.getName(),
            Status.FORBIDDEN.getName());

    /**
     * How to load.
     *
     * @param retries how often a failed insert is tried again
     * @param batch rows of one request, 1 for plain inserts; fewer where they have more than 1 MiB together
     */
    public record Policy(int retries, int batch) {}

    /** Notified of each record once, when nothing more will be tried with it. */
    public interface Fate {
        /** @param key null when the workload called for no insert */
        void of(long record, String key, Outcome outcome);
    }

    private record Waiting(long record, String table, String key, Map<String, byte[]> values, long scheduled) {}

    private final ThreadRecorder recorder;
    private final Policy policy;
    private final BooleanSupplier stopped;
    private final Fate fate;
    private final List<Waiting> waiting = new ArrayList<>();
    private long waitingBytes;
    private long record;
    private String key;
    private Outcome outcome;
    /** The record has joined a batch, which reports its outcome. */
    private boolean batched;

    /** @param db with batches, a {@link BulkInserts} */
    public LoadingDb(DB db, ThreadRecorder recorder, Policy policy, BooleanSupplier stopped, Fate fate) {
        super(db, recorder);
        this.recorder = recorder;
        this.policy = policy;
        this.stopped = stopped;
        this.fate = fate;
    }

    /** The workload is about to insert this record. */
    public void begin(long number) {
        record = number;
        key = null;
        outcome = null;
        batched = false;
    }

    /** The workload is done with the record; if it waits for its batch, its outcome is reported later. */
    public void end() {
        if (!batched) {
            // The workload may have failed before it called the database: then nothing was applied.
            fate.of(record, key, outcome == null ? Outcome.FAILED : outcome);
        }
        recorder.endTransaction();
    }

    /** Whether the record was inserted, or has joined a batch. */
    public boolean accepted() {
        return outcome == Outcome.OK || batched;
    }

    @Override
    public Status insert(String table, String name, Map<String, ByteIterator> values) {
        if (policy.batch > 1) {
            if (key != null) {
                throw new IllegalStateException(
                        "the workload inserts more than one row for a record, which db.batchsize=" + policy.batch
                                + " does not allow; set db.batchsize=1");
            }
            key = name;
            batched = true;
            Map<String, byte[]> row = Attempt.bytes(values);
            long bytes = row.values().stream().mapToLong(value -> value.length).sum();
            if (waitingBytes + bytes > MOST_BYTES) {
                flush();
            }
            waitingBytes += bytes;
            waiting.add(new Waiting(record, table, name, row, recorder.scheduledStart()));
            recorder.deferTransaction();
            if (waiting.size() == policy.batch) {
                flush();
            }
            return Status.OK;
        }
        key = name;
        outcome = Outcome.UNKNOWN; // should the insert throw
        // The random iterators of a workload are used up by the first attempt.
        Map<String, byte[]> bytes = policy.retries == 0 ? null : Attempt.bytes(values);
        Status status = super.insert(table, name, bytes == null ? values : Attempt.iterators(bytes));
        outcome = lastOutcome();
        if (outcome != Outcome.OK && bytes != null && !FINAL.contains(status.getName())) {
            outcome = tryAgain(table, name, bytes, outcome);
        }
        return Status.OK;
    }

    /** Sends what waits; to be called at the end, too. */
    public void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Waiting> rows = List.copyOf(waiting);
        waiting.clear();
        waitingBytes = 0;
        Outcome[] outcomes = new Outcome[rows.size()];
        Arrays.fill(outcomes, Outcome.UNKNOWN); // should the call throw
        int retried = -1;
        try {
            Status[] statuses = insertAll(
                    rows.get(0).table,
                    rows.stream()
                            .map(row -> new BulkInserts.Row(row.key, Attempt.iterators(row.values)))
                            .toList(),
                    rows.stream().mapToLong(Waiting::scheduled).toArray());
            for (int i = 0; i < statuses.length; i++) {
                outcomes[i] = Outcome.of(statuses[i], true);
            }
            for (retried = 0; retried < outcomes.length; retried++) {
                if (outcomes[retried] != Outcome.OK && !FINAL.contains(statuses[retried].getName())) {
                    Waiting row = rows.get(retried);
                    Outcome first = outcomes[retried];
                    outcomes[retried] = Outcome.UNKNOWN;
                    outcomes[retried] = tryAgain(row.table, row.key, row.values, first);
                }
                fate.of(rows.get(retried).record, rows.get(retried).key, outcomes[retried]);
            }
        } finally {
            for (int i = Math.max(0, retried); i < outcomes.length; i++) {
                fate.of(rows.get(i).record, rows.get(i).key, outcomes[i]);
            }
        }
    }

    /** Gives up what waits: it was never sent. */
    public void drop() {
        waiting.forEach(row -> fate.of(row.record, row.key, Outcome.FAILED));
        waiting.clear();
    }

    /** A row that may have been inserted stays unknown, whatever a later attempt fails with. */
    private Outcome tryAgain(String table, String name, Map<String, byte[]> values, Outcome first) {
        boolean unknown = first == Outcome.UNKNOWN;
        Outcome last = first;
        Status status = Status.ERROR;
        for (int attempt = 0;
                attempt < policy.retries
                        && last != Outcome.OK
                        && !FINAL.contains(status.getName())
                        && Attempt.pause(FIRST_PAUSE_NANOS << Math.min(attempt, MOST_DOUBLINGS), stopped);
                attempt++) {
            status = super.insert(table, name, Attempt.iterators(values));
            last = lastOutcome();
            unknown |= last == Outcome.UNKNOWN;
        }
        return last == Outcome.OK || !unknown ? last : Outcome.UNKNOWN;
    }
}
