package io.ycsbdrill.client.audit.ledger;

import java.util.ArrayList;
import java.util.List;

/**
 * Keys, numbered from 0, each with a record of the same length: the key as a number (two ints), a word of state, and slots for numbers of
 * writes ({@link SettledWrites}). Found by an open hash table whose entries are a row and eight bits of the hash. Guarded by its stripe.
 */
final class KeyTable {
    static final int NONE = -1;

    private static final int CHUNK = 32;
    private static final int KEY_INTS = 2;
    /** A chunk's header and the reference to it. */
    private static final int CHUNK_OVERHEAD_BYTES = 24;

    private static final int ROW_BITS = 24;
    private static final int ROW_MASK = (1 << ROW_BITS) - 1;
    /** With the row that an entry 0 stands for; more keys than that are refused, as when the memory is used up. */
    private static final int MOST_ROWS = ROW_MASK - 1;

    private final MemoryBudget memory;
    private final Keys keys = new Keys();
    private final int width;
    private final List<int[]> chunks = new ArrayList<>();
    private int[] index = new int[16];
    private int count;

    /** @param words of each key, with the one of its state */
    KeyTable(MemoryBudget memory, int words) {
        this.memory = memory;
        width = KEY_INTS + words;
        memory.force(4L * index.length);
    }

    int count() {
        return count;
    }

    String name(int row) {
        return keys.name(key(row));
    }

    /** @return the key's row, or {@link #NONE} when it was never added */
    int find(String name) {
        Long key = keys.known(name);
        if (key == null) {
            return NONE;
        }
        long hash = hash(key);
        int tag = tag(hash);
        for (int i = place(hash, index.length); index[i] != 0; i = next(i, index.length)) {
            if ((index[i] & ~ROW_MASK) == tag) {
                int row = (index[i] & ROW_MASK) - 1;
                if (key(row) == key) {
                    return row;
                }
            }
        }
        return NONE;
    }

    /**
     * A key that is not there yet; its words are 0.
     *
     * @return its row, or {@link #NONE} when there is no room for another
     */
    int add(String name) {
        if (!memory.admits() || count == MOST_ROWS) {
            return NONE;
        }
        if (count == chunks.size() * CHUNK) {
            if (!memory.take(4L * CHUNK * width + CHUNK_OVERHEAD_BYTES)) {
                return NONE;
            }
            chunks.add(new int[CHUNK * width]);
        }
        long before = keys.bytes();
        long key = keys.number(name);
        memory.force(keys.bytes() - before);
        int row = count++;
        int[] chunk = chunk(row);
        chunk[at(row)] = (int) (key >>> 32);
        chunk[at(row) + 1] = (int) key;
        if (count * 10L > index.length * 9L) {
            grow();
        } else {
            put(row);
        }
        return row;
    }

    int word(int row, int word) {
        return chunk(row)[at(row) + KEY_INTS + word];
    }

    void word(int row, int word, int value) {
        chunk(row)[at(row) + KEY_INTS + word] = value;
    }

    private long key(int row) {
        int[] chunk = chunk(row);
        return (long) chunk[at(row)] << 32 | chunk[at(row) + 1] & 0xFFFF_FFFFL;
    }

    /** By an eighth only, so that at least four of five entries are in use soon. */
    private void grow() {
        int more = Math.max(16, index.length / 8);
        memory.force(4L * more);
        index = new int[index.length + more];
        for (int row = 0; row < count; row++) {
            put(row);
        }
    }

    private void put(int row) {
        long hash = hash(key(row));
        int i = place(hash, index.length);
        while (index[i] != 0) {
            i = next(i, index.length);
        }
        index[i] = tag(hash) | row + 1;
    }

    private static int next(int place, int length) {
        return place + 1 == length ? 0 : place + 1;
    }

    private static int place(long hash, int length) {
        return (int) ((hash >>> 32) * length >>> 32);
    }

    private static int tag(long hash) {
        return (int) hash << ROW_BITS;
    }

    private static long hash(long key) {
        long mixed = (key ^ key >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 29) * 0xBF58_476D_1CE4_E5B9L;
        return mixed ^ mixed >>> 32;
    }

    private int[] chunk(int row) {
        return chunks.get(row / CHUNK);
    }

    private int at(int row) {
        return row % CHUNK * width;
    }
}
