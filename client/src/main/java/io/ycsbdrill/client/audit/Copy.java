package io.ycsbdrill.client.audit;

import java.util.Map;

/**
 * A row as a read shows it: of the database, or of one of its nodes.
 *
 * @param found what the values are of; {@link Found#ABSENT} without a row
 * @param row the values by field name, as they are; empty without a row
 */
record Copy(State state, Found found, Map<String, byte[]> row) {
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

    static final Copy ABSENT = new Copy(State.ABSENT, Found.ABSENT, Map.of());
    static final Copy NOT_HELD = new Copy(State.NOT_HELD, Found.ABSENT, Map.of());
    static final Copy UNREADABLE = new Copy(State.UNREADABLE, Found.ABSENT, Map.of());

    /** It says what the database, or the node, has of the row. */
    boolean says() {
        return state == State.ROW || state == State.ABSENT;
    }
}
