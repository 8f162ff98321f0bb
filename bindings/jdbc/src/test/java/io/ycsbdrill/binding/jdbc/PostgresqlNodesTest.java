package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.lang.reflect.InvocationHandler;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PostgresqlNodesTest {
    private static final Duration SETTLE = Duration.ofSeconds(30);

    /** The cluster that each server says it belongs to, by {@code host:port}; others do not answer. */
    private final Map<String, Optional<String>> servers = new HashMap<>();

    @Test
    void aPrimaryAndItsStandbysHaveAllRowsEach() throws SQLException {
        servers.put("a:1", Optional.of("77"));
        servers.put("b:2", Optional.of("77"));

        Nodes nodes = nodes("a:1", "b:2");

        assertThat(nodes.reason()).isEmpty();
        assertThat(nodes.copies()).isEqualTo(2);
        assertThat(nodes.settle()).isEqualTo(SETTLE);
        assertThat(nodes.nodes()).extracting(Node::name).containsExactly("a:1", "b:2");
        assertThat(nodes.nodes().get(1).properties())
                .containsEntry("db.hosts", "b:2")
                .containsEntry("db.reads", "any")
                .containsEntry("db.table.create", "false");
    }

    @Test
    void aServerThatIsDownIsANodeAllTheSame() throws SQLException {
        servers.put("b:2", Optional.of("77"));

        assertThat(nodes("a:1", "b:2").nodes()).extracting(Node::name).containsExactly("a:1", "b:2");
    }

    @Test
    void serversOfSeveralClustersAreNoCopiesOfEachOther() throws SQLException {
        servers.put("a:1", Optional.of("77"));
        servers.put("b:2", Optional.of("78"));

        assertThat(nodes("a:1", "b:2").reason()).contains("2 system identifiers");
    }

    @Test
    void oneServerMayBeAProxy() throws SQLException {
        servers.put("a:1", Optional.of("77"));

        assertThat(nodes("a:1").reason()).contains("may be a proxy").contains("db.hosts");
    }

    @Test
    void whatOnlySpeaksTheProtocolIsNotKnown() throws SQLException {
        servers.put("a:1", Optional.empty());

        assertThat(nodes("a:1", "b:2").reason()).contains("PostgreSQL primary and its standbys");
    }

    @Test
    void silenceOfAllIsSaid() {
        assertThatThrownBy(() -> nodes("a:1", "b:2"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("b:2");
    }

    private Nodes nodes(String... hosts) throws SQLException {
        List<JdbcUrl> urls = Stream.of(hosts)
                .map(host -> new JdbcUrl("jdbc:postgresql://" + host + "/ycsb"))
                .toList();
        return new PostgresqlNodes(
                        urls,
                        url -> {
                            if (!servers.containsKey(url.host())) {
                                throw new SQLException(url.host() + " refused");
                            }
                            return servers.get(url.host());
                        },
                        SETTLE)
                .nodes();
    }

    /** What PostgreSQL's driver adds to a connection. */
    interface WithPid extends Connection {
        int getBackendPID();
    }

    private static boolean direct(int told, int backend, Optional<String> poolError) throws SQLException {
        InvocationHandler statement = (self, method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            if (arguments[0].equals("SHOW pool_version")) {
                if (poolError.isPresent()) {
                    throw new SQLException("unrecognized", poolError.get());
                }
                return true;
            }
            return FakeDriver.proxy(ResultSet.class, (row, asked, none) -> switch (asked.getName()) {
                case "next" -> true;
                case "getInt" -> backend;
                default -> null;
            });
        };
        return PostgresqlNodes.direct(FakeDriver.proxy(
                WithPid.class,
                (self, method, arguments) -> method.getName().equals("getBackendPID")
                        ? (Object) told
                        : FakeDriver.proxy(Statement.class, statement)));
    }

    @Test
    void aProxyThatKnowsStatementsIsNoServer() throws SQLException {
        assertThat(direct(7, 7, Optional.of("42704"))).as("the server itself").isTrue();
        assertThat(direct(7, 8, Optional.of("42704"))).as("a pooler").isFalse();
        assertThat(direct(7, 7, Optional.empty())).as("pgpool-II").isFalse();
        assertThat(direct(7, 7, Optional.of("08006"))).as("nobody knows").isFalse();
    }
}
