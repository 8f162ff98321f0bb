package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GaleraNodesTest {
    /** What each server says of itself, by {@code host:port}; others do not answer. */
    private final Map<String, Map<String, String>> servers = new HashMap<>();

    @Test
    void eachHostIsReadByItselfAfterItHasAppliedWhatWasCommitted() throws SQLException {
        member("a:1", "node1", 3);
        member("b:2", "node2", 3);
        member("c:3", "node3", 3);

        Nodes nodes = nodes("jdbc:mysql://%s/ycsb?useSSL=false", "a:1", "b:2", "c:3");

        assertThat(nodes.reason()).isEmpty();
        assertThat(nodes.copies()).isEqualTo(3);
        assertThat(nodes.nodes()).extracting(Node::name).containsExactly("node1", "node2", "node3");
        assertThat(nodes.nodes().get(1).properties())
                .containsEntry("db.hosts", "b:2")
                .containsEntry("db.table.create", "false")
                .containsEntry("db.url", "jdbc:mysql://b:2/ycsb?useSSL=false&sessionVariables=wsrep_sync_wait=1");
    }

    @Test
    void aHostThatIsDownIsANodeAllTheSame() throws SQLException {
        member("a:1", "node1", 2);
        member("c:3", "node3", 2);

        Nodes nodes = nodes("jdbc:mysql://%s/ycsb", "a:1", "b:2", "c:3");

        assertThat(nodes.nodes()).extracting(Node::name).containsExactly("node1", "b:2", "node3");
        assertThat(nodes.copies()).isEqualTo(3);
    }

    @Test
    void behindAProxyTheClusterNamesItsNodes() throws SQLException {
        member("10.0.0.1:3306", "node1", 2);
        member("10.0.0.2:3306", "node2", 2);
        servers.put("proxy:6033", servers.get("10.0.0.2:3306"));

        Nodes nodes = nodes("jdbc:mariadb://%s/ycsb?sessionVariables=a=1", "proxy:6033");

        assertThat(nodes.nodes()).extracting(Node::name).containsExactly("node1", "node2");
        assertThat(nodes.nodes().get(0).properties())
                .containsEntry("db.hosts", "10.0.0.1:3306")
                .containsEntry("db.url", "jdbc:mariadb://10.0.0.1:3306/ycsb?sessionVariables=wsrep_sync_wait=1,a=1");
    }

    /** Which counts as a member, and has neither rows nor an address. */
    @Test
    void anArbitratorIsNoNode() throws SQLException {
        member("a:1", "node1", 3, ",a:1,b:2");
        member("b:2", "node2", 3, ",a:1,b:2");

        Nodes nodes = nodes("jdbc:mysql://%s/ycsb", "a:1", "b:2");

        assertThat(nodes.reason()).isEmpty();
        assertThat(nodes.copies()).isEqualTo(2);
        assertThat(nodes.nodes()).extracting(Node::name).containsExactly("node1", "node2");
    }

    @Test
    void anArbitratorIsNoNodeBehindAProxyEither() throws SQLException {
        for (String addresses : List.of(",a:1,b:2", "a:1,,b:2", "a:1,b:2,")) {
            member("a:1", "node1", 3, addresses);
            member("b:2", "node2", 3, addresses);
            servers.put("proxy:6033", servers.get("a:1"));

            Nodes nodes = nodes("jdbc:mysql://%s/ycsb", "proxy:6033");

            assertThat(nodes.reason()).isEmpty();
            assertThat(nodes.copies()).isEqualTo(2);
            assertThat(nodes.nodes()).extracting(Node::name).containsExactly("node1", "node2");
        }
    }

    @Test
    void oneOfTwoNodesBesideAnArbitratorIsNotAll() throws SQLException {
        member("a:1", "node1", 3, ",a:1,b:2");
        member("b:2", "node2", 3, ",a:1,b:2");

        assertThat(nodes("jdbc:mysql://%s/ycsb", "a:1").nodes())
                .extracting(Node::name)
                .containsExactly("node1", "node2");
    }

    /** Which has no address among those that the cluster names, as an arbitrator has none. */
    @Test
    void aNodeThatTakesClientsOfItsOwnHostOnlyIsNoArbitrator() throws SQLException {
        for (String own : List.of("AUTO", "")) {
            for (String bound : List.of("127.0.0.1", "::1", "localhost", "127.0.0.1,10.0.0.5")) {
                for (String addresses : List.of(",b:2", "b:2,", ",b:2,c:3", ",")) {
                    member("a:1", "node1", addresses.split(",", -1).length, addresses);
                    member("b:2", "node2", addresses.split(",", -1).length, addresses);
                    member("c:3", "node3", addresses.split(",", -1).length, addresses);
                    loopback("a:1", own, bound);

                    Nodes nodes = nodes("jdbc:mysql://%s/ycsb", "a:1");

                    assertThat(nodes.nodes()).as(addresses).isEmpty();
                    assertThat(nodes.reason()).contains("=" + addresses + ")", "name the nodes by db.hosts");
                }
            }
        }
    }

    @Test
    void nodesThatTakeClientsOfTheirOwnHostOnlyAreReadWhenAllAreNamed() throws SQLException {
        member("a:1", "node1", 2, ",b:2");
        member("b:2", "node2", 2, ",b:2");
        loopback("a:1", "AUTO", "127.0.0.1");

        assertThat(nodes("jdbc:mysql://%s/ycsb", "a:1", "b:2").nodes())
                .extracting(Node::name)
                .containsExactly("node1", "node2");
        assertThat(nodes("jdbc:mysql://%s/ycsb", "a:1", "a:1").reason()).contains("name the nodes by db.hosts");
    }

    @Test
    void aNodeOfItsOwnHostOnlyThatNamesAnAddressIsNotTheOneWithout() throws SQLException {
        member("a:1", "node1", 3, ",a:1,b:2");
        member("b:2", "node2", 3, ",a:1,b:2");
        loopback("a:1", "a:1", "127.0.0.1");

        assertThat(nodes("jdbc:mysql://%s/ycsb", "a:1", "b:2").nodes())
                .extracting(Node::name)
                .containsExactly("node1", "node2");
    }

    @Test
    void twoProxiesAreNotTakenForTwoNodes() throws SQLException {
        member("10.0.0.1:3306", "node1", 2);
        member("10.0.0.2:3306", "node2", 2);
        servers.put("p1:1", servers.get("10.0.0.1:3306"));
        servers.put("p2:1", servers.get("10.0.0.1:3306"));

        assertThat(nodes("jdbc:mysql://%s/ycsb", "p1:1", "p2:1").nodes())
                .extracting(Node::name)
                .containsExactly("node1", "node2");
    }

    @Test
    void nodesThatCannotBeReachedFromHereAreNotCompared() throws SQLException {
        member("10.0.0.1:3306", "node1", 2);
        servers.put("proxy:1", servers.remove("10.0.0.1:3306"));

        Nodes nodes = nodes("jdbc:mysql://%s/ycsb", "proxy:1");

        assertThat(nodes.nodes()).isEmpty();
        assertThat(nodes.reason()).contains("10.0.0.1:3306,10.0.0.2:3306", "name the nodes by db.hosts");
    }

    @Test
    void otherServersAreNotKnownToHaveAllRows() throws SQLException {
        servers.put("a:1", Map.of());

        assertThat(nodes("jdbc:mysql://%s/ycsb", "a:1").reason()).contains("a:1 is not a node of a Galera cluster");
        assertThat(nodes("jdbc:postgresql://%s/ycsb", "a:1").reason()).contains("Galera");
        assertThat(nodes("jdbc:mysql://%s,b:2/ycsb", "a:1").reason()).contains("name them by db.hosts");
        assertThatThrownBy(() -> nodes("jdbc:mysql://%s/ycsb", "nowhere:1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("nowhere:1 does not answer");
    }

    private void member(String host, String name, int size) {
        member(host, name, size, "10.0.0.1:3306,10.0.0.2:3306");
    }

    private void member(String host, String name, int size, String addresses) {
        servers.put(
                host,
                Map.of(
                        "wsrep_on",
                        "ON",
                        "wsrep_node_name",
                        name,
                        "wsrep_gcomm_uuid",
                        "uuid of " + name,
                        "wsrep_cluster_size",
                        Integer.toString(size),
                        "wsrep_incoming_addresses",
                        addresses));
    }

    /** @param own address that the server names to the cluster */
    private void loopback(String host, String own, String bound) {
        Map<String, String> told = new HashMap<>(servers.get(host));
        told.put("wsrep_node_incoming_address", own);
        told.put("bind_address", bound);
        servers.put(host, told);
    }

    private Nodes nodes(String url, String... hosts) throws SQLException {
        List<JdbcUrl> urls =
                Stream.of(hosts).map(host -> new JdbcUrl(url.formatted(host))).toList();
        return new GaleraNodes(urls, asked -> {
                    if (!servers.containsKey(asked.host())) {
                        throw new SQLException(asked.host() + " does not answer");
                    }
                    return servers.get(asked.host());
                })
                .nodes();
    }
}
