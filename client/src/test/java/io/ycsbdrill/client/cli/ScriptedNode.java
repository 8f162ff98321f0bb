package io.ycsbdrill.client.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A process that answers as a node of HarperDB or of CrateDB does, as far as a drill asks. Node N is at 127.0.0.N, all at the same
 * port. It keeps no rows: every key has one. It ends by itself after some minutes, when nobody has ended it before.
 */
final class ScriptedNode {
    /** A node that was started again is behind for so many looks of whoever watches it. */
    private static final int LOOKS_BEHIND = 6;

    private static final int NODES = 3;
    private static final String ROW = "\"field0\":\"a\",\"field1\":\"b\"";

    private final int own;
    private final int port;
    private final AtomicInteger behind;

    private ScriptedNode(int own, int port, boolean again) {
        this.own = own;
        this.port = port;
        this.behind = new AtomicInteger(again ? LOOKS_BEHIND : 0);
    }

    /** Arguments: engine, number of the node, port, and whether it is started again. */
    public static void main(String[] arguments) throws Exception {
        // Otherwise each answer waits for the acknowledgement of its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        ScriptedNode node = new ScriptedNode(
                Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Boolean.parseBoolean(arguments[3]));
        HttpServer server = HttpServer.create(new InetSocketAddress(host(node.own), node.port), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        boolean harper = arguments[0].equals("harperdb");
        server.createContext("/", exchange -> {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            answer(exchange, harper ? node.harper(exchange, asked) : node.crate(asked));
        });
        server.createContext("/behind", exchange -> answer(exchange, "" + (node.behind.get() > 0)));
        server.createContext("/look", exchange -> answer(exchange, "" + node.looksBehind()));
        server.start();
        TimeUnit.MINUTES.sleep(5);
        Runtime.getRuntime().halt(1);
    }

    static String host(int node) {
        return "127.0.0." + node;
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(bytes.length == 0 ? 204 : 200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private boolean looksBehind() {
        return behind.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    private boolean isUp(int node) {
        try (Socket socket = new Socket(host(node), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false; // that is what was asked
        }
    }

    /** What another node says at a path. */
    private boolean says(int node, String path) throws IOException {
        try (var in =
                URI.create("http://" + host(node) + ":" + port + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).equals("true");
        }
    }

    private String harper(HttpExchange exchange, String asked) {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/usertable/")) {
            return "[]";
        }
        if (!path.equals("/")) {
            return exchange.getRequestMethod().equals("GET") ? "{\"id\":\"k\"," + ROW + "}" : "";
        }
        if (!asked.equals("{\"operation\":\"cluster_status\"}")) {
            throw new IllegalArgumentException("asked for " + asked);
        }
        String received = looksBehind()
                ? "\"lastReceivedStatus\":\"Receiving\",\"lastReceivedRemoteTime\":\"Fri, 20 Nov 2020 15:14:27 GMT\""
                : "\"lastReceivedStatus\":\"Waiting\"";
        return "{\"node_name\":\"n" + own + "\",\"is_enabled\":true,\"connections\":["
                + IntStream.rangeClosed(1, NODES)
                        .filter(peer -> peer != own)
                        .mapToObj(peer -> "{\"name\":\"n" + peer
                                + "\",\"database_sockets\":[{\"database\":\"ycsb\",\"connected\":" + isUp(peer) + ","
                                + received + "}]}")
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private String crate(String asked) throws IOException {
        if (asked.isEmpty()) {
            return "{\"version\":{\"number\":\"6.4.3\"}}";
        }
        if (asked.contains(" sys.")) {
            return rows("", asked.contains("version") ? "[\"6.4.3\"]" : system(asked));
        }
        if (asked.contains("information_schema.tables")) {
            return rows("\"number_of_shards\",\"number_of_replicas\"", "[4,\"0-1\"]");
        }
        return asked.contains("\"select *")
                ? rows("\"ycsb_key\",\"field0\",\"field1\"", "[\"k\",\"a\",\"b\"]")
                : rows("", "");
    }

    private static String rows(String columns, String rows) {
        return "{\"cols\":[" + columns + "],\"rows\":[" + rows + "],\"rowcount\":1,\"duration\":0.1}";
    }

    private String system(String asked) throws IOException {
        int[] up = IntStream.rangeClosed(1, NODES).filter(this::isUp).toArray();
        if (asked.contains("sys.nodes")) {
            return IntStream.of(up)
                    .mapToObj(node -> "[\"id" + node + "\",\"n" + node + "\",\"" + host(node) + "\"]")
                    .collect(Collectors.joining(","));
        }
        if (asked.contains("sys.cluster")) {
            return "[\"id" + up[0] + "\"]";
        }
        boolean health = asked.contains("sys.health");
        for (int node : up) {
            if (says(node, health ? "/behind" : "/look")) {
                return health ? "[2]" : "[\"n" + node + "\",\"INITIALIZING\",\"INDEX\",\"PEER\"]";
            }
        }
        return health ? "[" + (up.length < NODES ? 2 : 1) + "]" : "";
    }
}
