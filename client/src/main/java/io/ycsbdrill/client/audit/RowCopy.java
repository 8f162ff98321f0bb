package io.ycsbdrill.client.audit;

import java.util.Map;

/**
 * A row as a read shows it: of the database, or of one of its nodes.
 *
 * @param found what the values are of; {@link ReadRow#ABSENT} without a row
 * @param row the values by field name, as they are; empty without a row
 */
record RowCopy(State state, ReadRow found, Map<String, byte[]> row) {
    /** What the answer was. */
    enum State {
        ROW,
        /** There is no row. */
        ABSENT,
        /** The node is not to have one. */
        NOT_HELD,
        /** No clear answer. */
        UNREADABLE
    }

    static final RowCopy ABSENT = new RowCopy(State.ABSENT, ReadRow.ABSENT, Map.of());
    static final RowCopy NOT_HELD = new RowCopy(State.NOT_HELD, ReadRow.ABSENT, Map.of());
    static final RowCopy UNREADABLE = new RowCopy(State.UNREADABLE, ReadRow.ABSENT, Map.of());

    /** It says what the database, or the node, has of the row. */
    boolean says() {
        return state == State.ROW || state == State.ABSENT;
    }
}
