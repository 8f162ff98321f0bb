package io.ycsbdrill.binding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts lost connections and the time without a connection, for {@link Reconnects}. Times are readings
 * of {@link System#nanoTime}. Not thread-safe.
 */
public final class ConnectionLosses {
    private final Map<String, Reconnects.Server> servers = new LinkedHashMap<>();
    private String without;
    private long lostNanos;

    /** Records the loss of the connection; ignored while there is none. */
    public void lost(String server, long nowNanos) {
        if (without == null) {
            without = server;
            lostNanos = nowNanos;
        }
    }

    /**
     * Records a new connection; ignored while there is one.
     *
     * @return how long there was none
     */
    public long regained(long nowNanos) {
        if (without == null) {
            return 0;
        }
        long nanos = nowNanos - lostNanos;
        add(servers, new Reconnects.Server(without, 1, 1, nanos, nanos));
        without = null;
        return nanos;
    }

    /** The losses by the server where the connection was lost, with one that has not ended yet. */
    public List<Reconnects.Server> until(long nowNanos) {
        Map<String, Reconnects.Server> all = new LinkedHashMap<>(servers);
        if (without != null) {
            long nanos = nowNanos - lostNanos;
            add(all, new Reconnects.Server(without, 1, 0, nanos, nanos));
        }
        return List.copyOf(all.values());
    }

    private static void add(Map<String, Reconnects.Server> to, Reconnects.Server loss) {
        to.merge(loss.server(), loss, Reconnects.Server::plus);
    }
}
