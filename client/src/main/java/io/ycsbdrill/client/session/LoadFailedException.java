package io.ycsbdrill.client.session;

/** The table was empty and its records could not be loaded, so there was no run; the message says why and what to do. */
public final class LoadFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LoadFailedException(String message) {
        super(message);
    }
}
