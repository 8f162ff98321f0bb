package io.ycsbdrill.binding.ndb.client;

/**
 * Why an operation did not do what was asked.
 *
 * @param code NDB's error code
 * @param status NDB's verdict: {@link #TEMPORARY}, {@link #PERMANENT} or {@link #UNKNOWN_RESULT}
 * @param classification NDB's error class, for example 4 for schema errors
 * @param message NDB's text
 * @param sent whether a request may have reached the cluster; if not, nothing was changed, whatever the status
 */
public record NdbFailure(int code, int status, int classification, String message, boolean sent) {
    public static final int TEMPORARY = 1;
    public static final int PERMANENT = 2;
    public static final int UNKNOWN_RESULT = 3;

    public static final int SCHEMA_ERROR = 4;

    /** The code of failures of the binding, not of NDB: the request does not fit the table. */
    public static final int BAD_REQUEST = -1;

    /** Likewise: a write that was sent with a later request of its transaction found no row, and NDB has aborted the transaction. */
    private static final int MISSED_WRITE = -2;

    /** Likewise: NDB reported that a read succeeded, and handed over no row. */
    private static final int NO_ROW = -3;

    /** A read whose data nodes fail; doing it again is right. */
    public static NdbFailure noRow() {
        return new NdbFailure(NO_ROW, TEMPORARY, 8, "NDB reported that a read succeeded, and handed over no row", true);
    }

    public static NdbFailure missedWrite() {
        return new NdbFailure(
                MISSED_WRITE,
                PERMANENT,
                1,
                "an earlier write of this transaction found no row, so all of it was aborted",
                true);
    }

    public static NdbFailure badRequest(String message) {
        return new NdbFailure(BAD_REQUEST, PERMANENT, 1, message, false);
    }

    /** Whether it came from a data node that failed or was shut down, NDB's classes 8 and 15. */
    public boolean nodeFailure() {
        return classification == 8 || classification == 15;
    }

    /** Whether the binding says so, not NDB. */
    public boolean ofTheBinding() {
        return code < 0;
    }

    @Override
    public String toString() {
        return ofTheBinding() ? message : "NDB error " + code + ": " + message;
    }
}
