package io.ycsbdrill.binding.rest.http;

import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;

/** The state of a thread's own connection: the reply to its one request, or the connection's end. Owned by that thread. */
final class OneReply {
    private boolean waiting;
    private Reply reply;
    private String gone;

    /** Notes that a request is sent. */
    void begin() throws LinkFailure {
        if (gone != null) {
            throw new LinkFailure(Kind.NOT_SENT, gone);
        }
        reply = null;
        waiting = true;
    }

    /** Whether the reply is complete or the connection has failed. */
    boolean isDone() {
        return reply != null || gone != null;
    }

    /** The reply that was received. */
    Reply end() throws LinkFailure {
        if (reply == null) {
            throw new LinkFailure(Kind.BROKEN, gone);
        }
        return reply;
    }

    boolean isGone() {
        return gone != null;
    }

    /** @param more whether the server accepts another request on this connection */
    void reply(Reply received, boolean more) {
        if (!waiting) {
            gone("a reply without a request");
            return;
        }
        waiting = false;
        reply = received;
        if (!more) {
            gone("the server announced that it closes the connection");
        }
    }

    /** Notes that the connection is gone; the first reason is kept. */
    void gone(String reason) {
        if (gone == null) {
            gone = reason;
        }
    }
}
