package io.ycsbdrill.binding.rest;

import java.io.IOException;

/** A request had no reply. */
final class LinkFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What is known. */
    enum Kind {
        /** The connection was gone before anything was sent. */
        NOT_SENT,
        /** No whole reply came in time. */
        TIMED_OUT,
        /** The connection broke, or what came was not HTTP. */
        BROKEN
    }

    LinkFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
