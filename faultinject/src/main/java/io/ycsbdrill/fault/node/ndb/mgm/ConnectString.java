package io.ycsbdrill.fault.node.ndb.mgm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An NDB connect string: {@code [nodeid=N,]host[:port][,host2[:port]]...}. Immutable.
 *
 * @param servers the management servers in the order given, at least one
 */
public record ConnectString(List<Server> servers) {
    /** The port that NDB's management server has by default. */
    static final int DEFAULT_PORT = 1186;

    public ConnectString {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("an NDB connect string needs at least one host[:port]");
        }
    }

    /** One management server. */
    public record Server(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * Reads a connect string. {@code nodeid=} and {@code bind-address=} are tolerated and have no effect here: a monitor
     * takes no node id.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static ConnectString parse(String text) {
        List<Server> servers = new ArrayList<>();
        for (String part : text.split("[,;\\s]+")) {
            if (part.isEmpty() || part.startsWith("nodeid=") || part.startsWith("bind-address=")) {
                continue;
            }
            servers.add(server(part.startsWith("host=") ? part.substring("host=".length()) : part, text));
        }
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("ndb.connectstring \"" + text
                    + "\" names no management server; expected host[:port][,host2[:port]]");
        }
        return new ConnectString(servers);
    }

    private static Server server(String part, String connectString) {
        int bracket = part.lastIndexOf(']');
        int colon = part.lastIndexOf(':');
        boolean hasPort = colon > bracket && (bracket >= 0 || part.indexOf(':') == colon);
        String host = hasPort ? part.substring(0, colon) : part;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException(
                    "ndb.connectstring \"" + connectString + "\": no host in \"" + part + "\"");
        }
        if (!hasPort) {
            return new Server(host, DEFAULT_PORT);
        }
        try {
            int port = Integer.parseInt(part.substring(colon + 1));
            if (port >= 1 && port <= 65535) {
                return new Server(host, port);
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        throw new IllegalArgumentException(
                "ndb.connectstring \"" + connectString + "\": port in \"" + part + "\" is not in 1..65535");
    }

    @Override
    public String toString() {
        return servers.stream().map(Server::toString).collect(Collectors.joining(","));
    }
}
