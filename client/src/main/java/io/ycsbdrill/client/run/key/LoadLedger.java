package io.ycsbdrill.client.run.key;

import io.ycsbdrill.binding.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What became of each record of a load: how many were inserted, and exactly which were not. Records are known by key number, or by
 * key name when the workload does not number them. Costs memory only for records that were not inserted. Thread-safe.
 */
public final class LoadLedger {
    /** Names kept one by one; beyond that only their number. */
    private static final int MOST_NAMES = 100_000;

    private final long start;
    private final long count;
    /** Key ranges to insert, by the offset of their first key among all keys to insert. */
    private final TreeMap<Long, KeyRange> ranges = new TreeMap<>();

    private final boolean numbered;
    private final AtomicLong next = new AtomicLong();
    private final LongAdder inserted = new LongAdder();
    private final BitSet failed = new BitSet();
    private final BitSet unknown = new BitSet();
    private final TreeMap<String, Outcome> names = new TreeMap<>();
    private long unlisted;

    /**
     * @param start first key number
     * @param count how many; with numbers at most {@link Integer#MAX_VALUE}
     */
    public LoadLedger(long start, long count, boolean numbered) {
        this(List.of(new KeyRange(start, start + count - 1)), numbered);
    }

    /**
     * @param toInsert in order and apart from each other, at least one; with numbers they span at most {@link Integer#MAX_VALUE}
     */
    public LoadLedger(List<KeyRange> toInsert, boolean numbered) {
        this.numbered = numbered;
        start = toInsert.get(0).first();
        long offset = 0;
        for (KeyRange range : toInsert) {
            ranges.put(offset, range);
            offset += range.count();
        }
        count = offset;
    }

    /** The next record to insert, as a key number; -1 when all were handed out. */
    public long take() {
        long offset = next.getAndIncrement();
        return offset < count ? key(offset) : -1;
    }

    private long key(long offset) {
        var range = ranges.floorEntry(offset);
        return range.getValue().first() + offset - range.getKey();
    }

    /** The record's last attempt has ended so. An unknown record stays unknown, whatever a later attempt failed with. */
    public void done(long key, String name, Outcome outcome) {
        if (outcome == Outcome.OK) {
            inserted.increment();
        } else if (numbered) {
            synchronized (this) {
                (outcome == Outcome.FAILED ? failed : unknown).set((int) (key - start));
            }
        } else {
            synchronized (this) {
                if (names.size() < MOST_NAMES) {
                    names.put(name, outcome);
                } else {
                    unlisted++;
                }
            }
        }
    }

    public long start() {
        return start;
    }

    public long count() {
        return count;
    }

    public long inserted() {
        return inserted.sum();
    }

    public boolean numbered() {
        return numbered;
    }

    /** Key numbers, inclusive ranges, in order; empty without numbers. */
    public synchronized List<long[]> ranges(Outcome outcome) {
        BitSet keys = outcome == Outcome.FAILED ? failed : unknown;
        List<long[]> ranges = new ArrayList<>();
        for (int from = keys.nextSetBit(0); from >= 0; ) {
            int end = keys.nextClearBit(from);
            ranges.add(new long[] {start + from, start + end - 1});
            from = keys.nextSetBit(end);
        }
        return ranges;
    }

    /** Key numbers that no thread has begun with. */
    public List<long[]> notStarted() {
        long begun = Math.min(next.get(), count);
        List<long[]> left = new ArrayList<>();
        ranges.forEach((offset, range) -> {
            long first = range.first() + Math.max(0, begun - offset);
            if (first <= range.last()) {
                left.add(new long[] {first, range.last()});
            }
        });
        return left;
    }

    /** Key names with this outcome, sorted; empty with numbers. */
    public synchronized List<String> names(Outcome outcome) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue() == outcome)
                .map(entry -> entry.getKey())
                .toList();
    }

    /** Records that were not inserted and are not in {@link #names}, as there were too many. */
    public synchronized long unlisted() {
        return unlisted;
    }
}
