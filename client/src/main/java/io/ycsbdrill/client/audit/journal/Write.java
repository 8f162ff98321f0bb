package io.ycsbdrill.client.audit.journal;

/**
 * A write that a read may show, as far as real time tells.
 *
 * @param field number of the only field it wrote; {@link #ROW} when it was the whole row
 * @param acknowledged whether it is known to have been applied, and not to be lost by a {@link Rollback}; else it is not known
 * @param id see {@link WriteId}
 * @param startNanos before the call
 * @param endNanos after it returned; {@link Long#MAX_VALUE} when its outcome is unknown, as it may take effect at any time
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

    /** It was acknowledged, and may be lost by a {@link Rollback}. */
    public boolean rolledBack() {
        return !acknowledged && endNanos < Long.MAX_VALUE && endNanos > Long.MIN_VALUE;
    }

    /** As it was before that. */
    Write asAcknowledged() {
        return rolledBack() ? new Write(field, kind, true, id, startNanos, endNanos) : this;
    }

    /** It would leave a row behind. */
    public boolean leavesRow() {
        return kind != Kind.DELETE;
    }
}
