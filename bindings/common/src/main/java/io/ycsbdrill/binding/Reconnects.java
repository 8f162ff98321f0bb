package io.ycsbdrill.binding;

import java.util.List;
import java.util.function.LongBinaryOperator;

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
     * @param shared whether these are connections that all instances in this process share and report: they count once
     */
    record Server(String server, long lost, long regained, long nanos, long longestNanos, boolean shared) {
        /** @throws IllegalArgumentException when the figures contradict each other */
        public Server {
            if (regained < 0 || lost < regained || longestNanos < 0 || nanos < longestNanos) {
                throw new IllegalArgumentException("server " + server + ": " + lost + " lost, " + regained
                        + " regained, " + nanos + " ns without, " + longestNanos + " ns at most");
            }
        }

        /** Counts connections that the instance has for itself. */
        public Server(String server, long lost, long regained, long nanos, long longestNanos) {
            this(server, lost, regained, nanos, longestNanos, false);
        }

        /** The same of connections that all instances share. */
        public Server ofAll() {
            return new Server(server, lost, regained, nanos, longestNanos, true);
        }

        /** The same when another instance goes on, with a connection, in place of the one that reports this. */
        public Server replaced() {
            return shared ? this : new Server(server, lost, lost, nanos, longestNanos);
        }

        /** What two instances report, together: the sum, or the later report when both are of the same connections. */
        public Server plus(Server other) {
            LongBinaryOperator both = shared && other.shared ? Math::max : Long::sum;
            return new Server(
                    server,
                    both.applyAsLong(lost, other.lost),
                    both.applyAsLong(regained, other.regained),
                    both.applyAsLong(nanos, other.nanos),
                    Math.max(longestNanos, other.longestNanos),
                    shared && other.shared);
        }
    }

    /** Since initialisation, each server at most once; empty when no connection was lost. To be asked before {@link
     * site.ycsb.DB#cleanup}. */
    List<Server> reconnects();
}
