package io.ycsbdrill.binding.rest.http;

/** A connection, or a place on a shared one, for one thread. */
public interface Link extends AutoCloseable {

    /**
     * Sends a request and waits for the whole reply. After a failure the link is of no more use, unless the failure says that it
     * goes on.
     *
     * @param request not changed
     */
    Reply send(Request request) throws LinkFailure;

    /** Whether another request can be sent: the server has not closed the connection, nor said that it will. */
    boolean usable();

    /** What is spoken on it, for people. */
    String protocol();

    /** Does not wait for the server. */
    @Override
    void close();
}
