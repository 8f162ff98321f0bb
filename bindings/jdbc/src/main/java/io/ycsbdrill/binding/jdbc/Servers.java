package io.ycsbdrill.binding.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of one database as all threads of the process see them: which are up, and whose turn it is. A server that
 * fails is watched by a probe, one thread per such server, until it serves the table again. Thread-safe.
 */
final class Servers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);
    private static final long PROBE_PAUSE_MILLIS = 200;

    private final JdbcSettings settings;
    private final Connector connector;
    private final List<Server> all;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final LongAdder reconnects = new LongAdder();
    private final LongAdder reconnectNanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean closed;

    Servers(JdbcSettings settings, Connector connector) {
        this.settings = settings;
        this.connector = connector;
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < settings.urls().size(); i++) {
            servers.add(new Server(settings.url(i)));
        }
        this.all = List.copyOf(servers);
    }

    List<Server> all() {
        return all;
    }

    /** The number of a new thread; threads take the servers in turn. */
    int join() {
        return numbers.getAndIncrement();
    }

    /**
     * The servers in the order in which the thread should try them: its own, then the others, turned so that the threads of
     * a lost server spread over the rest.
     */
    List<Server> order(int thread) {
        int count = all.size();
        List<Server> order = new ArrayList<>(count);
        int home = thread % count;
        order.add(all.get(home));
        for (int i = 0; i < count - 1; i++) {
            order.add(all.get((home + 1 + (thread / count + i) % (count - 1)) % count));
        }
        return order;
    }

    Connection open(Server server) throws SQLException {
        return connector.open(server.url());
    }

    /** A connection to the server broke; others are tried first until the probe has found it well. */
    void broken(Server server) {
        if (server.suspect()) {
            LOG.warn("connection to {} broke", server);
            probe(server);
        }
    }

    /** The server did not take a connection. */
    void refused(Server server, Exception reason) {
        Server.State before = server.change(Server.State.DOWN);
        if (before != Server.State.DOWN) {
            LOG.warn("{} does not take connections: {}", server, line(reason));
        }
        if (before == Server.State.UP) {
            probe(server);
        }
    }

    /** Waits until a server is up, or the time is over, or these servers are closed. */
    void awaitAny(long millis) {
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            while (left > 0 && !closed && all.stream().noneMatch(s -> s.state() == Server.State.UP)) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** A thread has a connection again, so long after it lost the last one. */
    void reconnected(long nanos) {
        reconnects.increment();
        reconnectNanos.add(nanos);
        longestNanos.accumulate(nanos);
    }

    long reconnects() {
        return reconnects.sum();
    }

    /** The first of its kind as a warning, the others for debugging. */
    void report(Failure failure, String operation) {
        if (reported.add(failure.state() + "/" + failure.code())) {
            LOG.warn("{} failed ({}); more of its kind are not shown", operation, failure.line());
        } else {
            LOG.debug("{} failed ({})", operation, failure.line());
        }
    }

    /** Connects, and looks at the table: a server may answer before it can serve. */
    private void probe(Server server) {
        Thread thread = new Thread(() -> watch(server), "jdbc-probe-" + all.indexOf(server));
        thread.setDaemon(true);
        thread.start();
    }

    private void watch(Server server) {
        long start = System.nanoTime();
        while (!closed) {
            try (Connection connection = open(server)) {
                TableShape.of(connection, settings.table(), Collections.emptyList());
                server.change(Server.State.UP);
                LOG.info("{} is back after {} ms", server, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
                wake();
                return;
            } catch (SQLException | BadRequestException | RuntimeException e) {
                if (server.change(Server.State.DOWN) != Server.State.DOWN) {
                    LOG.warn("{} is down: {}", server, line(e));
                }
            }
            pause();
        }
    }

    private void pause() {
        long left = TimeUnit.MILLISECONDS.toNanos(PROBE_PAUSE_MILLIS);
        lock.lock();
        try {
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        } finally {
            lock.unlock();
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

    static String line(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
    }

    @Override
    public void close() {
        closed = true;
        wake();
        if (reconnects.sum() > 0) {
            LOG.info(
                    "{} reconnects; without a connection {} ms in all, {} ms at most",
                    reconnects.sum(),
                    TimeUnit.NANOSECONDS.toMillis(reconnectNanos.sum()),
                    TimeUnit.NANOSECONDS.toMillis(longestNanos.get()));
        }
    }
}
