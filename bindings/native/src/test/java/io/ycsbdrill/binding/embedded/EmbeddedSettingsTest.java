package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

class EmbeddedSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Nodes of one machine, and one that was added.
                "127.0.0.1:7001,127.0.0.1:7002   | 127.0.0.1              | 7002 | 127.0.0.1:7002",
                "127.0.0.1:7001,127.0.0.1:7002   | 127.0.0.1              | 7003 | 127.0.0.1:7003",
                // Each node in a network of its own, and one that was added.
                "10.99.0.1:7001,10.99.0.2:7002   | 10.99.0.2              | 7002 | 10.99.0.2:7002",
                "10.99.0.1:7001,10.99.0.2:7002   | 10.99.0.3              | 7003 | 10.99.0.3:7003",
                // One of its addresses nobody can reach.
                "10.99.0.1:7001,10.99.0.2:7002   | 172.17.0.1 10.99.0.2   | 7003 | 10.99.0.2:7003",
                // By name.
                "localhost:7001,localhost:7002   | 127.0.0.1              | 7002 | localhost:7002",
                "[::1]:7001,[::1]:7002           | 0:0:0:0:0:0:0:1        | 7002 | [::1]:7002",
                "db1:7001,db2:7002               | ''                     | 7003 | db1:7003",
            })
    void nodeIsReachedAtItsOwnAddress(String endpoints, String addresses, int port, String expected)
            throws DBException {
        assertThat(settings(endpoints)
                        .endpointOf(addresses.isEmpty() ? List.of() : List.of(addresses.split(" ")), port))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.99.0.1:7001,10.99.0.2:7001", "a:1,b:2,a:1"})
    void nodesAreToldApartByTheirPorts(String endpoints) {
        assertThatThrownBy(() -> settings(endpoints))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("embedded.endpoints=" + endpoints + ": expected a port of its own for each node");
    }

    @ParameterizedTest
    @ValueSource(strings = {"db1", "db1:0", "db1:70000", "db1:7001/x", "db1:7001?x"})
    void anEndpointIsAHostAndAPort(String endpoint) {
        assertThatThrownBy(() -> settings(endpoint))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("embedded.endpoints=" + endpoint + ": expected the nodes' client addresses");
    }

    private static EmbeddedSettings settings(String endpoints) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("embedded.endpoints", endpoints);
        return EmbeddedSettings.of(properties);
    }
}
