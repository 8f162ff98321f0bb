package io.ycsbdrill.fault.node;

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

    /** The reason in messages: that of one of these is for the user, of others their kind says more. */
    public static String reason(Throwable cause) {
        return cause instanceof NodeControlException ? cause.getMessage() : cause.toString();
    }
}
