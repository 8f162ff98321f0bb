package io.ycsbdrill.workload;

import site.ycsb.DB;
import site.ycsb.Status;

/**
 * The {@link DB} that a client thread gives to its workload, when the client can measure several calls as one operation. A workload asks
 * {@code db instanceof WholeOperations}; under the stock client it is none, and each call is measured by itself. Used by the client thread
 * only.
 */
public interface WholeOperations {

    /** How many names of whole operations a run can have. */
    int MOST_NAMES = 16;

    /** The calls of one operation. */
    interface Work {
        /**
         * Makes the calls.
         *
         * @param binding the binding itself: its calls are not measured one by one, and not retried
         * @return what became of the operation, judged as that of a write; never null
         */
        Status on(DB binding);
    }

    /**
     * Does the work as one operation with this name. It counts in totals, windows and drills as a read or an update does, with service and
     * response time; a run has at most {@link #MOST_NAMES} different names.
     *
     * @return what the work returned
     */
    Status whole(String name, Work work);
}
