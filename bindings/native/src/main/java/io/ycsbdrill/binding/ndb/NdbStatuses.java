package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import site.ycsb.Status;

/**
 * The one table from NDB's errors to statuses. NDB itself says of each error whether it is temporary, permanent or leaves the
 * result unknown; only the codes that a benchmark must tell apart are named here.
 */
final class NdbStatuses {
    private static final int NO_SUCH_ROW = 626;
    private static final int ROW_EXISTS = 630;
    private static final int NO_SUCH_TABLE = 723;
    private static final int CLUSTER_FAILURE = 4009;
    private static final int COMMITTED_BUT_READ_LOST = 4115;
    /**
     * NDB's client says that a transaction was aborted when it hears from one node that a failure is handled, and has not heard from the
     * node that took over that the transaction was committed. The two come by different connections, and the second may be the later one.
     */
    private static final int NODE_FAILURE_WITHOUT_WORD = 4010;

    /** @param write whether the operation could have changed data */
    static Status of(NdbFailure failure, boolean write) {
        switch (failure.code()) {
            case NdbFailure.BAD_REQUEST:
                return Status.BAD_REQUEST;
            case NO_SUCH_ROW:
                return Status.NOT_FOUND;
            case ROW_EXISTS:
                return Statuses.DUPLICATE_KEY;
            case COMMITTED_BUT_READ_LOST:
                // NDB calls it temporary, yet the transaction was committed: doing it again would be wrong.
                return write ? Statuses.UNKNOWN : Statuses.TEMPORARY;
            case NODE_FAILURE_WITHOUT_WORD:
                return write && failure.sent() ? Statuses.UNKNOWN : Statuses.TEMPORARY;
            default:
                break;
        }
        if (lostCluster(failure)) {
            return write && failure.sent() ? Statuses.UNKNOWN : Statuses.UNAVAILABLE;
        }
        if (failure.status() == NdbFailure.TEMPORARY) {
            return Statuses.TEMPORARY;
        }
        if (failure.status() == NdbFailure.PERMANENT) {
            // When the table was altered, the next operation looks it up again and may work; when it is gone, not.
            return staleMetadata(failure) && failure.code() != NO_SUCH_TABLE ? Statuses.TEMPORARY : Statuses.FAILED;
        }
        if (!failure.sent()) {
            // Right after connecting NDB now and then begins no transaction and says no reason; the next one works.
            return failure.code() == 0 ? Statuses.TEMPORARY : Statuses.FAILED;
        }
        return write ? Statuses.UNKNOWN : Statuses.TIMEOUT;
    }

    /**
     * Why a transaction of several operations is over.
     *
     * @param committing whether its commit failed
     */
    static Status aborted(NdbFailure failure, boolean committing) {
        switch (failure.code()) {
            case 237, 266, 274, 296, 297:
                // NDB finds deadlocks by their lock waits, so it cannot tell the two apart.
                return Statuses.LOCK_TIMEOUT;
            default:
                break;
        }
        Status status = of(failure, committing);
        return committing || !status.equals(Statuses.TIMEOUT) ? status : Statuses.TEMPORARY;
    }

    /** Whether there is no such row. */
    static boolean missing(NdbFailure failure) {
        return failure.code() == NO_SUCH_ROW;
    }

    /** Whether all data nodes are gone, so that this connection is lost for good. */
    static boolean lostCluster(NdbFailure failure) {
        return failure.code() == CLUSTER_FAILURE;
    }

    /** Whether the cached table is out of date: it was altered, dropped or created again. */
    static boolean staleMetadata(NdbFailure failure) {
        return switch (failure.code()) {
            case 241, 283, 284, 285, 910, 1226, NO_SUCH_TABLE -> true;
            default -> false;
        };
    }

    /** Whether the failure is expected in a normal run: a missing row, or one that exists already. */
    static boolean expected(NdbFailure failure) {
        return failure.code() == NO_SUCH_ROW || failure.code() == ROW_EXISTS;
    }

    /** Whether the cluster itself is well, so that the next operation need not wait. */
    static boolean harmless(NdbFailure failure) {
        return expected(failure) || failure.ofTheBinding();
    }
}
