package io.ycsbdrill.binding;

/** The request cannot be applied to the table. Without a stack trace, as operations end with it. */
public final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    /** Says what does not fit. */
    public BadRequestException(String message) {
        super(message, null, false, false);
    }
}
