package io.ycsbdrill.binding.servers;

/** A server serves reads and takes no writes, as a standby or a demoted primary does. */
public final class ReadOnlyServerException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param reason by what that is known */
    public ReadOnlyServerException(String reason) {
        super(reason);
    }
}
