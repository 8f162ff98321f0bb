package io.ycsbdrill.client.session;

/** There was no run, as the table could not be loaded or no connection be opened; the message says why and what to do. */
public final class LoadFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LoadFailedException(String message) {
        super(message);
    }
}
