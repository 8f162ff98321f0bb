package io.ycsbdrill.workload.tpcc;

/** One of the five transactions with its inputs, which are the same at every attempt. Immutable after its making. */
interface Business {
    /** What an attempt has come to when its calls are made. */
    enum End {
        COMMIT,
        /** It is to be taken back, as the specification wants it of one new-order in a hundred. */
        ROLL_BACK
    }

    /** The operation that it is measured as. */
    String name();

    /** Makes the calls of one attempt, but for the last. */
    End attempt(Unit unit) throws Ended;

    /** Whether it writes. */
    default boolean writes() {
        return true;
    }

    /** Tells the ledger that it was committed, or may have been. */
    default void enter(Ledger ledger, boolean known) {}
}
