package io.ycsbdrill.binding.ndb.client;

import java.time.Duration;

/** A loaded NDB client library. Thread-safe. */
public interface NdbClient {

    /**
     * Opens one connection, which takes one API node id of the cluster.
     *
     * @param connectString management servers, as NDB writes them: {@code host:port,host:port}
     * @param name shown by the management server's {@code ALL STATUS} and logs
     * @param timeout how long to wait for a management server and then again for a data node; whole seconds count
     * @throws NdbException when it cannot be reached in time or refuses; nothing is left open
     */
    NdbConnection connect(String connectString, String name, Duration timeout) throws NdbException;
}
