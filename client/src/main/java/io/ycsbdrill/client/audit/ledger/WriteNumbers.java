package io.ycsbdrill.client.audit.ledger;

import java.util.Arrays;

/**
 * Numbers the writes of a run by 32 bits, so that ten of them fit a key: a writer is given blocks of numbers, each for as many writes
 * that follow each other. Numbers are never used twice; once they are used up there is {@link #NONE}. Thread-safe.
 */
public final class WriteNumbers {
    /** Of a write that has no number. */
    public static final int NONE = 0;
    /** All that 32 bits can distinguish. */
    public static final long MOST = (1L << 32) - 1;

    private static final long ENTRY_BYTES = Integer.BYTES + Long.BYTES;

    private final long most;
    private final MemoryBudget memory;
    /** Of each block its first number, ascending as unsigned, and the id of the write that has it. */
    private int[] firsts = new int[16];

    private long[] ids = new long[firsts.length];
    private int blocks;
    private long next = NONE + 1;

    /** @param most the highest number, at most {@link #MOST} */
    public WriteNumbers(MemoryBudget memory, long most) {
        this.memory = memory;
        this.most = most;
        memory.force(ENTRY_BYTES * firsts.length);
    }

    /**
     * A block for the write of this id and those of its writer that follow.
     *
     * @return the number of the first, or {@link #NONE} when so many are not left
     */
    public synchronized int reserve(long id, int size) {
        if (next + size - 1 > most) {
            return NONE;
        }
        if (blocks == firsts.length) {
            memory.force(ENTRY_BYTES * blocks);
            firsts = Arrays.copyOf(firsts, blocks * 2);
            ids = Arrays.copyOf(ids, blocks * 2);
        }
        int first = (int) next;
        firsts[blocks] = first;
        ids[blocks++] = id;
        next += size;
        return first;
    }

    /** The write that has this number; see {@link WriteId}. */
    synchronized long id(int number) {
        int low = 0;
        int high = blocks - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Integer.compareUnsigned(firsts[middle], number) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        // A writer's next sequence is the next id.
        return ids[low] + Integer.toUnsignedLong(number - firsts[low]);
    }
}
