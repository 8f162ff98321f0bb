package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The writes of one client thread: numbers them, and tells the ledger of each when it has ended. Used by that thread; {@link #close}
 * and what follows it may be called from another, also while a call of the thread hangs.
 */
final class Writer {
    private final int number;
    private final Ledger ledger;
    private final FailedWrites failed = new FailedWrites();
    private final List<Open> open = new ArrayList<>();
    private final long[] counts = new long[Outcome.values().length];
    private long issued;
    private boolean closed;

    private record Open(String key, Write.Kind kind, int[] fields, long id, long startNanos) {}

    Writer(int number, Ledger ledger) {
        this.number = number;
        this.ledger = ledger;
    }

    /**
     * A write begins.
     *
     * @param names its fields; of an insert or delete they do not matter
     * @return its id
     */
    synchronized long begin(String key, Write.Kind kind, Collection<String> names) {
        if (issued > WriteId.MOST_SEQUENCE) {
            throw new IllegalStateException("--audit: more than " + WriteId.MOST_SEQUENCE + " writes of one thread");
        }
        long id = WriteId.of(number, issued++);
        int[] fields = {Write.ROW};
        if (kind == Write.Kind.UPDATE && !isRow(names)) {
            fields = names.stream().mapToInt(ledger::field).toArray();
        }
        open.add(new Open(key, kind, fields, id, System.nanoTime()));
        return id;
    }

    private boolean isRow(Collection<String> names) {
        List<String> all = ledger.rowFields();
        return !all.isEmpty() && names.size() >= all.size() && names.containsAll(all);
    }

    /** All writes that have begun have ended so, in the order of their beginning. */
    void end(List<Outcome> outcomes) {
        long now = System.nanoTime();
        synchronized (this) {
            if (!closed) {
                for (int i = 0; i < outcomes.size(); i++) {
                    ended(open.get(i), outcomes.get(i), now);
                }
            }
            open.clear();
        }
    }

    /** What has begun and not ended is unknown, and nothing more is taken from the thread. */
    synchronized void close() {
        open.forEach(write -> ended(write, Outcome.UNKNOWN, Long.MAX_VALUE));
        open.clear();
        closed = true;
    }

    private void ended(Open write, Outcome outcome, long now) {
        counts[outcome.ordinal()]++;
        if (outcome == Outcome.FAILED) {
            long before = failed.bytes();
            failed.add(WriteId.sequence(write.id));
            ledger.memory().force(failed.bytes() - before);
            ledger.touch(write.key);
            return;
        }
        boolean acknowledged = outcome == Outcome.OK;
        for (int field : write.fields) {
            ledger.add(
                    write.key,
                    new Write(
                            field,
                            write.kind,
                            acknowledged,
                            write.id,
                            write.startNanos,
                            acknowledged ? now : Long.MAX_VALUE));
        }
    }

    /** Whether there is such a write and it did not fail. */
    synchronized boolean mayExist(long sequence) {
        return sequence < issued && !failed.contains(sequence);
    }

    synchronized long count(Outcome outcome) {
        return counts[outcome.ordinal()];
    }
}
