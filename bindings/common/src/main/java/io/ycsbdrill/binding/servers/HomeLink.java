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
    /** Whether servers that take no writes are as good as others. */
    private boolean readsOnly;

    /** Opens a connection. */
    public interface Opener<A, L> {
        /** @throws Exception when the server accepts none; never after something was sent that can take effect */
        L open(A address) throws Exception;

        /**
         * By what it is known that the connection's server takes no writes; empty when it takes them, or has no such roles.
         *
         * @throws Exception when the server does not answer; the connection is then closed
         */
        default Optional<String> readOnly(L link) throws Exception {
            return Optional.empty();
        }
    }

    /** @param number of the thread, from 0, which decides its own server; empty: the threads take the servers in turn */
    public HomeLink(Servers<A> servers, OptionalInt number, Opener<A, L> opener) {
        this(servers, opener, servers.order(number.orElseGet(servers::join)));
    }

    private HomeLink(Servers<A> servers, Opener<A, L> opener, List<Server<A>> order) {
        this.servers = servers;
        this.opener = opener;
        this.order = order;
    }

    /** Another connection of the same thread, not open yet, for writes; this one is for reads, which any server may serve. */
    public HomeLink<A, L> divided() {
        readsOnly = true;
        return new HomeLink<>(servers, opener, order);
    }

    /**
     * Opens the first connection: to a server that takes writes, if there is one.
     *
     * @throws DBException with each server's reason when none accepts a connection
     */
    public void open() throws DBException {
        StringBuilder reasons = new StringBuilder();
        for (Server<A> each : order) {
            if (each.isReadOnly() && !readsOnly) {
                continue;
            }
            Optional<Exception> refusal = connect(each, readsOnly);
            if (refusal.isEmpty()) {
                return;
            }
            reasons.append("; ").append(each).append(": ").append(Servers.line(refusal.get()));
        }
        if (!connectAny(Server::isReadOnly)) {
            throw new DBException("no server accepts a connection" + reasons);
        }
    }

    /**
     * The connection for the next operation: the present one, or one to the thread's own server if that is up again, or a new one
     * after a loss. Empty, after a short wait, when no server accepts a connection.
     */
    public Optional<L> link() {
        if (link != null && mustWrite() && server.isReadOnly()) {
            L useless = link;
            losses.lost(server.toString(), System.nanoTime());
            link = null;
            closeQuietly(useless);
        }
        if (link == null) {
            if (!reconnect()) {
                return Optional.empty();
            }
        } else if (server != order.get(0) || server.isReadOnly()) {
            goHome();
        }
        return Optional.of(link);
    }

    /** The same for an operation that may change data, and for all after it: to a server that takes writes. */
    public Optional<L> linkForWrites() {
        servers.writing();
        return link();
    }

    /**
     * Whether a server must take writes: from this client's first write on, by whichever thread, so that what is read later is not older
     * than what was written.
     */
    private boolean mustWrite() {
        return !readsOnly && servers.written();
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

    /** Records that the server took no write although it had seemed to; the binding closes the connection. */
    public void refusedToWrite(String reason) {
        losses.lost(server.toString(), System.nanoTime());
        servers.readOnly(server, reason);
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
        if (connectAny(this::serves)
                || connectAny(each -> serves(each) || !each.isDown() && !each.isReadOnly())
                || connectAny(this::isUsable)) {
            long without = losses.regained(System.nanoTime());
            if (without > 0) {
                servers.reconnected(without);
            }
            return true;
        }
        backoff.begin();
        servers.awaitAny(backoff.nextMillis(), this::isUsable);
        return false;
    }

    /** Whether the server is as good as any. */
    private boolean serves(Server<A> each) {
        return each.isUp() || readsOnly && each.isReadOnly();
    }

    /** Whether the server will do where there is no better one. */
    private boolean isUsable(Server<A> each) {
        return each.isUp() || !mustWrite() && each.isReadOnly();
    }

    private boolean connectAny(Predicate<Server<A>> worthTrying) {
        return order.stream()
                .anyMatch(each -> worthTrying.test(each)
                        && connect(each, isUsable(each) && !each.isUp()).isEmpty());
    }

    /**
     * Moves back to the thread's own server, or from one that takes no writes to one that does, if that is up; the present connection
     * is closed only then.
     */
    private void goHome() {
        Server<A> home = order.get(0);
        Optional<Server<A>> better = serves(home)
                ? Optional.of(home)
                : order.stream()
                        .filter(each -> server.isReadOnly() && each.isUp())
                        .findFirst();
        if (better.isEmpty() || better.get() == server || System.nanoTime() - openedNanos < STAY_NANOS) {
            return;
        }
        L away = link;
        if (connect(better.get(), readsOnly).isEmpty()) {
            closeQuietly(away);
        }
    }

    /**
     * @param readOnlyToo whether a server that takes no writes will do
     * @return why not; empty when connected
     */
    private Optional<Exception> connect(Server<A> to, boolean readOnlyToo) {
        try {
            L opened = opener.open(to.address());
            try {
                Optional<String> reason = opener.readOnly(opened);
                if (reason.isPresent()) {
                    servers.readOnly(to, reason.get());
                    if (!readOnlyToo) {
                        throw new ReadOnlyServerException(reason.get());
                    }
                }
            } catch (Exception e) {
                closeQuietly(opened);
                throw e;
            }
            link = opened;
            server = to;
            openedNanos = System.nanoTime();
            return Optional.empty();
        } catch (ReadOnlyServerException e) {
            return Optional.of(e);
        } catch (Exception e) {
            servers.refused(to, e);
            return Optional.of(e);
        }
    }

    private void closeQuietly(L old) {
        try {
            old.close();
        } catch (Exception e) {
            // It is gone, one way or the other.
        }
    }
}
