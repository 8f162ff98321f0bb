package io.ycsbdrill.client.audit.journal;

/**
 * A write that a read may show, as far as real time tells.
 *
 * @param field number of the only field it wrote; {@link #ROW} when it was the whole row
 * @param acknowledged whether it is known to have been applied; else it is not known
 * @param id see {@link WriteId}
 * @param startNanos before the call
 * @param endNanos after it returned; {@link Long#MAX_VALUE} when unknown, as it may take effect at any time
 */
public record Write(int field, Kind kind, boolean acknowledged, long id, long startNanos, long endNanos) {
    /** All fields. */
    public static final int ROW = -1;

    /** What was asked. */
    public enum Kind {
        INSERT,
        UPDATE,
        DELETE
    }

    public boolean concerns(int number) {
        return field == ROW || field == number;
    }

    /** It would leave a row behind. */
    public boolean leavesRow() {
        return kind != Kind.DELETE;
    }
}
