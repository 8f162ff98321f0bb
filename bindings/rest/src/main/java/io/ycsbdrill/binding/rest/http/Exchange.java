package io.ycsbdrill.binding.rest.http;

import java.io.IOException;
import site.ycsb.Status;

/** The client's side of one operation for a dialect: requests and replies. Owned by one thread. */
public final class Exchange {
    private final StatusTable statuses;
    private final Request request = new Request();
    private Link link;
    private Reply last;
    private boolean changed;
    private double serverMillis = -1;

    public Exchange(StatusTable statuses) {
        this.statuses = statuses;
    }

    /** An operation begins, on this link. */
    public Exchange on(Link link) {
        this.link = link;
        last = null;
        changed = false;
        serverMillis = -1;
        return this;
    }

    /** A request that changes nothing; it takes the place of the one before. */
    public Request asking(String method) {
        return request.begin(method, false);
    }

    /** A request that may change data: without a reply, nobody knows whether it did. */
    public Request changing(String method) {
        return request.begin(method, true);
    }

    /** Sends the request of {@link #asking} or {@link #changing} and waits for the reply, whatever its status. */
    public Reply send() throws LinkFailure {
        try {
            last = link.send(request);
        } catch (LinkFailure e) {
            changed |= request.isChange() && e.kind() != LinkFailure.Kind.NOT_SENT;
            throw e;
        }
        changed |= request.isChange();
        return last;
    }

    /**
     * Sends a request that must succeed.
     *
     * @throws IOException when its status is none of 200 to 299
     */
    public Reply require() throws IOException {
        return require(send());
    }

    /**
     * A reply to the last request that must be a success.
     *
     * @throws IOException when its status is none of 200 to 299
     */
    public Reply require(Reply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException(request + ": " + reply.line());
        }
        return reply;
    }

    /** What the last reply's status means by the dialect's table; for statuses that the dialect does not treat by itself. */
    public Status status(Reply reply) {
        return statuses.of(reply.code(), changed);
    }

    /** How long the server says it took; kept as a series of its own beside the client's measure. */
    public void serverMillis(double millis) {
        serverMillis = millis;
    }

    /** Negative when the server did not say. */
    public double serverMillis() {
        return serverMillis;
    }

    /** Whether a request was sent that may have changed data. */
    public boolean changed() {
        return changed;
    }

    /** The last reply of this operation, or null. */
    public Reply last() {
        return last;
    }
}
