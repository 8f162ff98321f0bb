package io.ycsbdrill.fault.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Servers of which nothing but their addresses is known: nodes for the user's own commands. One is up while it accepts connections;
 * whether it holds all of its data, nobody here can tell, and no events are reported. Immutable, for any thread.
 */
public final class NamedServers implements UnwatchedNodes {
    private static final int CONNECT_MILLIS = 2000;

    private final String engine;
    private final List<NodeInfo> nodes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    private NamedServers(String engine) {
        this.engine = engine;
    }

    /**
     * @param engine what to call them
     * @param servers {@code host:port} each, at least one; they become {@code server1}, {@code server2}, ...
     * @throws IllegalArgumentException when one has no port
     */
    public static NamedServers of(String engine, List<String> servers) {
        NamedServers named = new NamedServers(engine);
        for (String server : servers) {
            int colon = server.lastIndexOf(':');
            if (colon < 1 || !server.substring(colon + 1).matches("\\d{1,5}")) {
                throw new IllegalArgumentException("server \"" + server + "\" is not host:port");
            }
            String host = server.substring(0, colon).replaceAll("^\\[|]$", "");
            named.ports.add(Integer.parseInt(server.substring(colon + 1)));
            named.nodes.add(new NodeInfo("server" + named.ports.size(), host, 0));
        }
        return named;
    }

    @Override
    public String engine() {
        return engine;
    }

    @Override
    public List<NodeInfo> nodes() {
        return List.copyOf(nodes);
    }

    @Override
    public List<NodeStatus> status() {
        List<NodeStatus> all = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            all.add(status(nodes.get(i), ports.get(i)));
        }
        return all;
    }

    private static NodeStatus status(NodeInfo node, int port) {
        String at = " at " + node.host() + ":" + port;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(node.host(), port), CONNECT_MILLIS);
            return new NodeStatus(
                    node.id(), NodeStatus.State.STARTED, "accepts connections" + at, OptionalLong.empty());
        } catch (IOException e) {
            String reason = e instanceof UnknownHostException ? "unknown host" : e.getMessage();
            String detail = "accepts no connection" + at + ": " + reason;
            return new NodeStatus(node.id(), NodeStatus.State.DOWN, detail, OptionalLong.empty());
        }
    }
}
