package io.ycsbdrill.client.audit.ledger;

import io.ycsbdrill.binding.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The writes of one client thread: numbers them, and passes those that have ended on to the ledger, some at a time, between two operations, so
 * that the ledger's work is in no latency. Used by that thread; {@link #close} and what follows it may be called from
 * another, also while a call of the thread hangs.
 */
public final class Writer {
    /** Writes that get their numbers together, at first and at most; twice as many each time. */
    private static final int FIRST_BLOCK = 64;

    private static final int MOST_BLOCK = 1 << 16;
    /** Writes that are passed on together: as soon as there are so many, or one for so long. */
    private static final int FLUSHED_TOGETHER = 32;

    private static final long LONGEST_NANOS = 100_000_000;
    /** What such a write takes, with its key. */
    private static final int ENDED_BYTES = 200;
    /** Those that are kept back at most, when {@link #flushSome} is not called. */
    private static final int MOST_ENDED = 1_000;

    private static final int[] ROW = {Write.ROW};

    private final int number;
    private final Ledger ledger;
    private final WriteTimes times;
    private final FailedWrites failed = new FailedWrites();
    private final PendingWrites pending;
    private final List<Open> open = new ArrayList<>();
    private final List<Ended> ended = new ArrayList<>();
    private final long[] counts = new long[Outcome.values().length];
    private long issued;
    /** The block of {@link WriteNumbers} in use: its first write and that one's number. */
    private long blockSequence;

    private int blockNumber = WriteNumbers.NONE;
    private int blockSize;
    /** From when on a start is noted in {@link WriteTimes} again. */
    private long nextTimeNanos = Long.MIN_VALUE;

    private long lastEndNanos = Long.MIN_VALUE;
    private boolean closed;

    /** @param number see {@link WriteNumbers} */
    private record Open(String key, Write.Kind kind, int[] fields, long id, int number, long startNanos) {}

    private record Ended(Open write, Outcome outcome, long endNanos) {}

    public Writer(int number, Ledger ledger) {
        this.number = number;
        this.ledger = ledger;
        times = ledger.times(number);
        pending = ledger.pendingOf(this::flush);
        ledger.memory().force((long) ENDED_BYTES * FLUSHED_TOGETHER);
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
        int[] fields = kind == Write.Kind.UPDATE && !isRow(names) ? fields(names) : ROW;
        long start = pending.begin(Ledger.stripe(key));
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
        return blockNumber == WriteNumbers.NONE ? WriteNumbers.NONE : blockNumber + (int) (sequence - blockSequence);
    }

    private int[] fields(Collection<String> names) {
        int[] fields = new int[names.size()];
        int i = 0;
        for (String name : names) {
            fields[i++] = ledger.field(name);
        }
        return fields;
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
                ended(now);
            }
        }
    }

    /** The only write that has begun has ended so. */
    void end(Outcome outcome) {
        long now = System.nanoTime();
        synchronized (this) {
            if (!closed) {
                ended(open.get(0), outcome, now);
                ended(now);
            }
        }
    }

    private void ended(Open write, Outcome outcome, long now) {
        counts[outcome.ordinal()]++;
        ended.add(new Ended(write, outcome, outcome == Outcome.OK ? now : Long.MAX_VALUE));
    }

    private void ended(long now) {
        open.clear();
        lastEndNanos = now;
        if (ended.size() >= MOST_ENDED) {
            flush();
        }
    }

    /** Between two calls of the database, so that it is in no latency: passes on what has ended, now and then. */
    void flushSome() {
        // Only this thread adds to it.
        if (ended.size() >= FLUSHED_TOGETHER
                || !ended.isEmpty() && lastEndNanos - pending.sinceNanos() >= LONGEST_NANOS) {
            flush();
            ledger.flushOverdue(lastEndNanos);
        }
    }

    /** Passes on what has ended. Also to be called when the thread writes no more: what others write is not settled before. */
    synchronized void flush() {
        ended.forEach(this::record);
        ended.clear();
        if (open.isEmpty()) {
            pending.clear();
        } else {
            int stripes = 0;
            for (Open write : open) {
                stripes |= 1 << Ledger.stripe(write.key);
            }
            pending.keep(open.get(0).startNanos, stripes);
        }
    }

    /** What has begun and not ended is unknown, and nothing more is taken from the thread. */
    public synchronized void close() {
        open.forEach(write -> ended(write, Outcome.UNKNOWN, Long.MAX_VALUE));
        open.clear();
        flush();
        times.close(lastEndNanos);
        closed = true;
    }

    private void record(Ended one) {
        Open write = one.write;
        if (one.outcome == Outcome.FAILED) {
            long before = failed.bytes();
            failed.add(WriteId.sequence(write.id));
            ledger.memory().force(failed.bytes() - before);
            ledger.end(write.key, write.number, List.of());
            return;
        }
        List<Write> writes = new ArrayList<>(write.fields.length);
        for (int field : write.fields) {
            writes.add(
                    new Write(field, write.kind, one.outcome == Outcome.OK, write.id, write.startNanos, one.endNanos));
        }
        ledger.end(write.key, write.number, writes);
    }

    /** Whether there is such a write and it did not fail. */
    public synchronized boolean mayExist(long sequence) {
        return sequence < issued && !failed.contains(sequence);
    }

    public synchronized long count(Outcome outcome) {
        return counts[outcome.ordinal()];
    }
}
