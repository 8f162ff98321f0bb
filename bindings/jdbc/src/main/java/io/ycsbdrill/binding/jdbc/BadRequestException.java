package io.ycsbdrill.binding.jdbc;

/** The request cannot be applied to the table. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    BadRequestException(String message) {
        super(message, null, false, false);
    }
}
