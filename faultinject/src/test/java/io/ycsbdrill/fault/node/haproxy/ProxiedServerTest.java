package io.ycsbdrill.fault.node.haproxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProxiedServerTest {

    @Test
    void answerIsReadByTheNamesOfItsColumns() {
        String csv = """
                # pxname,svname,scur,stot,status,check_status,last_chk,
                sql,node1,2,17,UP,L7OK,"fine, thanks",
                sql,node2,1,9,UP 1/2,L4CON,,
                sql,node3,0,4,DOWN 1/2,* L7OK,,

                """;

        assertThat(ProxiedServer.parse(csv))
                .containsExactly(
                        new ProxiedServer("node1", true, true, 2, 17),
                        new ProxiedServer("node2", true, false, 1, 9),
                        new ProxiedServer("node3", false, true, 0, 4));
        assertThat(ProxiedServer.parse(csv))
                .extracting(ProxiedServer::toString)
                .containsExactly("node1 up, 2 connections", "node2 up, 1 connection", "node3 down, 0 connections");
    }

    @Test
    void nobodyThereIsNoServer() {
        assertThat(ProxiedServer.ask(Path.of("/nowhere/haproxy.sock"))).isEmpty();
        assertThat(ProxiedServer.parse("")).isEmpty();
    }
}
