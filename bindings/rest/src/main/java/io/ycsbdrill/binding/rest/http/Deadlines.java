package io.ycsbdrill.binding.rest.http;

import io.ycsbdrill.base.Daemon;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connections whose replies time out, which wakes the threads that sleep in reads: a blocking read that has a time limit of
 * its own costs three system calls more. One thread looks at all of them every few milliseconds, as long as there are any. Thread-safe.
 */
final class Deadlines {
    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    private static final long NONE = 0;
    private static final long PASSED = 1;

    private final long lookMillis;
    private final Set<Deadline> all = ConcurrentHashMap.newKeySet();
    private Thread thread;

    /** @param timeout of replies; one that is late is noticed by a twentieth of it, or 50 ms, later */
    Deadlines(Duration timeout) {
        this.lookMillis = Math.max(2, Math.min(50, timeout.toMillis() / 20));
    }

    /** The deadline of one connection, for one request after the other. */
    final class Deadline implements AutoCloseable {
        private final SocketChannel socket;
        private final AtomicLong end = new AtomicLong(NONE);

        private Deadline(SocketChannel socket) {
            this.socket = socket;
        }

        /** Starts a request, whose reply must arrive before that time, on the scale of {@link System#nanoTime()}. */
        void begin(long endNanos) {
            end.set(endNanos | 2); // neither NONE nor PASSED
        }

        /** Ends the request; returns whether the reply was late and the connection was closed. */
        boolean end() {
            return end.getAndSet(NONE) == PASSED;
        }

        private void look(long nowNanos) {
            long until = end.get();
            if (until != NONE && until != PASSED && nowNanos - until > 0 && end.compareAndSet(until, PASSED)) {
                shut();
            }
        }

        /** Closes the connection. */
        @Override
        public void close() {
            all.remove(this);
            shut();
        }

        private void shut() {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("a connection did not end well: {}", e.toString());
            }
        }
    }

    /** A connection without a request, whose end is {@link Deadline#close}. */
    synchronized Deadline of(SocketChannel socket) {
        Deadline deadline = new Deadline(socket);
        all.add(deadline);
        if (thread == null) {
            thread = Daemon.thread(this::run, "rest-deadlines");
            thread.start();
        }
        return deadline;
    }

    private void run() {
        try {
            while (isNeeded()) {
                look(System.nanoTime());
                Thread.sleep(lookMillis);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("unexpected interrupt", e);
        }
    }

    private synchronized boolean isNeeded() {
        if (all.isEmpty()) {
            thread = null;
            return false;
        }
        return true;
    }

    /** Closes the connections whose reply is late at this time. */
    void look(long nowNanos) {
        all.forEach(deadline -> deadline.look(nowNanos));
    }
}
