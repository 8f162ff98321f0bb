package io.ycsbdrill.fault.node.cratedb;

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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that answers as CrateDB's system tables do. */
@Timeout(60)
class CrateDbNodesTest {
    private static final String TWO_NODES = "[\"id1\",\"n1\",\"h1\"],[\"id2\",\"n2\",\"h2\"]";

    private HttpServer server;
    private Map<String, String> headers = Map.of();
    private volatile String password;
    private volatile String nodes = TWO_NODES;
    private volatile String severity = "1";
    private volatile String shards = "";
    private volatile String whole = "[\"GREEN\"]";
    private final List<String> told = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/_sql", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (password != null && !password.equals(given)) {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
            return;
        }
        String rows = null;
        if (asked.contains("version['number']")) {
            rows = "[\"6.4.3\"]";
        } else if (asked.contains("from sys.nodes")) {
            rows = nodes;
        } else if (asked.contains("from sys.cluster_health")) {
            rows = whole;
        } else if (asked.contains("from sys.cluster")) {
            rows = "[\"id1\"]";
        } else if (asked.contains("from sys.health")) {
            rows = "[" + severity + "]";
        } else if (asked.contains("from sys.shards")) {
            rows = shards;
        } else {
            told.add(asked);
        }
        boolean failed = "fail".equals(rows) || "unknown".equals(rows);
        byte[] body = ("unknown".equals(rows)
                        ? "{\"error\":{\"code\":4041,\"message\":\"RelationUnknown[Relation 'sys.cluster_health' unknown]\"}}"
                        : failed
                                ? "{\"error\":{\"code\":5000,\"message\":\"NodeNotConnectedException[[n2] Node not connected]\"}}"
                                : "{\"cols\":[],\"rows\":[" + rows + "],\"rowcount\":1,\"duration\":1.0}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(failed ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The first address refuses: another is asked. */
    private CrateDbNodes connected() {
        return CrateDbNodes.connect(new HttpServers(
                List.of(
                        "http://127.0.0.1:1",
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/"),
                headers,
                true,
                Optional.empty()));
    }

    @Test
    void theClusterTellsOfItsNodesAndItsMaster() {
        try (CrateDbNodes cluster = connected()) {
            assertThat(cluster.nodes()).containsExactly(new NodeInfo("n1", "h1", 0), new NodeInfo("n2", "h2", 0));
            assertThat(cluster.primary()).contains("n1");
            assertThat(cluster.engineVersion()).isEqualTo("6.4.3");
            assertThat(cluster.capability(Killable.class)).isEmpty();
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.STARTED);
        }
    }

    /** As after the loss of all nodes, while too few of them are back. */
    @Test
    void aClusterThatHasNotReadItsTablesHasNoNodeThatHasRecovered() {
        try (CrateDbNodes cluster = connected()) {
            severity = "null";
            whole = "[\"YELLOW\"]";
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTING, State.STARTING);
            assertThat(cluster.status().get(0).detail())
                    .isEqualTo("the state is not recovered: there are no tables yet");
            nodes = "[\"id1\",\"n1\",\"h1\"]";
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTING, State.DOWN);
            nodes = TWO_NODES;
            whole = "[\"GREEN\"]";
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
            whole = "fail";
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTING);
            whole = "unknown";
            assertThat(cluster.status())
                    .as("an older release")
                    .extracting(NodeStatus::state)
                    .containsOnly(State.STARTED);
        }
    }

    @Test
    void theStateOfANodeFollowsFromTheClustersHealth() {
        try (CrateDbNodes cluster = connected()) {
            severity = "2";
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTING, State.STARTING);

            nodes = "[\"id1\",\"n1\",\"h1\"]";
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.DOWN);
        }
    }

    @Test
    void listenersHearOfALostNodeAlsoWhileASystemTableFails() throws Exception {
        LinkedBlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
        try (CrateDbNodes cluster = connected()) {
            cluster.listen(events::add);
            shards = "fail";
            nodes = "[\"id1\",\"n1\",\"h1\"]";
            assertThat(events.poll(30, TimeUnit.SECONDS))
                    .returns("n2", EngineEvent::node)
                    .returns(Signal.NODE_DOWN, EngineEvent::signal);

            severity = "2";
            shards = "[null,\"UNASSIGNED\",null,null]";
            assertThat(events.poll(30, TimeUnit.SECONDS)).returns(Signal.FAILURE_HANDLED, EngineEvent::signal);

            shards = "[\"n2\",\"INITIALIZING\",\"INDEX\",\"PEER\"]";
            nodes = TWO_NODES;
            assertThat(events.poll(30, TimeUnit.SECONDS)).returns(Signal.PROCESS_STARTED, EngineEvent::signal);
            assertThat(events.poll(30, TimeUnit.SECONDS)).returns(Signal.SYNCHRONISE_STARTED, EngineEvent::signal);
            assertThat(events.poll(30, TimeUnit.SECONDS)).returns("PEER INDEX", EngineEvent::text);

            shards = "";
            severity = "1";
            assertThat(events.poll(30, TimeUnit.SECONDS)).returns(Signal.RECOVERED, EngineEvent::signal);
        }
    }

    @Test
    void onlyTheOrderItselfMakesAServerLeave() {
        String one = "http://127.0.0.1:" + server.getAddress().getPort();
        try (CrateDbNodes cluster =
                CrateDbNodes.local(HttpServers.open(List.of(one, "http://127.0.0.1:1")), List.of("n1", "n2"))) {
            cluster.allowDecommission("n2", 1, Duration.ofHours(24));
            assertThat(told).hasSize(2).allMatch(statement -> statement.contains("cluster.graceful_stop."));

            cluster.decommission("n2", 1);
            assertThat(told).hasSize(3);
            assertThat(told.get(2)).contains("alter cluster decommission 'n2'");
        }
    }

    @Test
    void aClusterThatNobodyAnswersForIsRefused() {
        assertThatThrownBy(() -> CrateDbNodes.connect(HttpServers.open(List.of("http://127.0.0.1:1"))))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no server of CrateDB answers")
                .hasMessageContaining("127.0.0.1:1");
    }

    @Test
    void aClusterThatAsksForAPasswordIsToldIt() {
        password = "Basic dTpw";

        assertThatThrownBy(this::connected).hasMessageContaining("set rest.user and rest.password");
        headers = Map.of("Authorization", password);
        try (CrateDbNodes cluster = connected()) {
            assertThat(cluster.nodes()).hasSize(2);
        }
    }

    @Test
    void twoNodesOfTheSameNameCannotBeToldApart() {
        nodes = "[\"id1\",\"n\",\"h1\"],[\"id2\",\"n\",\"h2\"]";

        assertThatThrownBy(this::connected).hasMessageContaining("the same name");
    }
}
