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
    /** Writes that get their numbers together, at first and at most; twice as many each time. */
    private static final int FIRST_BLOCK = 64;

    private static final int MOST_BLOCK = 1 << 16;

    private final int number;
    private final Ledger ledger;
    private final Times times;
    private final FailedWrites failed = new FailedWrites();
    private final List<Open> open = new ArrayList<>();
    private final long[] counts = new long[Outcome.values().length];
    private long issued;
    /** The block of {@link Numbers} in use: its first write and that one's number. */
    private long blockSequence;

    private int blockNumber = Numbers.NONE;
    private int blockSize;
    /** From when on a start is noted in {@link Times} again. */
    private long nextTimeNanos = Long.MIN_VALUE;

    private long lastEndNanos = Long.MIN_VALUE;
    private boolean closed;

    /** @param number see {@link Numbers} */
    private record Open(String key, Write.Kind kind, int[] fields, long id, int number, long startNanos) {}

    Writer(int number, Ledger ledger) {
        this.number = number;
        this.ledger = ledger;
        times = ledger.times(number);
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
        long sequence = issued++;
        long id = WriteId.of(number, sequence);
        int[] fields = {Write.ROW};
        if (kind == Write.Kind.UPDATE && !isRow(names)) {
            fields = names.stream().mapToInt(ledger::field).toArray();
        }
        long start = ledger.begin(key);
        if (open.isEmpty() && start >= nextTimeNanos) {
            nextTimeNanos = times.began(sequence, start, lastEndNanos);
        }
        open.add(new Open(key, kind, fields, id, numberOf(sequence, id), start));
        return id;
    }

    private int numberOf(long sequence, long id) {
        if (sequence >= blockSequence + blockSize) {
            blockSize = Math.min(Math.max(FIRST_BLOCK, 2 * blockSize), MOST_BLOCK);
            blockSequence = sequence;
            blockNumber = ledger.numbers().reserve(id, blockSize);
        }
        return blockNumber == Numbers.NONE ? Numbers.NONE : blockNumber + (int) (sequence - blockSequence);
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
                lastEndNanos = now;
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
        times.close(lastEndNanos);
        closed = true;
    }

    private void ended(Open write, Outcome outcome, long now) {
        counts[outcome.ordinal()]++;
        if (outcome == Outcome.FAILED) {
            long before = failed.bytes();
            failed.add(WriteId.sequence(write.id));
            ledger.memory().force(failed.bytes() - before);
            ledger.end(write.key, write.startNanos, write.number, List.of());
            return;
        }
        boolean acknowledged = outcome == Outcome.OK;
        long end = acknowledged ? now : Long.MAX_VALUE;
        List<Write> writes = new ArrayList<>(write.fields.length);
        for (int field : write.fields) {
            writes.add(new Write(field, write.kind, acknowledged, write.id, write.startNanos, end));
        }
        ledger.end(write.key, write.startNanos, write.number, writes);
    }

    /** Whether there is such a write and it did not fail. */
    synchronized boolean mayExist(long sequence) {
        return sequence < issued && !failed.contains(sequence);
    }

    synchronized long count(Outcome outcome) {
        return counts[outcome.ordinal()];
    }
}
