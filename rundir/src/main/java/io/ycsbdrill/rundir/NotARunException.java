package io.ycsbdrill.rundir;

import java.nio.file.Files;
import java.nio.file.Path;

/** A directory was named that is none, or is not that of a run: a mistake of whoever named it, and no damage. */
public final class NotARunException extends RunFormatException {
    private static final long serialVersionUID = 1L;

    private NotARunException(String message) {
        super(message);
    }

    /** For a directory without {@code run.json}. */
    public static NotARunException of(Path directory) {
        return new NotARunException(directory
                + (!Files.exists(directory)
                        ? " is not there; name the directory of a run, for example one below results"
                        : " is not a run directory: it has no " + RunFile.RUN + " (see docs/run-directory.md)"));
    }
}
