package io.ycsbdrill.binding.ndb.client;

/** A failure outside an operation: connecting, looking up a table or creating one. */
public final class NdbException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient NdbFailure failure;

    public NdbException(String message, NdbFailure failure) {
        super(message + ": " + failure);
        this.failure = failure;
    }

    /** The failure that NDB reported. */
    public NdbFailure failure() {
        return failure;
    }
}
