package io.ycsbdrill.binding.ndb.client;

/** Something outside an operation failed: connecting, looking a table up, making one. */
public final class NdbException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient NdbFailure failure;

    public NdbException(String message, NdbFailure failure) {
        super(message + ": " + failure);
        this.failure = failure;
    }

    /** What NDB said. */
    public NdbFailure failure() {
        return failure;
    }
}
