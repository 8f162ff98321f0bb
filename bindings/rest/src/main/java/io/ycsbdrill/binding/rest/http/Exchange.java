package io.ycsbdrill.binding.rest.http;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.Status;

/** The client's side of one operation for a dialect: requests and replies. Owned by one thread. */
public final class Exchange {
    private final StatusTable statuses;
    private final AtomicLong seen;
    private final Request request = new Request();
    private Link link;
    private Reply last;
    private boolean changed;
    private double serverMillis = -1;

    public Exchange(StatusTable statuses) {
        this(statuses, new AtomicLong());
    }

    /** @param seen how far any of the client's threads has seen the servers' history; shared by all of them */
    public Exchange(StatusTable statuses, AtomicLong seen) {
        this.statuses = statuses;
        this.seen = seen;
    }

    /** Starts an operation on this link. */
    public Exchange on(Link link) {
        this.link = link;
        last = null;
        changed = false;
        serverMillis = -1;
        return this;
    }

    /** Returns a request that changes nothing; it replaces the previous one. */
    public Request asking(String method) {
        return request.begin(method, false);
    }

    /** Returns a request that may change data: without a reply, its result is unknown. */
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

    /** The meaning of the last reply's status in the dialect's table; for statuses that the dialect does not treat by itself. */
    public Status status(Reply reply) {
        return statuses.of(reply.code(), changed);
    }

    /** Sets the time that the server reports; recorded as a separate series beside the client's measurement. */
    public void serverMillis(double millis) {
        serverMillis = millis;
    }

    /** The time that the server reported; negative when it reported none. */
    public double serverMillis() {
        return serverMillis;
    }

    /** A reply showed the servers' history up to this moment, in the servers' own count; earlier moments change nothing. */
    public void seen(long moment) {
        if (moment > seen.get()) {
            seen.accumulateAndGet(moment, Math::max);
        }
    }

    /** The last moment that any thread of the client has seen; 0 before the first. */
    public long lastSeen() {
        return seen.get();
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
