package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.file.Path;

/** A directory that is not removed or used, because nothing proves that it is ours. The message names it, the reason and what to do. */
public final class NotOursException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param reason completes "directory X is left alone: " */
    NotOursException(Path directory, String reason) {
        super("directory \"" + directory + "\" is left alone: " + reason);
    }
}
