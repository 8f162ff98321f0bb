package io.ycsbdrill.client.audit.ledger;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes with their times, in chains: all that are not {@link SettledWrites}. An entry is five longs: id, kind and outcome; start; end; the
 * write's number and the row of its key; the field and the next entry of the chain. Guarded by its stripe.
 */
final class RecentWrites {
    static final int NONE = -1;
    /** Entries that a chain may begin with. */
    static final int MOST = (1 << 25) - 2;

    private static final int LONGS = 5;
    private static final int CHUNK = 8;
    /** A chunk's header and the reference to it. */
    private static final int CHUNK_OVERHEAD_BYTES = 24;

    private static final int ID_BITS = 54;
    private static final long ID_MASK = (1L << ID_BITS) - 1;
    private static final long ACKNOWLEDGED = 1L << 56;
    private static final long LOW = 0xFFFF_FFFFL;
    private static final Write.Kind[] KINDS = Write.Kind.values();

    private final MemoryBudget memory;
    private final List<long[]> chunks = new ArrayList<>();
    private int used;
    private int live;
    private int free = NONE;

    RecentWrites(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Entries in use. */
    int live() {
        return live;
    }

    /** Entries that were ever in use; each may be free again, see {@link #row}. */
    int size() {
        return used;
    }

    boolean hasFree() {
        return free != NONE || used < chunks.size() * CHUNK;
    }

    /** @return false when there is no room for more */
    boolean grow() {
        if (used + CHUNK > MOST) {
            memory.refuse();
            return false;
        }
        if (!memory.take(8L * CHUNK * LONGS + CHUNK_OVERHEAD_BYTES)) {
            return false;
        }
        chunks.add(new long[CHUNK * LONGS]);
        return true;
    }

    /** To be called only when there {@link #hasFree is} one. */
    int add(int row, int number, Write write, int next) {
        int entry = free;
        if (entry == NONE) {
            entry = used++;
        } else {
            free = next(entry);
        }
        live++;
        long[] chunk = chunk(entry);
        int at = at(entry);
        chunk[at] = write.id() | (long) write.kind().ordinal() << ID_BITS | (write.acknowledged() ? ACKNOWLEDGED : 0);
        chunk[at + 1] = write.startNanos();
        chunk[at + 2] = write.endNanos();
        chunk[at + 3] = (long) number << 32 | row;
        chunk[at + 4] = (long) (write.field() + 1) << 32 | next & LOW;
        return entry;
    }

    /** @return what came next */
    int remove(int entry) {
        int next = next(entry);
        chunk(entry)[at(entry) + 3] = NONE;
        next(entry, free);
        free = entry;
        live--;
        return next;
    }

    Write write(int entry) {
        return new Write(
                field(entry),
                kind(entry),
                acknowledged(entry),
                chunk(entry)[at(entry)] & ID_MASK,
                start(entry),
                end(entry));
    }

    Write.Kind kind(int entry) {
        return KINDS[(int) (chunk(entry)[at(entry)] >>> ID_BITS & 3)];
    }

    boolean acknowledged(int entry) {
        return (chunk(entry)[at(entry)] & ACKNOWLEDGED) != 0;
    }

    long start(int entry) {
        return chunk(entry)[at(entry) + 1];
    }

    long end(int entry) {
        return chunk(entry)[at(entry) + 2];
    }

    /** {@link WriteNumbers#NONE} when it has none. */
    int number(int entry) {
        return (int) (chunk(entry)[at(entry) + 3] >>> 32);
    }

    /** Of its key; {@link #NONE} when the entry is free. */
    int row(int entry) {
        return (int) chunk(entry)[at(entry) + 3];
    }

    int field(int entry) {
        return (int) (chunk(entry)[at(entry) + 4] >>> 32) - 1;
    }

    int next(int entry) {
        return (int) chunk(entry)[at(entry) + 4];
    }

    void next(int entry, int to) {
        long[] chunk = chunk(entry);
        chunk[at(entry) + 4] = chunk[at(entry) + 4] & ~LOW | to & LOW;
    }

    private long[] chunk(int entry) {
        return chunks.get(entry / CHUNK);
    }

    private static int at(int entry) {
        return entry % CHUNK * LONGS;
    }
}
