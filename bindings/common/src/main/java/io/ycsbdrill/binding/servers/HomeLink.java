package io.ycsbdrill.binding.servers;

import io.ycsbdrill.binding.Backoff;
import io.ycsbdrill.binding.ConnectionLosses;
import io.ycsbdrill.binding.Reconnects;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import site.ycsb.DBException;

/**
 * One thread's connection: it stays with the thread's own server, moves to another when the connection breaks, and moves back
 * when its own server is up again; failures in a row are slowed down. Owned by one thread.
 *
 * @param <A> a server's address
 * @param <L> a connection; closing it does not throw
 */
public final class HomeLink<A, L extends AutoCloseable> implements AutoCloseable {
    private static final long LONGEST_PAUSE_MILLIS = 100;
    /** A connection away from home is kept at least so long. */
    private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Servers<A> servers;
    private final Opener<A, L> opener;
    private final List<Server<A>> order;
    private final Backoff backoff = new Backoff(1, LONGEST_PAUSE_MILLIS);
    private final ConnectionLosses losses = new ConnectionLosses();
    private Server<A> server;
    private L link;
    private long openedNanos;

    /** Opens a connection. */
    public interface Opener<A, L> {
        /** @throws Exception when the server accepts none; never after something was sent that can take effect */
        L open(A address) throws Exception;
    }

    /** @param number of the thread, from 0, which decides its own server; empty: the threads take the servers in turn */
    public HomeLink(Servers<A> servers, OptionalInt number, Opener<A, L> opener) {
        this.servers = servers;
        this.opener = opener;
        this.order = servers.order(number.orElseGet(servers::join));
    }

    /**
     * Opens the first connection.
     *
     * @throws DBException with each server's reason when none accepts a connection
     */
    public void open() throws DBException {
        StringBuilder reasons = new StringBuilder();
        for (Server<A> each : order) {
            try {
                connect(each);
                return;
            } catch (Exception e) {
                servers.refused(each, e);
                reasons.append("; ").append(each).append(": ").append(Servers.line(e));
            }
        }
        throw new DBException("no server accepts a connection" + reasons);
    }

    /**
     * The connection for the next operation: the present one, or one to the thread's own server if that is up again, or a new one
     * after a loss. Empty, after a short wait, when no server accepts a connection.
     */
    public Optional<L> link() {
        if (link == null) {
            if (!reconnect()) {
                return Optional.empty();
            }
        } else if (server != order.get(0)) {
            goHome();
        }
        return Optional.of(link);
    }

    /** Records that an operation on the connection succeeded. */
    public void worked() {
        backoff.worked();
    }

    /**
     * Records that an operation failed because of the server. Waits, longer with every failure in a row, so that a server in trouble
     * is not flooded and the run's error count stays meaningful; the first failure of a row does not wait.
     */
    public void failed() {
        backoff.failed();
    }

    /** Records that the connection broke. The binding closes it, as it knows how to do that without waiting. */
    public void lost() {
        losses.lost(server.toString(), System.nanoTime());
        servers.broken(server);
        link = null;
    }

    /** Records that the connection ended between operations, which is no loss: the next operation opens another one. */
    public void ended() {
        link = null;
    }

    /** The lost connections so far. */
    public List<Reconnects.Server> reconnects() {
        return losses.until(System.nanoTime());
    }

    @Override
    public void close() {
        if (link != null) {
            closeQuietly(link);
            link = null;
        }
    }

    /**
     * Connects to the first server that is up, or else to the first that is not known to be down; waits a little when there is
     * none. The second look takes servers that are up, too: the probe may find a suspect one well between the two.
     */
    private boolean reconnect() {
        if (connectAny(Server::isUp) || connectAny(each -> !each.isDown())) {
            long without = losses.regained(System.nanoTime());
            if (without > 0) {
                servers.reconnected(without);
            }
            return true;
        }
        backoff.begin();
        servers.awaitAny(backoff.nextMillis());
        return false;
    }

    private boolean connectAny(Predicate<Server<A>> worthTrying) {
        return order.stream().anyMatch(each -> worthTrying.test(each) && tryConnect(each));
    }

    /** Moves back to the thread's own server, if that is up; the present connection is closed only then. */
    private void goHome() {
        Server<A> home = order.get(0);
        if (!home.isUp() || System.nanoTime() - openedNanos < STAY_NANOS) {
            return;
        }
        L away = link;
        if (tryConnect(home)) {
            closeQuietly(away);
        }
    }

    private boolean tryConnect(Server<A> to) {
        try {
            connect(to);
            return true;
        } catch (Exception e) {
            servers.refused(to, e);
            return false;
        }
    }

    private void connect(Server<A> to) throws Exception {
        link = opener.open(to.address());
        server = to;
        openedNanos = System.nanoTime();
    }

    private void closeQuietly(L old) {
        try {
            old.close();
        } catch (Exception e) {
            // It is gone, one way or the other.
        }
    }
}
