package io.ycsbdrill.binding.rest.http;

/** A thread's connection. */
public interface Link extends AutoCloseable {

    /**
     * Sends a request and waits for the complete reply. After a failure the link cannot be used again.
     *
     * @param request not changed
     */
    Reply send(Request request) throws LinkFailure;

    /** Whether another request can be sent: the server has not closed the connection, nor said that it will. */
    boolean usable();

    /** Closes the connection without waiting for the server. */
    @Override
    void close();
}
