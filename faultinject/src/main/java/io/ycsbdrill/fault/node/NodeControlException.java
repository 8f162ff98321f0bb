package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.FileReason;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A node could not be brought into the requested state. The message names the node, what was seen, what was expected and
 * where the node's log is.
 */
public class NodeControlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NodeControlException(String message) {
        super(message);
    }

    public NodeControlException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The reason in messages: that of one of these, or of files, is for the user; of others their kind says more. */
    public static String reason(Throwable cause) {
        boolean worded = cause instanceof NodeControlException || cause instanceof UncheckedIOException;
        return cause instanceof IOException e ? FileReason.of(e, "") : worded ? cause.getMessage() : cause.toString();
    }
}
