package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.binding.Backoff;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster as all threads of a process share it. When every data node is lost, NDB's client does not connect again until
 * nothing of the old connection is in use, so the thread {@code ndb-reconnect} closes all sessions and connections
 * and opens new ones, again and again until that works; operations fail meanwhile. Thread-safe.
 */
final class SharedNdbCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SharedNdbCluster.class);
    private static final Duration RECONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final long CLOSE_MILLIS = 60_000;

    /** Opens all connections, each within the timeout. */
    interface Opener {
        Connections open(Duration timeout) throws NdbException;
    }

    private final String name;
    private final Opener opener;
    private final Set<NdbThread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Integer> reported = ConcurrentHashMap.newKeySet();
    private final Set<String> defects = ConcurrentHashMap.newKeySet();

    private volatile Connections current;
    private volatile boolean closed;
    private Thread reconnecting;
    private volatile NearestProof nearest;

    /** @param name distinguishes this cluster from others */
    SharedNdbCluster(String name, Opener opener, Duration timeout) throws NdbException {
        this.name = name;
        this.opener = opener;
        this.current = opener.open(timeout);
    }

    String name() {
        return name;
    }

    void nearest(NearestProof proof) {
        nearest = proof;
    }

    /** The proof for connections that read one data node only; null for others. */
    NearestProof nearest() {
        return nearest;
    }

    /** The connections in use, or null while the cluster is lost. */
    Connections current() {
        return current;
    }

    void add(NdbThread thread) {
        threads.add(thread);
    }

    void remove(NdbThread thread) {
        threads.remove(thread);
    }

    /** Waits for connections; returns them, or null if there are none after that time or the thread was interrupted. */
    Connections await(long millis) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        synchronized (this) {
            while (current == null && !closed) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    break;
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
            return current;
        }
    }

    /** Reports that these connections have lost the cluster; the first report starts the reconnecting. */
    void lost(Connections connections) {
        synchronized (this) {
            if (current != connections || closed) {
                return;
            }
            current = null;
            reconnecting = Daemon.thread(() -> reconnect(connections), "ndb-reconnect");
            reconnecting.start();
        }
    }

    /** Logs a failure: the first of each code as a warning, the others for debugging only. */
    void report(NdbFailure failure, String operation) {
        if (reported.add(failure.code())) {
            LOG.warn(
                    "{} failed with {} (status {}, class {}); reported once",
                    operation,
                    failure,
                    failure.status(),
                    failure.classification());
        } else {
            LOG.debug("{} failed with {}", operation, failure);
        }
    }

    /** Logs a defect of the binding or the library: the first time with its stack trace, then briefly. */
    void reportDefect(RuntimeException defect, String operation) {
        if (defects.add(defect.toString())) {
            LOG.warn("{} failed unexpectedly; reported once", operation, defect);
        } else {
            LOG.debug("{} failed with {}", operation, defect.toString());
        }
    }

    /** Closes all connections. All threads must have been closed. */
    @Override
    public void close() {
        Thread waitFor;
        synchronized (this) {
            closed = true;
            waitFor = reconnecting;
            notifyAll();
        }
        if (waitFor != null) {
            try {
                waitFor.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        synchronized (this) {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }

    private void reconnect(Connections lost) {
        long start = System.nanoTime();
        LOG.warn("the cluster is lost (API nodes: {}): closing all sessions and reconnecting", lost.nodeIds());
        threads.forEach(thread -> thread.detach(lost));
        try {
            lost.close();
        } catch (RuntimeException e) {
            reportDefect(e, "closing the connections");
        }
        Backoff backoff = new Backoff(250, 4_000);
        while (!closed) {
            try {
                Connections opened = opener.open(RECONNECT_TIMEOUT);
                synchronized (this) {
                    if (closed) {
                        opened.close();
                    } else {
                        current = opened;
                        reported.clear();
                        LOG.warn(
                                "reconnected to the cluster after {} s (API nodes: {})",
                                Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                                opened.nodeIds());
                    }
                    notifyAll();
                }
                return;
            } catch (NdbException | RuntimeException e) {
                LOG.debug("no connection yet", e);
                pause(backoff.nextMillis());
            }
        }
    }

    private synchronized void pause(long millis) {
        if (!closed) {
            try {
                wait(millis);
            } catch (InterruptedException e) {
                // This thread is never interrupted; the flag ends it.
                LOG.debug("interrupted", e);
            }
        }
    }
}
