package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.HttpServers;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A cluster that somebody else runs, as properties name it; nothing has been asked of it yet.
 *
 * @param engine the engine's name
 * @param address of its servers, as named
 * @param title for messages: {@code NDB cluster at HOST:1186}
 * @param properties what a binding needs beside the user's properties to reach the same cluster
 * @param connector asks the cluster for its nodes
 * @param where what tells it from other clusters of the same addresses, such as those behind a forwarded port; empty when nothing does
 */
public record RemoteCluster(
        String engine,
        String address,
        String title,
        Map<String, String> properties,
        Supplier<NodeController> connector,
        String where) {
    public RemoteCluster {
        properties = Map.copyOf(properties);
    }

    /** One that its addresses tell from all others. */
    public RemoteCluster(
            String engine,
            String address,
            String title,
            Map<String, String> properties,
            Supplier<NodeController> connector) {
        this(engine, address, title, properties, connector, "");
    }

    /** A cluster whose servers the binding's own properties name. */
    public static RemoteCluster of(String engine, HttpServers servers, Supplier<NodeController> connector) {
        return new RemoteCluster(engine, servers.toString(), engine + " at " + servers, Map.of(), connector);
    }

    /**
     * Asks the cluster for its nodes; the caller closes the controller.
     *
     * @throws IllegalArgumentException when its address is invalid
     * @throws NodeControlException when no server of it answers
     */
    public NodeController connect() {
        return connector.get();
    }
}
