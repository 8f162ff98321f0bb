package io.ycsbdrill.client.run.file;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Reconnects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the threads' bindings report about lost connections, by server: {@code connections} of {@code summary.json}. */
public final class LostConnections {

    private LostConnections() {}

    /**
     * The section for the complete run.
     *
     * @param threads what each thread's binding reported; empty for a thread that hangs
     */
    public static ObjectNode of(List<Optional<List<Reconnects.Server>>> threads) {
        ObjectNode connections = RunDirectory.JSON.createObjectNode();
        connections.put(
                "silentThreads", threads.stream().filter(Optional::isEmpty).count());
        ArrayNode array = connections.putArray("servers");
        byServer(threads).values().forEach(server -> array.addObject()
                .put("server", server.server())
                .put("lost", server.lost())
                .put("regained", server.regained())
                .put("secondsWithout", server.nanos() / 1e9)
                .put("longestSecondsWithout", server.longestNanos() / 1e9));
        return connections;
    }

    /** What the threads reported, added up. */
    public static Map<String, Reconnects.Server> byServer(List<Optional<List<Reconnects.Server>>> threads) {
        Map<String, Reconnects.Server> servers = new TreeMap<>();
        for (Optional<List<Reconnects.Server>> thread : threads) {
            thread.ifPresent(reported ->
                    reported.forEach(server -> servers.merge(server.server(), server, Reconnects.Server::plus)));
        }
        return servers;
    }
}
