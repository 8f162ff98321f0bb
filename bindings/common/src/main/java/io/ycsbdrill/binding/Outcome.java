package io.ycsbdrill.binding;

import java.util.Set;
import site.ycsb.Status;

/** The result of an operation as far as it is known. */
public enum Outcome {
    /** The operation did what was asked. */
    OK,
    /** The operation definitely had no effect. */
    FAILED,
    /** A write that may or may not have been applied. */
    UNKNOWN;

    /** Statuses, by name, after which a write definitely had no effect, whichever binding returned them. */
    private static final Set<String> DEFINITE = Set.of(
            Status.NOT_FOUND.getName(),
            Status.NOT_IMPLEMENTED.getName(),
            Status.BAD_REQUEST.getName(),
            Status.FORBIDDEN.getName(),
            Statuses.DUPLICATE_KEY.getName(),
            Statuses.FAILED.getName(),
            Statuses.TEMPORARY.getName(),
            Statuses.DEADLOCK.getName(),
            Statuses.LOCK_TIMEOUT.getName(),
            Statuses.CONFLICT.getName(),
            Statuses.UNAVAILABLE.getName());

    /**
     * Judges a status. Only the identities {@link Status#OK} and {@link Status#BATCHED_OK} are OK, as in YCSB itself. A read
     * that is not OK has failed. A write that is not OK has failed when its status says so definitely, and is unknown
     * otherwise: the plain {@link Status#ERROR} of a third-party binding does not tell.
     *
     * @param status what the binding returned; null counts as no answer
     * @param write whether the operation could have changed data
     */
    public static Outcome of(Status status, boolean write) {
        if (status != null && status.isOk()) {
            return OK;
        }
        return write && (status == null || !DEFINITE.contains(status.getName())) ? UNKNOWN : FAILED;
    }
}
