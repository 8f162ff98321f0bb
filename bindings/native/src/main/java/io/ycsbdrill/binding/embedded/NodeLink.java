package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.ConnectionLosses;
import io.ycsbdrill.binding.Reconnects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientRetryNonePolicy;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.logger.NullLogger;

/**
 * The connection to one node: a client of its own, or none while the node cannot be reached. One client for all nodes would make
 * operations on live nodes wait for its attempts to reach dead ones. Thread-safe.
 */
final class NodeLink {
    private static final long FIRST_BACK_OFF_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LAST_BACK_OFF_NANOS = Duration.ofSeconds(1).toNanos();

    /** A client and the tables that have been opened on it. */
    static final class Connection {
        private final IgniteClient client;
        private final Optional<Duration> ttl;
        private final Map<String, ClientCache<String, byte[]>> tables = new ConcurrentHashMap<>();

        /** @param ttl how long a row stays after its last write by this connection; empty for ever */
        Connection(IgniteClient client, Optional<Duration> ttl) {
            this.client = client;
            this.ttl = ttl;
        }

        IgniteClient client() {
            return client;
        }

        ClientCache<String, byte[]> table(String name) {
            return tables.computeIfAbsent(name, this::open);
        }

        private ClientCache<String, byte[]> open(String name) {
            ClientCache<String, byte[]> table = client.cache(name);
            return ttl.map(time -> table.<String, byte[]>withExpirePolicy(new ModifiedExpiryPolicy(
                            new javax.cache.expiry.Duration(TimeUnit.SECONDS, time.toSeconds()))))
                    .orElse(table);
        }
    }

    private final String endpoint;
    private final AtomicReference<Connection> connection = new AtomicReference<>();
    private long backOffNanos = FIRST_BACK_OFF_NANOS;
    private long nextAttemptNanos = System.nanoTime();
    private long connectedNanos;
    private boolean attempting;
    private final ConnectionLosses losses = new ConnectionLosses();

    NodeLink(String endpoint) {
        this.endpoint = endpoint;
    }

    String endpoint() {
        return endpoint;
    }

    int port() {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** The connection in use; null while there is none. */
    Connection connection() {
        return connection.get();
    }

    /** Whether a connection attempt is due, in which case the caller must {@link #connect}. */
    synchronized boolean due(long nowNanos) {
        if (attempting || connection.get() != null || nowNanos - nextAttemptNanos < 0) {
            return false;
        }
        attempting = true;
        return true;
    }

    /** Attempts to connect; a failed attempt delays the next, and so does a connection that is given up at once. */
    void connect(EmbeddedSettings settings) {
        Connection made = null;
        try {
            made = new Connection(Ignition.startClient(configuration(settings)), settings.ttl());
        } finally {
            attempted(made, System.nanoTime());
        }
    }

    /** @param made null when nothing was */
    synchronized void attempted(Connection made, long now) {
        attempting = false;
        if (made == null) {
            putOff(now);
        } else {
            connection.set(made);
            connectedNanos = now;
            losses.regained(now);
        }
    }

    /** Gives up a connection; true for the one caller that must close it. */
    boolean drop(Connection lost) {
        return drop(lost, System.nanoTime());
    }

    synchronized boolean drop(Connection lost, long now) {
        boolean dropped = connection.compareAndSet(lost, null);
        if (dropped) {
            losses.lost(endpoint, now);
            if (now - connectedNanos < LAST_BACK_OFF_NANOS) {
                // As good as a failed attempt: a node on another side of a partition answers, but is of no use.
                putOff(now);
            } else {
                backOffNanos = FIRST_BACK_OFF_NANOS;
                nextAttemptNanos = now;
            }
        }
        return dropped;
    }

    private void putOff(long now) {
        backOffNanos = Math.min(backOffNanos * 2, LAST_BACK_OFF_NANOS);
        nextAttemptNanos = now + backOffNanos;
    }

    /** How often the connection was lost, and how long there was none. */
    synchronized List<Reconnects.Server> reconnects() {
        return losses.until(System.nanoTime());
    }

    private ClientConfiguration configuration(EmbeddedSettings settings) {
        return new ClientConfiguration()
                .setAddresses(endpoint)
                .setPartitionAwarenessEnabled(false)
                .setClusterDiscoveryEnabled(false)
                .setReconnectThrottlingRetries(0)
                .setRetryPolicy(new ClientRetryNonePolicy())
                .setHandshakeTimeout((int) settings.connectTimeout().toMillis())
                .setRequestTimeout((int) settings.requestTimeout().toMillis())
                .setAsyncContinuationExecutor(Runnable::run)
                .setLogger(new NullLogger());
    }
}
