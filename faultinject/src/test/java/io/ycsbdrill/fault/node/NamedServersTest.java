package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamedServersTest {

    @Test
    void serverIsUpWhileItAcceptsConnections() throws Exception {
        int closed;
        try (ServerSocket two = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            closed = two.getLocalPort();
        }
        try (ServerSocket one = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            NamedServers servers =
                    NamedServers.of("jdbc", List.of("127.0.0.1:" + one.getLocalPort(), "127.0.0.1:" + closed));

            assertThat(servers.nodes())
                    .extracting(NodeInfo::id, NodeInfo::host)
                    .containsExactly(tuple("server1", "127.0.0.1"), tuple("server2", "127.0.0.1"));
            assertThat(servers.status())
                    .extracting(NodeStatus::state)
                    .containsExactly(NodeStatus.State.STARTED, NodeStatus.State.DOWN);
            assertThat(servers.status().get(1).detail()).contains("accepts no connection at 127.0.0.1:");
        }
    }

    @Test
    void serverWithoutPortIsRefused() {
        assertThatThrownBy(() -> NamedServers.of("jdbc", List.of("db1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("server \"db1\" is not host:port");
    }
}
