package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.Losses;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * One thread's access to the servers: its connection and its patience. It keeps to its own server, goes to another when the
 * connection breaks, and back when its own is well again. Owned by one thread.
 */
final class JdbcThread implements AutoCloseable {
    private static final long LONGEST_PAUSE_MILLIS = 100;
    /** A connection away from home is kept at least so long. */
    private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Servers servers;
    private final JdbcSettings settings;
    private final List<Server> order;
    private final Backoff backoff = new Backoff(1, LONGEST_PAUSE_MILLIS);
    private Link link;
    private boolean failedBefore;
    private final Losses losses = new Losses();

    JdbcThread(Servers servers, JdbcSettings settings) {
        this.servers = servers;
        this.settings = settings;
        this.order = servers.order(servers.join());
    }

    /** What is done with a table; returns whether the row was there. */
    interface Work {
        boolean on(TableRows rows, Link link) throws SQLException, BadRequestException;
    }

    /**
     * Opens the first connection.
     *
     * @throws DBException with each server's reason when none takes it
     */
    void open() throws DBException {
        StringBuilder reasons = new StringBuilder();
        for (Server server : order) {
            try {
                link = opened(server);
                return;
            } catch (SQLException | RuntimeException e) {
                servers.refused(server, e);
                reasons.append("; ").append(server).append(": ").append(Servers.line(e));
            }
        }
        throw new DBException("no server takes a connection" + reasons);
    }

    /**
     * Does the work once. After a failure that is the server's, it waits before it returns, longer with every failure in a
     * row, so that a server in trouble is not flooded and the run's error count says something.
     */
    Status run(String table, String operation, boolean write, Work work) {
        if (link == null) {
            if (!reconnect()) {
                return Statuses.UNAVAILABLE;
            }
        } else if (link.server() != order.get(0)) {
            goHome();
        }
        link.begin();
        Failure failure;
        try {
            boolean found = work.on(link.rows(table), link);
            if (failedBefore) {
                failedBefore = false;
                backoff.reset();
            }
            return found ? Status.OK : Status.NOT_FOUND;
        } catch (BadRequestException e) {
            return Status.BAD_REQUEST;
        } catch (SQLException | RuntimeException e) {
            failure = Failure.of(e, link.sent(), settings.mysql());
        }
        boolean broken = JdbcStatuses.brokenLink(failure) || !link.rollback() || link.isClosed();
        if (broken) {
            lose();
        } else if (JdbcStatuses.stale(failure)) {
            link.forget(table);
        }
        if (!JdbcStatuses.expected(failure)) {
            servers.report(failure, operation);
            if (failedBefore) {
                pause();
            }
            failedBefore = true;
        }
        return JdbcStatuses.of(failure, write);
    }

    /** The connections that broke so far. */
    List<Reconnects.Server> reconnects() {
        return losses.until(System.nanoTime());
    }

    @Override
    public void close() {
        if (link != null) {
            link.close();
            link = null;
        }
    }

    private void lose() {
        losses.lost(link.server().toString(), System.nanoTime());
        servers.broken(link.server());
        link.abort();
        link = null;
    }

    /** Connects to the first server that is up, or else not known to be down; waits a little when there is none. */
    private boolean reconnect() {
        for (Server.State state : List.of(Server.State.UP, Server.State.SUSPECT)) {
            for (Server server : order) {
                if (server.state() == state && connect(server)) {
                    servers.reconnected(losses.regained(System.nanoTime()));
                    return true;
                }
            }
        }
        failedBefore = true;
        servers.awaitAny(backoff.nextMillis());
        return false;
    }

    /** Changes over to its own server, if that is up; the present connection is given up only then. */
    private void goHome() {
        Server home = order.get(0);
        if (home.state() != Server.State.UP || System.nanoTime() - link.openedNanos() < STAY_NANOS) {
            return;
        }
        Link away = link;
        if (connect(home)) {
            away.close();
        }
    }

    private boolean connect(Server server) {
        try {
            link = opened(server);
            return true;
        } catch (SQLException | RuntimeException e) {
            servers.refused(server, e);
            return false;
        }
    }

    private Link opened(Server server) throws SQLException {
        return new Link(server, servers.open(server), settings, System.nanoTime());
    }

    private void pause() {
        try {
            Thread.sleep(backoff.nextMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
