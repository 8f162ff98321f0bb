package io.ycsbdrill.client.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of one part of the ledger. Of each key it keeps the writes that a read may show: a write is dropped when an acknowledged one
 * that concerns the same fields began after it had ended. Entries are five longs (key; id, kind, outcome; start; end; next and
 * field), chained by key; the index has the first entry of each key. Thread-safe by its own lock.
 */
final class Stripe {
    private static final int LONGS = 5;
    private static final int CHUNK = 64;
    private static final int NONE = -1;
    private static final int ID_BITS = 54;
    private static final long ID_MASK = (1L << ID_BITS) - 1;
    private static final long ACKNOWLEDGED = 1L << 56;
    /** The key was touched, but by failed writes only. */
    private static final long TOUCHED = 1L << 57;
    /** A write of the key could not be kept. */
    private static final long BROKEN = 1L << 58;

    private final Memory memory;
    private final Keys keys = new Keys();
    private final List<long[]> chunks = new ArrayList<>();
    private int[] index = new int[16];
    private int keyCount;
    private int used;
    private int free = NONE;
    /** First entries of all keys, once nothing is added any more. */
    private int[] heads = {};

    Stripe(Memory memory) {
        this.memory = memory;
        memory.force(4L * index.length);
    }

    /** @return false when there is no room for another key */
    synchronized boolean touch(String key) {
        int head = head(key);
        return head != NONE || newKey(key, TOUCHED, 0, 0, Write.ROW);
    }

    /** @return false when the write could not be kept; then its key is not audited */
    synchronized boolean add(String key, Write write) {
        long word = write.id() | (long) write.kind().ordinal() << ID_BITS | (write.acknowledged() ? ACKNOWLEDGED : 0);
        int head = head(key);
        if (head == NONE) {
            return newKey(key, word, write.startNanos(), write.endNanos(), write.field());
        }
        if ((word(head) & BROKEN) != 0) {
            return false;
        }
        if ((word(head) & TOUCHED) != 0) {
            set(head, word, write.startNanos(), write.endNanos(), write.field());
            return true;
        }
        if (write.acknowledged() && isDominated(head, write)) {
            return true;
        }
        if (write.acknowledged()) {
            dropDominated(head, write);
            // The head cannot be unlinked, but a dominated one is used again.
            if (isDominating(write, head)) {
                set(head, word, write.startNanos(), write.endNanos(), write.field());
                return true;
            }
        }
        int slot = allocate();
        if (slot == NONE) {
            long[] chunk = chunk(head);
            chunk[at(head) + 1] |= BROKEN;
            return false;
        }
        chunk(slot)[at(slot)] = chunk(head)[at(head)];
        set(slot, word, write.startNanos(), write.endNanos(), write.field());
        next(slot, next(head));
        next(head, slot);
        return true;
    }

    private boolean newKey(String key, long word, long start, long end, int field) {
        if (!memory.admits()) {
            return false;
        }
        int slot = allocate();
        if (slot == NONE) {
            return false;
        }
        long before = keys.bytes();
        long number = keys.number(key);
        memory.force(keys.bytes() - before);
        chunk(slot)[at(slot)] = number;
        set(slot, word, start, end, field);
        next(slot, NONE);
        if ((keyCount + 1) * 4L > index.length * 3L) {
            grow();
        }
        put(index, number, slot);
        keyCount++;
        return true;
    }

    private boolean isDominated(int head, Write write) {
        for (int slot = head; slot != NONE; slot = next(slot)) {
            long word = word(slot);
            if ((word & ACKNOWLEDGED) != 0
                    && start(slot) > write.endNanos()
                    && (field(slot) == Write.ROW || field(slot) == write.field())) {
                return true;
            }
        }
        return false;
    }

    private boolean isDominating(Write write, int slot) {
        return (word(slot) & ACKNOWLEDGED) != 0
                && end(slot) < write.startNanos()
                && (write.field() == Write.ROW || write.field() == field(slot));
    }

