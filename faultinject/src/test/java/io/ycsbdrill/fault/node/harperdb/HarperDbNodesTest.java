package io.ycsbdrill.fault.node.harperdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers that answer as HarperDB's operations API does. Nothing of HarperDB is started, or needed. */
@Timeout(120)
class HarperDbNodesTest {
    private static final String WAITING = "\"connected\":true,\"lastReceivedStatus\":\"Waiting\"";
    private static final String GONE = "\"connected\":false,\"lastReceivedStatus\":\"Waiting\"";
    private static final String BEHIND = "\"connected\":true,\"lastReceivedStatus\":\"Receiving\","
            + "\"lastReceivedRemoteTime\":\"Fri, 20 Nov 2020 15:14:27 GMT\"";

    private final List<HttpServer> servers = new ArrayList<>();
    /** What each node says of its one peer; nothing when it is down. */
    private final Map<String, String> sockets = new ConcurrentHashMap<>(Map.of("n1", WAITING, "n2", WAITING));

    /** Whether they answer as Harper's open-source version does, which does not replicate. */
    private volatile boolean alone;

    @BeforeEach
    void start() throws IOException {
        for (String name : List.of("n1", "n2")) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> answer(name, exchange));
            server.start();
            servers.add(server);
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private void answer(String name, HttpExchange exchange) throws IOException {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String socket = sockets.get(name);
        if (socket == null) {
            exchange.close();
            return;
        }
        boolean known = "Basic dTpw".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && asked.equals("{\"operation\":\"cluster_status\"}");
        if (known && alone) {
            send(exchange, 400, "{\"error\":\"Operation 'cluster_status' not found\"}");
            return;
        }
        String peer = name.equals("n1") ? "n2" : "n1";
        send(
                exchange,
                known ? 200 : 401,
                known
                        ? "{\"type\":\"cluster-status\",\"connections\":[{\"url\":\"ws://" + peer
                                + ":9933\",\"name\":\""
                                + peer + "\",\"database_sockets\":[{\"database\":\"system\",\"connected\":false},"
                                + "{\"database\":\"ycsb\"," + socket + ",\"nodes\":[\"" + peer + "\"]}]}],"
                                + "\"node_name\":\"" + name + "\",\"is_enabled\":true}"
                        : "{\"error\":\"Login failed\"}");
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private HarperDbNodes connected() {
        return connected(Map.of("Authorization", "Basic dTpw"));
    }

    private HarperDbNodes connected(Map<String, String> headers) {
        return HarperDbNodes.connect(new HttpServers(
                servers.stream()
                        .map(server -> "http://127.0.0.1:" + server.getAddress().getPort())
                        .toList(),
                headers,
                true,
                Optional.empty()));
    }

    private static void next(LinkedBlockingQueue<EngineEvent> events, Signal signal) throws InterruptedException {
        EngineEvent event = events.poll(60, TimeUnit.SECONDS);
        if (event != null && event.signal() == Signal.NOTE) {
            assertThat(event.text()).contains("cannot be reached from this client");
            event = events.poll(60, TimeUnit.SECONDS);
        }
        assertThat(event).returns("n2", EngineEvent::node).returns(signal, EngineEvent::signal);
    }

    @Test
    void theNodesTellTheirNamesAndStates() {
        try (HarperDbNodes cluster = connected()) {
            assertThat(cluster.nodes())
                    .containsExactly(new NodeInfo("n1", "127.0.0.1", 0), new NodeInfo("n2", "127.0.0.1", 0));
            assertThat(cluster.primary()).isEmpty();
            assertThat(cluster.capability(Killable.class)).isEmpty();
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.STARTED);

            sockets.put("n2", BEHIND);
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.STARTING);
            sockets.remove("n2");
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.UNKNOWN);
            sockets.put("n1", GONE);
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.DOWN);
        }
    }

    @Test
    void aNodeThatComesBackCatchesUpAndIsWholeWhenItHasReceivedAll() throws Exception {
        LinkedBlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
        try (HarperDbNodes cluster = connected()) {
            cluster.listen(events::add);
            sockets.remove("n2");
            next(events, Signal.NODE_DOWN);
            sockets.put("n1", GONE);
            next(events, Signal.FAILURE_HANDLED);
            sockets.put("n2", GONE);
            next(events, Signal.PROCESS_STARTED);
            sockets.putAll(Map.of("n1", WAITING, "n2", BEHIND));
            next(events, Signal.SYNCHRONISE_STARTED);
            sockets.put("n2", WAITING);
            next(events, Signal.RECOVERED);
        }
    }

    @Test
    void aNodeThatWasEmptiedIsWholeWhenTheCopyIsOver() throws Exception {
        LinkedBlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
        try (HarperDbNodes cluster = connected()) {
            cluster.listen(events::add);
            sockets.remove("n2");
            next(events, Signal.NODE_DOWN);
            sockets.put("n1", WAITING + ",\"sendingMessage\":\"Copying\"");
            sockets.put("n2", WAITING);
            next(events, Signal.PROCESS_STARTED);
            assertThat(events.poll(60, TimeUnit.SECONDS))
                    .returns(Signal.SYNCHRONISE_STARTED, EngineEvent::signal)
                    .returns("it is receiving a copy of all data", EngineEvent::text);
            sockets.put("n1", WAITING + ",\"sendingMessage\":\"Fri, 20 Nov 2026 15:18:20 GMT\"");
            next(events, Signal.RECOVERED);
        }
    }

    @Test
    void aServerThatDoesNotReplicateIsWatchedByItself() throws Exception {
        alone = true;
        sockets.remove("n1");
        LinkedBlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
        String only = "http://localhost:" + servers.get(1).getAddress().getPort();
        try (HarperDbNodes server = HarperDbNodes.connect(
                new HttpServers(List.of(only), Map.of("Authorization", "Basic dTpw"), true, Optional.empty()))) {
            assertThat(server.nodes()).containsExactly(new NodeInfo("localhost", "localhost", 0));
            assertThat(server.status()).extracting(NodeStatus::state).containsExactly(State.STARTED);
            server.listen(event -> {
                if (event.signal() != Signal.NOTE) {
                    events.add(event);
                }
            });
            sockets.remove("n2");
            assertThat(events.poll(60, TimeUnit.SECONDS))
                    .returns("localhost", EngineEvent::node)
                    .returns(Signal.NODE_DOWN, EngineEvent::signal);
            sockets.put("n2", WAITING);
            assertThat(events.poll(60, TimeUnit.SECONDS)).returns(Signal.PROCESS_STARTED, EngineEvent::signal);
            assertThat(events.poll(60, TimeUnit.SECONDS))
                    .returns(Signal.RECOVERED, EngineEvent::signal)
                    .returns("it answers, and does not replicate", EngineEvent::text);
        }
    }

    @Test
    void severalServersThatDoNotReplicateAreNoCluster() {
        alone = true;
        assertThatThrownBy(this::connected)
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("does not replicate")
                .hasMessageContaining("name one server only");
    }

    @Test
    void whatKeepsTheDrillFromStartingIsExplained() {
        assertThatThrownBy(() -> connected(Map.of()))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("set rest.user and rest.password");
        sockets.remove("n2");
        assertThatThrownBy(this::connected)
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("operations API does not say which node it is at http://127.0.0.1:"
                        + servers.get(1).getAddress().getPort())
                .hasMessageContaining("all nodes must be up");
    }
}
