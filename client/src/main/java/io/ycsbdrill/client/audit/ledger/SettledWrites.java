package io.ycsbdrill.client.audit.ledger;

import io.ycsbdrill.client.audit.KeyJudge;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes of a key whose times need not be kept, as numbers only. That leaves every verdict as it is, because times are only ever
 * compared, and these comparisons come out the same. What is settled obeys three rules:
 *
 * <ol>
 *   <li>all are acknowledged and ended before the beginning of every other write of the key that is kept, or reported later;
 *   <li>there is at most one write of the whole row, the base, and at most one of each field alone, which are updates;
 *   <li>the base ended before each of the others began.
 * </ol>
 *
 * <p>In place of the real times there are {@link #BASE_NANOS}, {@link #FIELD_NANOS} and {@link #NEWEST_NANOS}, each as both start and end,
 * which are before all real ones. {@link KeyJudge} compares times in two ways:
 *
 * <ul>
 *   <li><i>Did one end before the other began?</i> By rule 1 a settled one did before one that is not, and the reverse is false; by rule 3
 *       the base did before a field's. Only of two fields' updates the answer may be wrong, and it is never asked for: one of the two
 *       is always a delete ({@code absent}, {@code present}, {@code mayBeWithout}), of unknown outcome ({@code resolution}), or of the
 *       same field or row ({@code finding}). For the same reason a settled write is dominated by any later one that is acknowledged and
 *       concerns all of its fields, and dominates none.
 *   <li><i>Which began last?</i> Of the writes that concern a field: its own, or else the base. Of all that leave a row: the one in
 *       {@link #NEWEST_NANOS}, which is remembered. If that one was replaced, what replaced it began after all that was settled, and
 *       is kept, or was replaced in the same way.
 * </ul>
 *
 * <p>Guarded by its stripe. A key's words are its state and then numbers of writes: of the base and of each field; 0 where there is none.
 */
public final class SettledWrites {
    static final long BASE_NANOS = Long.MIN_VALUE;
    static final long FIELD_NANOS = Long.MIN_VALUE + 1;
    public static final long NEWEST_NANOS = Long.MIN_VALUE + 2;

    private static final int STATE = 0;
    private static final int BASE = 1;
    private static final int FIELDS = 2;
    /** Of the state: the first of the recent writes + 1, the base's kind, the newest field + 1, and whether there is a hole. */
    private static final int RECENT_MASK = (1 << 25) - 1;

    private static final int KIND_SHIFT = 25;
    private static final int NEWEST_SHIFT = 27;
    private static final int NEWEST_MASK = 15 << NEWEST_SHIFT;
    private static final int BROKEN = 1 << 31;
    private static final Write.Kind[] KINDS = Write.Kind.values();

    private final KeyTable keys;
    private final int fields;
    private final WriteNumbers numbers;

    /** @param fields those from 0 to this - 1 can be settled by themselves; at most 14 */
    SettledWrites(MemoryBudget memory, int fields, WriteNumbers numbers) {
        keys = new KeyTable(memory, FIELDS + fields);
        this.fields = fields;
        this.numbers = numbers;
    }

    KeyTable keys() {
        return keys;
    }

    /** Whether a write of the key could not be kept. */
    boolean isBroken(int row) {
        return (keys.word(row, STATE) & BROKEN) != 0;
    }

    void setBroken(int row) {
        keys.word(row, STATE, keys.word(row, STATE) | BROKEN);
    }

    /** The first of the writes that are not settled; {@link RecentWrites#NONE} when all are. */
    int recent(int row) {
        return (keys.word(row, STATE) & RECENT_MASK) - 1;
    }

    void recent(int row, int first) {
        keys.word(row, STATE, keys.word(row, STATE) & ~RECENT_MASK | first + 1);
    }

    /** Whether a write of this kind and field can be settled at all. */
    boolean canHold(Write.Kind kind, int field) {
        return field == Write.ROW || kind == Write.Kind.UPDATE && field < fields;
    }

    boolean has(int row, int field) {
        return keys.word(row, word(field)) != WriteNumbers.NONE;
    }

    /** Whether any write of the row is settled. */
    boolean hasAny(int row) {
        for (int field = Write.ROW; field < fields; field++) {
            if (has(row, field)) {
                return true;
            }
        }
        return false;
    }

    void put(int row, Write.Kind kind, int field, int number) {
        keys.word(row, word(field), number);
        if (field == Write.ROW) {
            keys.word(row, STATE, keys.word(row, STATE) & ~(3 << KIND_SHIFT) | kind.ordinal() << KIND_SHIFT);
        }
    }

    /** @param field whose settled write began last; {@link Write#ROW} when none of a field is settled */
    void newest(int row, int field) {
        keys.word(row, STATE, keys.word(row, STATE) & ~NEWEST_MASK | field + 1 << NEWEST_SHIFT);
    }

    /** An acknowledged write was reported that is not settled: what is settled of its fields is before it. */
    void replace(int row, int field) {
        if (field < fields) {
            for (int word = word(field); word <= (field == Write.ROW ? word(fields - 1) : word(field)); word++) {
                keys.word(row, word, WriteNumbers.NONE);
            }
        }
    }

    List<Write> writes(int row) {
        List<Write> writes = new ArrayList<>();
        int state = keys.word(row, STATE);
        if (has(row, Write.ROW)) {
            writes.add(write(row, KINDS[state >>> KIND_SHIFT & 3], Write.ROW, BASE_NANOS));
        }
        int newest = ((state & NEWEST_MASK) >>> NEWEST_SHIFT) - 1;
        for (int field = 0; field < fields; field++) {
            if (has(row, field)) {
                writes.add(write(row, Write.Kind.UPDATE, field, field == newest ? NEWEST_NANOS : FIELD_NANOS));
            }
        }
        return writes;
    }

    private Write write(int row, Write.Kind kind, int field, long nanos) {
        return new Write(field, kind, true, numbers.id(keys.word(row, word(field))), nanos, nanos);
    }

    private static int word(int field) {
        return field == Write.ROW ? BASE : FIELDS + field;
    }
}
