package io.ycsbdrill.binding.servers;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Secrets;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * The servers of one database as all threads of the process see them: which are up, and which is next. A server that
 * fails is probed by a thread of its own until it serves again. Thread-safe.
 *
 * @param <A> a server's address
 */
public final class Servers<A> implements AutoCloseable {
    private static final long PROBE_PAUSE_MILLIS = 200;
    /** How long a server that takes no writes is left alone, as long as another one does. */
    private static final long STANDBY_PAUSE_MILLIS = 1000;

    /** Causes may be a circle. */
    private static final int MOST_CAUSES = 10;

    private static final int LONGEST_LINE = 2000;

    private final String binding;
    private final Logger log;
    private final Probe<A> probe;
    private final List<Server<A>> all;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final LongAdder reconnects = new LongAdder();
    private final LongAdder reconnectNanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean written;
    private volatile boolean closed;

    /** Checks whether a server serves: it may accept connections before it does. */
    public interface Probe<A> {
        /**
         * @throws ReadOnlyServerException when it serves reads only
         * @throws Exception when it does not serve, with the reason
         */
        void check(A address) throws Exception;
    }

    /**
     * @param binding the binding's name, for the names of threads
     * @param log the binding's own
     * @param addresses one or more
     */
    public Servers(String binding, Logger log, List<A> addresses, Probe<A> probe) {
        this.binding = binding;
        this.log = log;
        this.probe = probe;
        List<Server<A>> servers = new ArrayList<>();
        addresses.forEach(address -> servers.add(new Server<>(address)));
        this.all = List.copyOf(servers);
    }

    /** All servers, in the order given. */
    public List<Server<A>> all() {
        return all;
    }

    /** A thread is about to write. */
    void writing() {
        written = true;
    }

    /** Whether any thread has written, or is about to. */
    boolean written() {
        return written;
    }

    /** The number of a new thread that has none; such threads take the servers in turn. */
    int join() {
        return numbers.getAndIncrement();
    }

    /**
     * The servers in the order in which the thread should try them: its own, then the others, turned so that the threads of
     * a lost server spread over the rest.
     */
    public List<Server<A>> order(int thread) {
        int count = all.size();
        List<Server<A>> order = new ArrayList<>(count);
        int home = thread % count;
        order.add(all.get(home));
        for (int i = 0; i < count - 1; i++) {
            order.add(all.get((home + 1 + (thread / count + i) % (count - 1)) % count));
        }
        return order;
    }

    /** Records that a connection to the server broke; others are tried first until the probe finds it up. */
    void broken(Server<A> server) {
        if (server.suspect()) {
            log.warn("connection to {} broke", server);
            probe(server);
            wake();
        }
    }

    /** Records that the server takes no writes; its probe looks whether that changes. */
    void readOnly(Server<A> server, String reason) {
        Server.State before = server.change(Server.State.READ_ONLY);
        if (before != Server.State.READ_ONLY) {
            log.info("{} takes no writes: {}", server, shown(reason));
            wake();
        }
        if (before == Server.State.UP) {
            probe(server);
        }
    }

    /** Records that the server did not accept a connection. */
    void refused(Server<A> server, Exception reason) {
        Server.State before = server.change(Server.State.DOWN);
        if (before != Server.State.DOWN) {
            log.warn("{} does not accept connections: {}", server, line(reason));
        }
        if (before == Server.State.UP) {
            probe(server);
            wake();
        }
    }

    /** Waits until there is such a server, or the time is over, or these servers are closed. */
    void awaitAny(long millis, Predicate<Server<A>> wanted) {
        await(millis, () -> all.stream().anyMatch(wanted));
    }

    /** Returns early when the condition holds or these servers are closed; false when the thread was interrupted. */
    private boolean await(long millis, BooleanSupplier condition) {
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            while (left > 0 && !closed && !condition.getAsBoolean()) {
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Records a thread's new connection and the time since it lost the last one. */
    void reconnected(long nanos) {
        reconnects.increment();
        reconnectNanos.add(nanos);
        longestNanos.accumulate(nanos);
    }

    /**
     * Logs an operation that failed: the first of its kind as a warning, the others for debugging.
     *
     * @param kind what makes two failures alike
     */
    public void report(String kind, String operation, String line) {
        if (reported.add(kind)) {
            log.warn("{} failed ({}); further failures of this kind are not shown", operation, shown(line));
        } else {
            log.debug("{} failed ({})", operation, shown(line));
        }
    }

    private void probe(Server<A> server) {
        Daemon.thread(() -> watch(server), binding + "-probe-" + all.indexOf(server))
                .start();
    }

    private void watch(Server<A> server) {
        long start = System.nanoTime();
        while (!closed) {
            try {
                probe.check(server.address());
                boolean promoted = server.change(Server.State.UP) == Server.State.READ_ONLY;
                log.info(
                        promoted ? "{} takes writes, {} ms after it did not" : "{} is back after {} ms",
                        server,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
                wake();
                return;
            } catch (ReadOnlyServerException e) {
                readOnly(server, e.getMessage());
                await(STANDBY_PAUSE_MILLIS - PROBE_PAUSE_MILLIS, () -> all.stream()
                        .noneMatch(Server::isUp));
            } catch (Exception e) {
                if (server.change(Server.State.DOWN) != Server.State.DOWN) {
                    log.warn("{} is down: {}", server, line(e));
                }
            }
            if (!await(PROBE_PAUSE_MILLIS, () -> false)) {
                closed = true;
            }
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A foreign text as it may be kept: bounded, then without secrets. */
    private static String shown(String text) {
        return Secrets.inText(text.length() > LONGEST_LINE ? text.substring(0, LONGEST_LINE) + "..." : text);
    }

    /** The first line of an exception's message and what the network said, bounded and without secrets. */
    public static String line(Exception e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
        return shown(Stream.iterate(e.getCause(), Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .filter(cause -> cause instanceof IOException && cause.getMessage() != null)
                .map(cause -> (cause instanceof UnknownHostException ? "unknown host " : "") + cause.getMessage())
                .reduce((first, last) -> last)
                .filter(reason -> !line.contains(reason.replaceFirst("^unknown host ", "")))
                .map(reason -> line + " (" + reason + ")")
                .orElse(line));
    }

    @Override
    public void close() {
        closed = true;
        wake();
        if (reconnects.sum() > 0) {
            log.info(
                    "reconnects: {}; time without a connection: {} ms in total, {} ms at most",
                    reconnects.sum(),
                    TimeUnit.NANOSECONDS.toMillis(reconnectNanos.sum()),
                    TimeUnit.NANOSECONDS.toMillis(longestNanos.get()));
        }
    }
}