    private void dropDominated(int head, Write write) {
        int before = head;
        for (int slot = next(head); slot != NONE; slot = next(before)) {
            if (isDominating(write, slot)) {
                next(before, next(slot));
                next(slot, free);
                free = slot;
            } else {
                before = slot;
            }
        }
    }

    /** Entries by key, for the judgement; null where the key is not audited as there was no room. */
    synchronized List<Write> writes(int key) {
        int head = headOf(key);
        if ((word(head) & BROKEN) != 0) {
            return null;
        }
        List<Write> writes = new ArrayList<>();
        for (int slot = head; slot != NONE; slot = next(slot)) {
            long word = word(slot);
            if ((word & TOUCHED) == 0) {
                writes.add(new Write(
                        field(slot),
                        Write.Kind.values()[(int) (word >>> ID_BITS & 3)],
                        (word & ACKNOWLEDGED) != 0,
                        word & ID_MASK,
                        start(slot),
                        end(slot)));
            }
        }
        return writes;
    }

    /** From now on nothing is added, and keys are known by number from 0 to {@link #keys()} - 1. */
    synchronized void close() {
        heads = Arrays.stream(index)
                .filter(entry -> entry != 0)
                .map(entry -> entry - 1)
                .toArray();
        memory.force(4L * heads.length);
    }

    private int headOf(int key) {
        return heads[key];
    }

    synchronized String key(int key) {
        return keys.name(chunk(headOf(key))[at(headOf(key))]);
    }

    synchronized int keys() {
        return keyCount;
    }

    private int head(String key) {
        Long number = keys.known(key);
        if (number == null) {
            return NONE;
        }
        int mask = index.length - 1;
        for (int i = hash(number) & mask; index[i] != 0; i = i + 1 & mask) {
            int slot = index[i] - 1;
            if (chunk(slot)[at(slot)] == number) {
                return slot;
            }
        }
        return NONE;
    }

    private void grow() {
        int[] larger = new int[index.length * 2];
        memory.force(4L * index.length);
        for (int entry : index) {
            if (entry != 0) {
                put(larger, chunk(entry - 1)[at(entry - 1)], entry - 1);
            }
        }
        index = larger;
    }

    private static void put(int[] into, long number, int slot) {
        int mask = into.length - 1;
        int i = hash(number) & mask;
        while (into[i] != 0) {
            i = i + 1 & mask;
        }
        into[i] = slot + 1;
    }

    private static int hash(long number) {
        long mixed = number * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }

    private int allocate() {
        if (free != NONE) {
            int slot = free;
            free = next(slot);
            return slot;
        }
        if (used == chunks.size() * CHUNK) {
            if (!memory.take(8L * CHUNK * LONGS)) {
                return NONE;
            }
            chunks.add(new long[CHUNK * LONGS]);
        }
        return used++;
    }

    private long[] chunk(int slot) {
        return chunks.get(slot / CHUNK);
    }

    private static int at(int slot) {
        return slot % CHUNK * LONGS;
    }

    private void set(int slot, long word, long start, long end, int field) {
        long[] chunk = chunk(slot);
        int at = at(slot);
        chunk[at + 1] = word;
        chunk[at + 2] = start;
        chunk[at + 3] = end;
        chunk[at + 4] = chunk[at + 4] & 0xFFFF_FFFFL | (long) (field + 1) << 32;
    }

    private long word(int slot) {
        return chunk(slot)[at(slot) + 1];
    }

    private long start(int slot) {
        return chunk(slot)[at(slot) + 2];
    }

    private long end(int slot) {
        return chunk(slot)[at(slot) + 3];
    }

    private int field(int slot) {
        return (int) (chunk(slot)[at(slot) + 4] >>> 32) - 1;
    }

    private int next(int slot) {
        return (int) chunk(slot)[at(slot) + 4];
    }

    private void next(int slot, int to) {
        long[] chunk = chunk(slot);
        chunk[at(slot) + 4] = chunk[at(slot) + 4] & 0xFFFF_FFFF_0000_0000L | to & 0xFFFF_FFFFL;
    }
}
