package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.Daemon;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bound on a whole login: a driver's own time-outs begin anew with every byte, so that a server which drips would hold a thread for
 * ever, and no interrupt reaches it. Thread-safe.
 *
 * @param bound for connecting and the whole handshake
 */
record Login(Duration bound) {

    /**
     * Logs in on a thread of its own, which is left behind when it is late; a connection that it has then after all is closed.
     *
     * @throws SQLException when it fails, is late, or the calling thread is interrupted
     */
    Connection open(Callable<Connection> connect) throws SQLException {
        AtomicBoolean abandoned = new AtomicBoolean();
        FutureTask<Connection> attempt = new FutureTask<>(() -> {
            Connection connection = connect.call();
            if (connection != null && abandoned.get()) {
                closeLate(connection);
            }
            return connection;
        });
        Daemon.thread(attempt, "jdbc-login").start();
        try {
            return attempt.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SQLException(
                    "no login within " + bound.toMillis() + " ms (db.connect.timeout and db.socket.timeout together)",
                    "08001",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted during the login", "08001", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new SQLException(e.getCause());
        } finally {
            abandoned.set(true);
            attempt.cancel(true); // no effect on one that has ended
        }
    }

    private static void closeLate(Connection late) {
        try {
            late.close();
        } catch (SQLException e) {
            // Nobody waits for it.
        }
    }
}
