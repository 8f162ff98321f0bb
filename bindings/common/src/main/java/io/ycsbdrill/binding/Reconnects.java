package io.ycsbdrill.binding;

import java.util.List;

/**
 * A binding ({@link site.ycsb.DB}) that reconnects by itself and reports how often it did. Like the binding itself it is
 * used by one thread at a time.
 */
public interface Reconnects {

    /**
     * The lost connections to one server. A loss counts for the server where it happened, wherever the next connection leads.
     *
     * @param server not null, without password
     * @param lost connections that broke, 0 or more
     * @param regained how many of these have been replaced by a new connection, to any server; 0 to {@code lost}
     * @param nanos time without a connection in all: from where a loss was noticed to where the next connection was there, or,
     *     when there is none yet, to this call
     * @param longestNanos the longest of these times
     */
    record Server(String server, long lost, long regained, long nanos, long longestNanos) {
        /** @throws IllegalArgumentException when the figures contradict each other */
        public Server {
            if (regained < 0 || lost < regained || longestNanos < 0 || nanos < longestNanos) {
                throw new IllegalArgumentException("server " + server + ": " + lost + " lost, " + regained
                        + " regained, " + nanos + " ns without, " + longestNanos + " ns at most");
            }
        }

        /** The sum of both. */
        public Server plus(Server other) {
            return new Server(
                    server,
                    lost + other.lost,
                    regained + other.regained,
                    nanos + other.nanos,
                    Math.max(longestNanos, other.longestNanos));
        }
    }

    /** Since initialisation, each server at most once; empty when no connection was lost. To be asked before {@link
     * site.ycsb.DB#cleanup}. */
    List<Server> reconnects();
}
