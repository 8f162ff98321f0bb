package io.ycsbdrill.binding.rest.http;

import java.io.IOException;

/** The failure of a request that has no reply. */
public final class LinkFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final boolean linkGoesOn;

    /** What is known of the request. */
    public enum Kind {
        /** Definitely not processed: the connection was gone before anything was sent, or the server reports that it did nothing. */
        NOT_SENT,
        /** No complete reply arrived in time. */
        TIMED_OUT,
        /** The connection broke, or the reply was not HTTP. */
        BROKEN
    }

    /** A failure after which the link cannot be used again. */
    LinkFailure(Kind kind, String message) {
        this(kind, message, false);
    }

    /** @param linkGoesOn whether only this request has failed; the link itself says whether it takes another one */
    LinkFailure(Kind kind, String message, boolean linkGoesOn) {
        super(message);
        this.kind = kind;
        this.linkGoesOn = linkGoesOn;
    }

    public boolean linkGoesOn() {
        return linkGoesOn;
    }

    public Kind kind() {
        return kind;
    }
}
