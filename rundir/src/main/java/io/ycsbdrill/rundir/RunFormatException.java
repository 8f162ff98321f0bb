package io.ycsbdrill.rundir;

/** A directory that cannot be read as a run at all: no {@code run.json}, or one of a later version. The message names the file. */
public class RunFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunFormatException(String message) {
        super(message);
    }

    public RunFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
