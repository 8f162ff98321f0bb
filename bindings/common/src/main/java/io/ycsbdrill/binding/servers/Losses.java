package io.ycsbdrill.binding.servers;

import io.ycsbdrill.binding.Reconnects;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The connections that a thread lost, and the times without one. Owned by that thread. */
final class Losses {
    private final Map<String, Reconnects.Server> servers = new LinkedHashMap<>();
    private String without;
    private long lostNanos;

    void lost(Server<?> server, long nowNanos) {
        without = server.toString();
        lostNanos = nowNanos;
    }

    /** @return how long there was none; empty when none was lost */
    OptionalLong regained(long nowNanos) {
        if (without == null) {
            return OptionalLong.empty();
        }
        long nanos = nowNanos - lostNanos;
        add(servers, new Reconnects.Server(without, 1, 1, nanos, nanos));
        without = null;
        return OptionalLong.of(nanos);
    }

    /** With the loss that lasts. */
    List<Reconnects.Server> until(long nowNanos) {
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
