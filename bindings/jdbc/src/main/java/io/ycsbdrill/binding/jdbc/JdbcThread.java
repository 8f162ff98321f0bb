package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.jdbc.JdbcSettings.Reads;
import io.ycsbdrill.binding.servers.HomeLink;
import io.ycsbdrill.binding.servers.HomeThread;
import io.ycsbdrill.binding.servers.Servers;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
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
    /** For operations that may change data; the same as for reads, unless these may go to any server. */
    private final HomeLink<JdbcUrl, Link> writes;

    /** The connection of the open transaction; null when none is open. */
    private Link transaction;

    JdbcThread(Connector connector, Servers<JdbcUrl> servers, OptionalInt number, JdbcSettings settings) {
        super(servers, number, new Opener(connector, settings));
        this.servers = servers;
        this.settings = settings;
        this.writes = settings.reads() == Reads.ANY ? home.divided() : home;
    }

    private record Opener(Connector connector, JdbcSettings settings) implements HomeLink.Opener<JdbcUrl, Link> {
        @Override
        public Link open(JdbcUrl url) throws SQLException {
            return new Link(connector.open(url), settings);
        }

        @Override
        public Optional<String> readOnly(Link link) throws SQLException {
            return link.readOnly(settings.url(0));
        }
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
        boolean writing = write || transaction != null || operation.equals(BEGIN);
        HomeLink<JdbcUrl, Link> used = writing ? writes : home;
        Link link = transaction;
        if (link == null) {
            Optional<Link> connected = writing ? used.linkForWrites() : used.link();
            if (connected.isEmpty()) {
                return Statuses.UNAVAILABLE;
            }
            link = connected.get();
        }
        link.begin();
        Failure failure;
        try {
            boolean found = work.on(link.rows(table), link);
            used.worked();
            return found ? Status.OK : Status.NOT_FOUND;
        } catch (BadRequestException e) {
            abort();
            return Status.BAD_REQUEST;
        } catch (SQLException | RuntimeException e) {
            failure = Failure.of(e, link.sent(), settings.mysql());
        }
        boolean part = transaction != null || operation.equals(BEGIN);
        transaction = null;
        Status status = failed(used, link, failure, table, operation, write);
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
            writes.lost();
            link.abort();
        }
    }

    @Override
    public List<Reconnects.Server> reconnects() {
        if (writes == home) {
            return super.reconnects();
        }
        Map<String, Reconnects.Server> both = new LinkedHashMap<>();
        Stream.of(home, writes)
                .flatMap(link -> link.reconnects().stream())
                .forEach(server -> both.merge(server.server(), server, Reconnects.Server::plus));
        return List.copyOf(both.values());
    }

    @Override
    public void close() {
        super.close();
        writes.close();
    }

    private Status failed(
            HomeLink<JdbcUrl, Link> used, Link link, Failure failure, String table, String operation, boolean write) {
        if (JdbcStatuses.readOnly(failure)) {
            used.refusedToWrite(failure.line());
            link.abort();
        } else if (JdbcStatuses.brokenLink(failure) || !link.rollback() || link.isClosed()) {
            used.lost();
            link.abort();
        } else if (JdbcStatuses.stale(failure)) {
            link.forget(table);
        }
        if (!JdbcStatuses.expected(failure)) {
            servers.report(failure.state() + "/" + failure.code(), operation, failure.line());
            used.failed();
        }
        return JdbcStatuses.of(failure, write);
    }
}
