package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectorTest {
    private final FakeDriver.Host host = new FakeDriver.Host();

    @BeforeEach
    void start() {
        FakeDriver.HOSTS.put("limits", host);
    }

    @AfterEach
    void end() {
        FakeDriver.HOSTS.remove("limits");
    }

    /** Its property counts in whole seconds. */
    @Test
    void aPostgresqlConnectionWaitsNoLongerThanTheProperty() throws Exception {
        connect("jdbc:postgresql://limits/ycsb");

        assertThat(host.networkTimeouts).containsExactly(1500);
        assertThat(host.lastProperties).containsEntry("socketTimeout", "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"socketTimeout=120", "socketTimeout=0"})
    void aTimeLimitInTheUrlTakesPrecedence(String parameter) throws Exception {
        connect("jdbc:postgresql://limits/ycsb?ApplicationName=a&" + parameter);

        assertThat(host.networkTimeouts).isEmpty();
        assertThat(host.lastProperties).doesNotContainKey("socketTimeout");
    }

    private static void connect(String url) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("db.url", url);
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("db.socket.timeout", "1500ms");
        JdbcSettings settings = JdbcSettings.of(properties, Map.of());
        try (Connection connection = new Connector(settings).open(settings.url(0))) {
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }
}
