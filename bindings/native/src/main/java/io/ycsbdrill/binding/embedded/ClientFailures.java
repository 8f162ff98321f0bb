package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.Statuses;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.client.ClientReconnectedException;
import org.apache.ignite.internal.IgniteFutureTimeoutCheckedException;
import org.apache.ignite.internal.client.thin.ClientServerError;
import org.apache.ignite.internal.processors.platform.client.ClientStatus;
import site.ycsb.Status;

/** The status of an operation that ended with an exception of the client. What is not known here is never taken for a success. */
final class ClientFailures {
    /** Messages of the server that it has applied nothing: it refuses before it begins. */
    private static final List<String> NOT_APPLIED = List.of(
            "cluster is inactive",
            "Can not perform the operation because the cluster is inactive",
            "Failed to perform cache operation (cluster is not activated)",
            "read-only mode");

    /**
     * Messages that nobody has the row now. The server may have begun before: it sends a write again by itself when the node
     * that it sent it to first has left, and that node may have logged it and bring it back.
     */
    private static final List<String> NOBODY_HAS_IT = List.of(
            "CacheInvalidStateException", "partition data has been lost", "all partition owners have left the grid");

    /**
     * Messages of the server that an optimistic transaction was rolled back when it was prepared: what it had read was changed since, or
     * another one was just being prepared with the same row. The names of exceptions are not sent to clients.
     */
    private static final List<String> CONFLICTS = List.of("read/write conflict", "(lock conflict)", "optimistic");

    /** Messages that the server has rolled a transaction back after its timeout; it does not do that while it commits. */
    private static final List<String> TIMED_OUT =
            List.of("Failed to acquire lock within provided timeout", "Cache transaction timed out");

    static Status status(Throwable thrown, boolean write) {
        if (linkLost(thrown)) {
            return write ? Statuses.UNKNOWN : Statuses.UNAVAILABLE;
        }
        for (Throwable each : causes(thrown).toList()) {
            if (each instanceof IgniteFutureTimeoutCheckedException || each instanceof TimeoutException) {
                return write ? Statuses.UNKNOWN : Statuses.TIMEOUT;
            }
            if (each instanceof ClientServerError error && error.getCode() == ClientStatus.CACHE_DOES_NOT_EXIST) {
                return Statuses.FAILED;
            }
        }
        if (says(thrown, NOT_APPLIED) || !write && says(thrown, NOBODY_HAS_IT)) {
            return Statuses.UNAVAILABLE;
        }
        return write ? Statuses.UNKNOWN : Statuses.FAILED;
    }

    /** What to do about a cluster that does not open: one that accepts connections and does not answer hangs. */
    static String advice(Throwable thrown) {
        return causes(thrown)
                        .anyMatch(each ->
                                each instanceof IgniteFutureTimeoutCheckedException || each instanceof TimeoutException)
                ? "it accepts connections and does not answer, so it may hang: see ycsb cluster status and its nodes' logs;"
                        + " ycsb cluster down embedded and up begin anew"
                : "the nodes need this version of the native binding on their class path";
    }

    /** Why a transaction was not committed, or that nobody knows. */
    static Status ofTransaction(Throwable thrown, boolean committing) {
        if (linkLost(thrown)) {
            return committing ? Statuses.UNKNOWN : Statuses.UNAVAILABLE;
        }
        if (says(thrown, List.of("TransactionHeuristicException", "unknown state", "is in unknown"))) {
            return committing ? Statuses.UNKNOWN : Statuses.TEMPORARY;
        }
        if (says(thrown, List.of("TransactionDeadlockException", "Deadlock detected"))) {
            return Statuses.DEADLOCK;
        }
        if (says(thrown, CONFLICTS)) {
            return Statuses.CONFLICT;
        }
        if (says(thrown, TIMED_OUT)) {
            return Statuses.LOCK_TIMEOUT;
        }
        if (says(thrown, List.of("TransactionRollbackException", "has been rolled back", "was rolled back"))) {
            return Statuses.TEMPORARY;
        }
        Status status = status(thrown, committing);
        return committing || !status.equals(Statuses.TIMEOUT) && !status.equals(Statuses.FAILED)
                ? status
                : Statuses.TEMPORARY;
    }

    private static boolean says(Throwable thrown, List<String> messages) {
        return causes(thrown).map(each -> String.valueOf(each.getMessage())).anyMatch(message -> messages.stream()
                .anyMatch(message::contains));
    }

    /** Whether the connection cannot be used again. */
    static boolean linkLost(Throwable thrown) {
        return causes(thrown)
                .anyMatch(each ->
                        each instanceof ClientConnectionException || each instanceof ClientReconnectedException);
    }

    /** The exception itself, its cause, the cause of that, and so on. */
    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
    }

    /** The innermost message, for display. */
    static String cause(Throwable thrown) {
        Throwable innermost = thrown;
        while (innermost.getCause() != null
                && (innermost.getCause() instanceof RuntimeException
                        || innermost.getCause() instanceof IgniteCheckedException
                        || innermost.getCause() instanceof java.io.IOException)) {
            innermost = innermost.getCause();
        }
        return innermost.getClass().getSimpleName() + ": " + innermost.getMessage();
    }
}
