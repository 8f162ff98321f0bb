package io.ycsbdrill.fault.node.ndb.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The answers are those of a real management server, byte for byte. */
class MgmClientTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String VERSION_SET = "set clientversion reply\nresult: Ok\n\n";

    private static EventLoopGroup loop;

    @BeforeAll
    static void startLoop() {
        loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    @AfterAll
    static void stopLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void versionAndStatusAreRead() throws IOException {
        try (ScriptedMgmd server = server(request -> switch (request.get(0)) {
            case "get version" ->
                "version\nid: 591618\nmajor: 9\nminor: 7\nbuild: 2\nstring: mysql-9.7.2 ndb-9.7.2\nmysql_major: 9\nmysql_minor: 7\nmysql_build: 2\n\n";
            default -> """
                node status
                nodes: 2
                node.3.type: NDB
                node.3.status: STARTING
                node.3.version: 591618
                node.3.mysql_version: 591618
                node.3.startphase: 5
                node.3.dynamic_id: 0
                node.3.node_group: -1
                node.3.connect_count: 0
                node.3.address: 127.0.0.1
                node.1.type: NDB
                node.1.status: STARTED
                node.1.version: 591618
                node.1.mysql_version: 591618
                node.1.startphase: 0
                node.1.dynamic_id: 1
                node.1.node_group: 0
                node.1.connect_count: 0
                node.1.address: 127.0.0.1
                node.1.is_single_user: 0

                """;
        })) {
            MgmClient client = client(server.address());

            assertThat(client.version()).isEqualTo("mysql-9.7.2 ndb-9.7.2");
            assertThat(client.dataNodes())
                    .containsExactly(
                            new MgmNode(1, "NDB", "STARTED", 0, 1, 0, "127.0.0.1", 591618),
                            new MgmNode(3, "NDB", "STARTING", 5, 0, -1, "127.0.0.1", 591618));
            assertThat(client.dataNodes().get(1).detail()).isEqualTo("STARTING (start phase 5)");
            assertThat(server.requests).contains(List.of("get status", "types: NDB"));
        }
    }

    @Test
    void ordersAreWrittenAsTheServerReadsThem() throws IOException {
        try (ScriptedMgmd server = server(request -> switch (request.get(0)) {
            case "stop v2" -> "stop reply\nresult: Ok\nstopped: 1\ndisconnect: 0\n\n";
            case "restart node v2" -> "restart reply\nresult: Ok\nrestarted: 1\ndisconnect: 0\n\n";
            default -> "start reply\nresult: Ok\n\n";
        })) {
            MgmClient client = client(server.address());

            client.stop(2, true, BOUND);
            client.restart(3, false, true, true, BOUND);
            client.start(1, BOUND);

            assertThat(server.requests)
                    .filteredOn(r -> !r.get(0).equals("set clientversion"))
                    .containsExactly(
                            List.of("stop v2", "node: 2", "abort: 1", "force: 0"),
                            List.of(
                                    "restart node v2",
                                    "node: 3",
                                    "abort: 0",
                                    "initialstart: 1",
                                    "nostart: 1",
                                    "force: 0"),
                            List.of("start", "node: 1"));
        }
    }

    @Test
    void aBackupIsAskedForByItsNumberOrWithoutOne() throws IOException {
        try (ScriptedMgmd server = server(request -> request.size() == 3
                ? "start backup reply\nresult: Ok\nid: 4\n\n"
                : "start backup reply\nresult: Backup 9 exists\n\n")) {
            MgmClient client = client(server.address());

            assertThat(client.backUp(0, BOUND)).isEqualTo(4);
            assertThatThrownBy(() -> client.backUp(9, BOUND)).hasMessage("the backup failed: Backup 9 exists");

            assertThat(server.requests)
                    .contains(
                            List.of("start backup", "completed: 2", "backuppoint: 0"),
                            List.of("start backup", "completed: 2", "backuppoint: 0", "backupid: 9"));
        }
    }

    @Test
    void oneClientIsLeftAloneWithTheCluster() throws IOException {
        try (ScriptedMgmd server = server(request -> request.get(0)
                + (request.contains("nodeId: 1")
                        ? " reply\nresult: Node 1 is no API node\n\n"
                        : " reply\nresult: Ok\n\n"))) {
            MgmClient client = client(server.address());

            client.enterSingleUser(211, BOUND);
            client.exitSingleUser(BOUND);
            assertThatThrownBy(() -> client.enterSingleUser(1, BOUND))
                    .hasMessage(
                            "management server refused to let only API node 1 use the cluster: Node 1 is no API node");

            assertThat(server.requests)
                    .contains(List.of("enter single user", "nodeId: 211"), List.of("exit single user"));
        }
    }

    @Test
    void refusalIsToldInTheServersWords() throws IOException {
        try (ScriptedMgmd server = server(
                request ->
                        "stop reply\nresult: Node shutdown would cause system crash: Permanent error: Application error\nstopped: 0\ndisconnect: 0\n\n")) {
            assertThatThrownBy(() -> client(server.address()).stop(2, false, BOUND))
                    .isInstanceOf(MgmException.class)
                    .hasMessage("management server refused to stop node 2: Node shutdown would cause system crash:"
                            + " Permanent error: Application error");
        }
    }

    @Test
    void commandThatTheServerDoesNotKnowIsToldSo() throws IOException {
        try (ScriptedMgmd server = server(request -> "result: Unknown command, 'start'\n\n")) {
            assertThatThrownBy(() -> client(server.address()).start(2, BOUND))
                    .hasMessageContaining("Unknown command, 'start'");
        }
    }

    @Test
    void clusterThatRequiresTlsIsToldSo() throws IOException {
        try (ScriptedMgmd server = new ScriptedMgmd(request -> "Authorization failed\nError: requires TLS\n\n")) {
            assertThatThrownBy(() -> client(server.address()).dataNodes())
                    .isInstanceOf(MgmException.class)
                    .hasMessageContaining("requires TLS")
                    .hasMessageContaining(server.address());
        }
    }

    @Test
    void nextServerIsAskedWhenTheFirstCannotBeReached() throws IOException {
        try (ScriptedMgmd server = server(request -> "start reply\nresult: Ok\n\n")) {
            client(unusedAddress() + "," + server.address()).start(1, BOUND);

            assertThat(server.requests).contains(List.of("start", "node: 1"));
        }
    }

    @Test
    void noServerAtAllNamesThemAll() throws IOException {
        String first = unusedAddress();
        assertThatThrownBy(() -> client(first).version())
                .isInstanceOf(MgmException.class)
                .hasMessageStartingWith("no management server of " + first + " can be reached: ");
    }

    /** An order that was sent may have been carried out: it must not go to the next server as well. */
    @Test
    void orderWithoutAnswerIsNotSentAgain() throws IOException {
        try (ScriptedMgmd first = server(request -> null);
                ScriptedMgmd second = server(request -> "stop reply\nresult: Ok\nstopped: 1\n\n")) {
            assertThatThrownBy(() ->
                            client(first.address() + "," + second.address()).stop(2, false, BOUND))
                    .hasMessageContaining("closed the connection before it answered \"stop v2\"");
            assertThat(second.requests).isEmpty();
        }
    }

    @Test
    void afterAServerThatDidNotAnswerTheNextIsAsked() throws IOException {
        try (ScriptedMgmd first =
                        server(request -> request.get(0).equals("stop v2") ? "" : "start reply\nresult: Ok\n\n");
                ScriptedMgmd second = server(request -> "start reply\nresult: Ok\n\n")) {
            MgmClient client = client(first.address() + "," + second.address());
            assertThatThrownBy(() -> client.stop(2, false, Duration.ofMillis(500)))
                    .hasMessageContaining("did not answer \"stop v2\"");

            client.start(1, BOUND);

            assertThat(first.requests).doesNotContain(List.of("start", "node: 1"));
            assertThat(second.requests).contains(List.of("start", "node: 1"));
        }
    }

    @Test
    void thePreferredServerIsAskedFirst() throws IOException {
        try (ScriptedMgmd first = server(request -> "start reply\nresult: Ok\n\n");
                ScriptedMgmd second = server(request -> "start reply\nresult: Ok\n\n")) {
            MgmClient client = client(first.address() + "," + second.address());
            client.prefer(client.servers().servers().get(1));

            client.start(1, BOUND);

            assertThat(first.requests).isEmpty();
            assertThat(second.requests).contains(List.of("start", "node: 1"));
        }
    }

    @Test
    void silenceEndsAtTheBound() throws IOException {
        try (ScriptedMgmd server = server(request -> "")) {
            assertThatThrownBy(() -> client(server.address()).stop(2, false, Duration.ofSeconds(2)))
                    .hasMessageContaining("did not answer \"stop v2\" within 2000 ms");
        }
    }

    private static ScriptedMgmd server(Function<List<String>, String> script) throws IOException {
        return new ScriptedMgmd(
                request -> request.get(0).equals("set clientversion") ? VERSION_SET : script.apply(request));
    }

    private static MgmClient client(String servers) {
        return new MgmClient(ConnectString.parse(servers), loop);
    }

    /** A port that was free a moment ago. */
    private static String unusedAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
