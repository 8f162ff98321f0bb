package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.servers.HomeThread;
import io.ycsbdrill.binding.servers.Servers;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import site.ycsb.Status;

/** One thread's access to the servers: its connection, and the operations on it. Owned by one thread. */
final class JdbcThread extends HomeThread<JdbcUrl, Link> {
    private static final String BEGIN = "begin";
    private static final String COMMIT = "commit";
    private static final Status NO_TRANSACTIONS =
            new Status(Status.NOT_IMPLEMENTED.getName(), "CrateDB has no transactions");
    /** See {@link JdbcSettings}: the commit may go to another server than the statements. */
    private static final Status BALANCED = new Status(
            Status.NOT_IMPLEMENTED.getName(),
            "the driver may send the parts of a transaction to different servers of this db.url; use db.hosts");

    private final Servers<JdbcUrl> servers;
    private final JdbcSettings settings;
    /** The connection of the open transaction; null when none is open. */
    private Link transaction;

    JdbcThread(Connector connector, Servers<JdbcUrl> servers, OptionalInt number, JdbcSettings settings) {
        super(servers, number, url -> new Link(connector.open(url), settings));
        this.servers = servers;
        this.settings = settings;
    }

    /** An operation on a table; returns whether the row existed. */
    interface Work {
        boolean on(TableRows rows, Link link) throws SQLException, BadRequestException;
    }

    /**
     * Runs the operation once; in a transaction, if one was begun, which a failure ends. After a failure of the server it may wait before it
     * returns.
     */
    Status run(String table, String operation, boolean write, Work work) {
        Link link = transaction;
        if (link == null) {
            Optional<Link> connected = home.link();
            if (connected.isEmpty()) {
                return Statuses.UNAVAILABLE;
            }
            link = connected.get();
        }
        link.begin();
        Failure failure;
        try {
            boolean found = work.on(link.rows(table), link);
            home.worked();
            return found ? Status.OK : Status.NOT_FOUND;
        } catch (BadRequestException e) {
            abort();
            return Status.BAD_REQUEST;
        } catch (SQLException | RuntimeException e) {
            failure = Failure.of(e, link.sent(), settings.mysql());
        }
        boolean part = transaction != null || operation.equals(BEGIN);
        transaction = null;
        Status status = failed(link, failure, table, operation, write);
        return part ? JdbcStatuses.aborted(failure, operation.equals(COMMIT), status) : status;
    }

    /** Begins a transaction on the present connection. */
    Status begin(String table) {
        if (transaction != null) {
            throw new IllegalStateException("a transaction is open already");
        }
        if (settings.url(0).balances()) {
            return BALANCED;
        }
        Status begun = run(table, BEGIN, false, (rows, link) -> {
            if (rows.transactions()) {
                link.beginTransaction();
                transaction = link;
            }
            return rows.transactions();
        });
        return Status.NOT_FOUND.equals(begun) ? NO_TRANSACTIONS : begun;
    }

    boolean inTransaction() {
        return transaction != null;
    }

    Status commit(String table) {
        if (transaction == null) {
            return Statuses.FAILED;
        }
        Status status = run(table, COMMIT, true, (rows, link) -> {
            link.commitTransaction();
            return true;
        });
        transaction = null;
        return status;
    }

    /** Rolls the open transaction back, if there is one. */
    void abort() {
        Link link = transaction;
        transaction = null;
        if (link != null && !link.rollback()) {
            home.lost();
            link.abort();
        }
    }

    private Status failed(Link link, Failure failure, String table, String operation, boolean write) {
        boolean broken = JdbcStatuses.brokenLink(failure) || !link.rollback() || link.isClosed();
        if (broken) {
            home.lost();
            link.abort();
        } else if (JdbcStatuses.stale(failure)) {
            link.forget(table);
        }
        if (!JdbcStatuses.expected(failure)) {
            servers.report(failure.state() + "/" + failure.code(), operation, failure.line());
            home.failed();
        }
        return JdbcStatuses.of(failure, write);
    }
}
