package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.Backoff;
import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.ConnectionLosses;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.NdbRows;
import io.ycsbdrill.binding.ndb.client.NdbSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import site.ycsb.Status;

/**
 * One thread's access to the cluster: its session, its open tables, and its pauses after failures. Used by one thread; the lock,
 * free in the normal case, lets the reconnecting thread close the session of a thread that is between two operations.
 */
final class NdbThread implements AutoCloseable {
    private static final long LONGEST_PAUSE_MILLIS = 100;
    private static final int INTERNAL_ERROR = 12;
    private static final String BEGIN = "begin";
    private static final String COMMIT = "commit";

    private final SharedNdbCluster cluster;
    private final String[] fieldNames;
    private final ReentrantLock lock = new ReentrantLock();
    private final Backoff backoff = new Backoff(1, LONGEST_PAUSE_MILLIS);
    private final Map<String, Table> tables = new HashMap<>();
    private final ConnectionLosses losses = new ConnectionLosses();
    private Connections connections;
    private NdbSession session;
    private Table last;
    private boolean closed;
    /** Where a transaction is open; null when none is. Changed by the owner only. */
    private Table open;

    NdbThread(SharedNdbCluster cluster, String... fieldNames) {
        this.cluster = cluster;
        this.fieldNames = fieldNames;
        cluster.add(this);
    }

    /** An operation on a table; returns null when it succeeded. */
    interface Work {
        NdbFailure on(NdbRows rows, RowFormat format) throws BadRequestException;
    }

    private record Table(String name, NdbRows rows, RowFormat format) {}

    /**
     * Runs the operation once. After a failure of the cluster, it waits before it returns, longer with every failure
     * in a row, so that a cluster in trouble is not flooded and the run's error count says something.
     */
    Status run(String table, String operation, boolean write, Work work) {
        NdbFailure failure;
        boolean part;
        lock.lock();
        try {
            part = open != null;
            if (connections == null || connections != cluster.current()) {
                if (part) {
                    end();
                    return Statuses.UNAVAILABLE; // The session is gone, and the transaction with it.
                }
                if (!attach()) {
                    return Statuses.UNAVAILABLE;
                }
            }
            failure = attempt(table, write, work);
            if (failure == null) {
                backoff.worked();
                return Status.OK;
            }
            if (part && !NdbStatuses.missing(failure)) {
                end();
            }
            if (NdbStatuses.lostCluster(failure)) {
                losses.lost(cluster.name(), System.nanoTime());
                cluster.lost(connections);
            } else if (NdbStatuses.staleMetadata(failure)) {
                forget(table);
            }
        } finally {
            lock.unlock();
        }
        report(failure, operation);
        if (!NdbStatuses.harmless(failure)) {
            backoff.failed();
        }
        return part || operation.equals(BEGIN)
                ? NdbStatuses.aborted(failure, operation.equals(COMMIT))
                : NdbStatuses.of(failure, write);
    }

    /** The partition of a key; -1 before the table has been used, after the loss of the cluster too. */
    int partition(String table, String key) {
        lock.lock();
        try {
            Table known = last != null && last.name.equals(table) ? last : tables.get(table);
            return known == null || connections != cluster.current() ? -1 : known.rows.partition(known.format.key(key));
        } catch (BadRequestException e) {
            return -1;
        } finally {
            lock.unlock();
        }
    }

    /** Opens a table without doing anything with it, so that partitions of its keys are known; false when there is none. */
    boolean opens(String table) {
        return run(table, "open", false, (rows, format) -> null).isOk();
    }

    /** Begins a transaction of several operations on one table. */
    Status begin(String table, String key) {
        if (open != null) {
            throw new IllegalStateException("a transaction is open already");
        }
        return run(table, BEGIN, false, (rows, format) -> {
            NdbFailure failure = rows.begin(format.key(key));
            open = failure == null ? tables.get(table) : null;
            return failure;
        });
    }

    boolean inTransaction() {
        return open != null;
    }

    Status commit() {
        if (open == null) {
            return Statuses.FAILED;
        }
        Status status = run(open.name, COMMIT, true, (rows, format) -> rows.commit());
        abort();
        return status;
    }

    /** Rolls back what was begun and not committed. */
    void abort() {
        lock.lock();
        try {
            end();
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        Table ended = open;
        open = null;
        // Rows of a session that was closed have ended it themselves.
        if (ended != null && session != null && tables.get(ended.name) == ended) {
            ended.rows.abort();
        }
    }

    /** Logs why a part of an operation failed, unless that is expected. */
    void report(NdbFailure failure, String operation) {
        if (!NdbStatuses.expected(failure)) {
            cluster.report(failure, operation);
        }
    }

    /** The losses of the cluster so far, as this thread saw them. */
    List<Reconnects.Server> reconnects() {
        lock.lock();
        try {
            return losses.until(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Closes the session if it belongs to these connections; called by the reconnecting thread. */
    void detach(Connections lost) {
        lock.lock();
        try {
            if (connections == lost) {
                losses.lost(cluster.name(), System.nanoTime());
                closeSession();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            end();
            closeSession();
        } finally {
            lock.unlock();
        }
        cluster.remove(this);
    }

    private NdbFailure attempt(String name, boolean write, Work work) {
        try {
            Table table = last;
            if (open != null && !open.name.equals(name)) {
                throw new BadRequestException(
                        "a transaction is on one table, " + open.name + ", not on " + name + " too");
            }
            if (table == null || !table.name.equals(name)) {
                table = open(name);
                last = table;
            }
            return work.on(table.rows, table.format);
        } catch (BadRequestException e) {
            return NdbFailure.badRequest(e.getMessage());
        } catch (NdbException e) {
            return e.failure();
        } catch (RuntimeException e) {
            // A defect of the binding or the library: whether the request was sent is not known.
            cluster.reportDefect(e, "an operation on table " + name);
            return new NdbFailure(0, NdbFailure.UNKNOWN_RESULT, INTERNAL_ERROR, e.toString(), true);
        }
    }

    private Table open(String name) throws NdbException {
        Table table = tables.get(name);
        if (table == null) {
            NdbRows rows = session.rows(name);
            table = new Table(name, rows, new RowFormat(rows.shape(), fieldNames));
            tables.put(name, table);
        }
        return table;
    }

    private void forget(String name) {
        tables.remove(name);
        last = null;
        if (session != null) {
            try {
                session.forget(name);
            } catch (RuntimeException e) {
                cluster.reportDefect(e, "forgetting table " + name);
            }
        }
    }

    /** Opens a session on the present connections, for which it waits a little when there are none. */
    private boolean attach() {
        if (connections != null) {
            losses.lost(cluster.name(), System.nanoTime());
        }
        closeSession();
        Connections present = cluster.current();
        if (present == null) {
            backoff.begin();
            present = cluster.await(backoff.nextMillis());
        }
        if (present == null || closed) {
            return false;
        }
        try {
            session = present.session();
            connections = present;
            losses.regained(System.nanoTime());
            return true;
        } catch (NdbException e) {
            cluster.report(e.failure(), "opening a session");
            if (NdbStatuses.lostCluster(e.failure())) {
                cluster.lost(present);
            }
            return false;
        } catch (RuntimeException e) {
            cluster.reportDefect(e, "opening a session");
            return false;
        }
    }

    /** The rows end what was begun on them. */
    private void closeSession() {
        tables.clear();
        last = null;
        connections = null;
        if (session != null) {
            try {
                session.close();
            } catch (RuntimeException e) {
                cluster.reportDefect(e, "closing a session");
            }
            session = null;
        }
    }
}
