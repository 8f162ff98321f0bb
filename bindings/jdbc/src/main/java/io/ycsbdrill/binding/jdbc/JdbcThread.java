package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.servers.HomeThread;
import io.ycsbdrill.binding.servers.Servers;
import java.sql.SQLException;
import java.util.Optional;
import site.ycsb.Status;

/** One thread's access to the servers: its connection, and the operations on it. Owned by one thread. */
final class JdbcThread extends HomeThread<JdbcUrl, Link> {
    private final Servers<JdbcUrl> servers;
    private final JdbcSettings settings;

    JdbcThread(Connector connector, Servers<JdbcUrl> servers, JdbcSettings settings) {
        super(servers, url -> new Link(connector.open(url), settings));
        this.servers = servers;
        this.settings = settings;
    }

    /** An operation on a table; returns whether the row existed. */
    interface Work {
        boolean on(TableRows rows, Link link) throws SQLException, BadRequestException;
    }

    /** Runs the operation once. After a failure of the server it may wait before it returns. */
    Status run(String table, String operation, boolean write, Work work) {
        Optional<Link> connected = home.link();
        if (connected.isEmpty()) {
            return Statuses.UNAVAILABLE;
        }
        Link link = connected.get();
        link.begin();
        Failure failure;
        try {
            boolean found = work.on(link.rows(table), link);
            home.worked();
            return found ? Status.OK : Status.NOT_FOUND;
        } catch (BadRequestException e) {
            return Status.BAD_REQUEST;
        } catch (SQLException | RuntimeException e) {
            failure = Failure.of(e, link.sent(), settings.mysql());
        }
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
