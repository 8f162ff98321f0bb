package io.ycsbdrill.client.audit.ledger;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * The keys of one part of the ledger. Of each key it keeps the writes that a read may show: a write is dropped when an acknowledged one
 * that concerns the same fields began after it had ended. What is kept is {@link RecentWrites}, with its times, until no write can overlap it
 * any more, and {@link SettledWrites} then. Thread-safe by its own lock.
 */
public final class Stripe {
    /** Recent writes at which it is first seen which of them are settled. */
    private static final int FIRST_SWEEP = 16;
    /** This object, those that it has, and their lists. */
    private static final long OWN_BYTES = 500;

    private final LongSupplier horizon;
    private final RecentWrites recent;
    private final SettledWrites settled;
    private final KeyTable keys;
    private int sweepAt = FIRST_SWEEP;
    /** Writes that may be refused before a sweep is tried again, when the memory is used up. */
    private int refused;

    /**
     * @param fields those from 0 to this - 1 can be settled by themselves
     * @param horizon a time before which no write began that is reported from now on
     */
    public Stripe(MemoryBudget memory, WriteNumbers numbers, int fields, LongSupplier horizon) {
        memory.force(OWN_BYTES);
        this.horizon = horizon;
        recent = new RecentWrites(memory);
        settled = new SettledWrites(memory, fields, numbers);
        keys = settled.keys();
    }

    /**
     * A write of one of these keys has ended.
     *
     * @param number of the write, for {@link WriteNumbers}; {@link WriteNumbers#NONE} when there are no more
     * @param writes one for each field or one for the row; none when the write failed
     * @return false when it could not be kept; then its key is not audited
     */
    public synchronized boolean end(String key, int number, List<Write> writes) {
        int row = keys.find(key);
        if (row == KeyTable.NONE) {
            if (!writes.isEmpty() && !makeRoom()) {
                return false;
            }
            row = keys.add(key);
            if (row == KeyTable.NONE) {
                return false;
            }
        }
        if (settled.isBroken(row)) {
            return writes.isEmpty();
        }
        for (Write write : writes) {
            if (!keep(row, number, write)) {
                settled.setBroken(row);
                return false;
            }
        }
        return true;
    }

    private boolean keep(int row, int number, Write write) {
        if (write.acknowledged()) {
            if (isDominated(row, write)) {
                return true;
            }
            settled.replace(row, write.field());
            dropDominated(row, write);
        }
        if (!makeRoom()) {
            return false;
        }
        settled.recent(row, recent.add(row, number, write, settled.recent(row)));
        return true;
    }

    private boolean isDominated(int row, Write write) {
        for (int entry = settled.recent(row); entry != RecentWrites.NONE; entry = recent.next(entry)) {
            int field = recent.field(entry);
            if (recent.acknowledged(entry)
                    && recent.start(entry) > write.endNanos()
                    && (field == Write.ROW || field == write.field())) {
                return true;
            }
        }
        return false;
    }

    private void dropDominated(int row, Write write) {
        int before = RecentWrites.NONE;
        for (int entry = settled.recent(row); entry != RecentWrites.NONE; ) {
            if (recent.acknowledged(entry)
                    && recent.end(entry) < write.startNanos()
                    && write.concerns(recent.field(entry))) {
                entry = recent.remove(entry);
                if (before == RecentWrites.NONE) {
                    settled.recent(row, entry);
                } else {
                    recent.next(before, entry);
                }
            } else {
                before = entry;
                entry = recent.next(entry);
            }
        }
    }

    /** @return false when no further write can be kept with its times */
    private boolean makeRoom() {
        if (recent.live() >= sweepAt) {
            sweep();
        }
        if (recent.hasFree() || recent.grow()) {
            return true;
        }
        if (refused == 0) {
            sweep();
            refused = recent.live();
        } else {
            refused--;
        }
        return recent.hasFree();
    }

    /** Settles what can be. As often as the writes have doubled since the last time, so it costs each of them the same. */
    public synchronized void sweep() {
        long horizon = this.horizon.getAsLong();
        for (int entry = 0; entry < recent.size(); entry++) {
            int row = recent.row(entry);
            if (row != KeyTable.NONE && isSettled(row, horizon)) {
                settle(row);
            }
        }
        sweepAt = Math.max(FIRST_SWEEP, 2 * recent.live());
    }

    /** Whether all writes of the key follow the rules of {@link SettledWrites}; it is all of them or none. */
    private boolean isSettled(int row, long horizon) {
        long baseEnd = Long.MIN_VALUE;
        long firstField = Long.MAX_VALUE;
        for (int entry = settled.recent(row); entry != RecentWrites.NONE; entry = recent.next(entry)) {
            int field = recent.field(entry);
            if (!recent.acknowledged(entry)
                    || recent.end(entry) >= horizon
                    || recent.number(entry) == WriteNumbers.NONE
                    || !settled.canHold(recent.kind(entry), field)
                    || isTwice(row, entry)) {
                return false;
            }
            if (field == Write.ROW) {
                baseEnd = recent.end(entry);
            } else {
                firstField = Math.min(firstField, recent.start(entry));
            }
        }
        return baseEnd < firstField;
    }

    /** Whether there is another write of just this field, or of the row, as when two overlapped. */
    private boolean isTwice(int row, int entry) {
        int field = recent.field(entry);
        if (settled.has(row, field) || field == Write.ROW && settled.hasAny(row)) {
            return true;
        }
        for (int later = recent.next(entry); later != RecentWrites.NONE; later = recent.next(later)) {
            if (recent.field(later) == field) {
                return true;
            }
        }
        return false;
    }

    private void settle(int row) {
        long newest = Long.MIN_VALUE;
        for (int entry = settled.recent(row); entry != RecentWrites.NONE; entry = recent.remove(entry)) {
            int field = recent.field(entry);
            settled.put(row, recent.kind(entry), field, recent.number(entry));
            if (field != Write.ROW && recent.start(entry) > newest) {
                newest = recent.start(entry);
                settled.newest(row, field);
            }
        }
        settled.recent(row, RecentWrites.NONE);
    }

    /** Those of a key that a read may show, for the judgement; null where the key is not audited as there was no room. */
    public synchronized List<Write> writes(int key) {
        if (settled.isBroken(key)) {
            return null;
        }
        List<Write> writes = settled.writes(key);
        for (int entry = settled.recent(key); entry != RecentWrites.NONE; entry = recent.next(entry)) {
            writes.add(recent.write(entry));
        }
        return writes;
    }

    /** Keys are known by number from 0 to {@link #keys()} - 1. */
    public synchronized String key(int key) {
        return keys.name(key);
    }

    public synchronized int keys() {
        return keys.count();
    }
}
