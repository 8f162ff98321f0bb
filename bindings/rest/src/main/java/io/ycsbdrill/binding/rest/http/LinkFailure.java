package io.ycsbdrill.binding.rest.http;

import java.io.IOException;

/** The failure of a request that has no reply; its link cannot be used again. */
public final class LinkFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What is known of the request. */
    public enum Kind {
        /** Definitely not processed: the connection was gone before anything was sent. */
        NOT_SENT,
        /** No complete reply arrived in time. */
        TIMED_OUT,
        /** The connection broke, or the reply was not HTTP. */
        BROKEN
    }

    LinkFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
