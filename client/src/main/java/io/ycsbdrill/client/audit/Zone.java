package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;

/**
 * A write together with the reads that have shown it: all of them are before all of another zone when one of them ended before one of the other began.
 * After Gibbons and Korach, "Testing Shared Memories" (1997).
 *
 * @param lastStart when the last of them began, since the run's writes are known
 * @param firstEnd when the first of them ended; {@link Long#MAX_VALUE} for a write of unknown outcome that no read has shown
 * @param applied whether it is known to have taken effect
 */
record Zone(Write write, long lastStart, long firstEnd, boolean applied) {
    /** In place of all writes that were before the run. */
    static final Write BEFORE_THE_RUN =
            new Write(Write.ROW, Kind.INSERT, false, Stamp.OTHER, Long.MIN_VALUE, Long.MIN_VALUE);

    /** A row that was there then. */
    static final Zone ROW_BEFORE_THE_RUN = new Zone(BEFORE_THE_RUN, Long.MIN_VALUE, Long.MIN_VALUE, true);

    static Zone of(Write write) {
        return new Zone(write, write.startNanos(), write.endNanos(), write.acknowledged());
    }

    /** With one more read that has shown it. */
    Zone shown(long startNanos, long endNanos) {
        return new Zone(write, Math.max(lastStart, startNanos), Math.min(firstEnd, endNanos), true);
    }

    /** Something of it is before something of the other. */
    boolean precedes(Zone other) {
        return firstEnd < other.lastStart;
    }

    /** From its first end to its last start nothing else can have been there. */
    boolean holds() {
        return firstEnd < lastStart;
    }
}
