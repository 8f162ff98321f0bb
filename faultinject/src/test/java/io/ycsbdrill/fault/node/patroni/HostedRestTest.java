package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.EngineContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostedRestTest {
    private static final List<HostedNode> NODES = Inventory.parse(
                    "i.yaml",
                    "engine: patroni\ndefaults: {transport: ssh, data_directory: /srv/pg}\ndata_nodes: [{id: a, host: db1}, {id: b, host: db2}]\n",
                    List.of(new PatroniEngine()),
                    new Properties())
            .nodes();

    private static HttpServers of(Map<String, String> given) {
        Properties properties = new Properties();
        properties.putAll(given);
        return HostedRest.of(
                NODES, new EngineContext(properties, Map.of(), Path.of("/srv"), null, kind -> Optional.empty()));
    }

    @Test
    void eachNodeIsAskedAtItsHostByDefault() {
        HttpServers servers = of(Map.of());

        assertThat(servers.addresses()).containsExactly("http://db1:8008", "http://db2:8008");
        assertThat(servers.headers()).isEmpty();
        assertThat(servers.verify()).isTrue();
    }

    @Test
    void addressesMayBeGivenForEach() {
        assertThat(of(Map.of("patroni.rest", "https://{node}.example.org:1/")).addresses())
                .containsExactly("https://a.example.org:1", "https://b.example.org:1");
        assertThat(of(Map.of("patroni.rest", "http://x:1, http://x:2")).addresses())
                .containsExactly("http://x:1", "http://x:2");
        assertThat(of(Map.of("patroni.rest.ca", "ca.pem")).authority()).contains(Path.of("/srv/ca.pem"));
    }

    @Test
    void credentialsAreInNoText() {
        HttpServers servers = of(Map.of("patroni.rest.user", "u", "patroni.rest.password", "geheim"));

        assertThat(servers.headers()).containsEntry("Authorization", "Basic dTpnZWhlaW0=");
        assertThat(servers.toString()).doesNotContain("geheim", "dTpnZWhlaW0=");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://x:8008                     | two nodes have the same address
            http://x:1,http://x:2,http://x:3  | has 3 addresses, and data_nodes has 2
            db1:8008,db2:8008                 | expected http://HOST:PORT
            http://u:geheim@{host}:8008       | expected http://HOST:PORT
            http://{host}:8008/?a=b           | expected http://HOST:PORT
            """)
    void whatIsNoAddressIsRefused(String given, String expected) {
        assertThatThrownBy(() -> of(Map.of("patroni.rest", given)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("patroni.rest")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("geheim");
    }

    @Test
    void aPasswordWithoutAUserIsRefused() {
        assertThatThrownBy(() -> of(Map.of("patroni.rest.password", "geheim")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("patroni.rest.user")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void thePidFileIsInTheDataDirectoryThatCounts() {
        assertThat(NODES.get(0).pidFile()).isEqualTo("/srv/pg/postmaster.pid");
    }
}
