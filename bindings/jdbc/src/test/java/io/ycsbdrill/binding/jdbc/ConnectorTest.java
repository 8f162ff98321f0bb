package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

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

    @Test
    void whatTheNetworkSaidIsNamed() throws Exception {
        host.connectFailures.add(new SQLException(
                "Communications link failure\n\nThe last packet", "08S01", new ConnectException("Connection refused")));
        JdbcSettings settings = JdbcSettings.of(properties("jdbc:mysql://limits/ycsb"), Map.of());

        assertThatThrownBy(() -> new TableSetup(settings).ensure(new Connector(settings)))
                .hasMessageEndingWith("Communications link failure (Connection refused)");
    }

    @ParameterizedTest
    @CsvSource({
        "28000, 1045, '', ' (db.user is not set)'",
        "28000, 1045, ann, ' (check db.user=ann and its password, db.passwd.file)'",
        "08004, 1251, ann, ' (check db.user=ann and its password, db.passwd.file)'",
        "28P01, 0, ann, ' (check db.user=ann and its password, db.passwd.file)'",
        "08S01, 2003, ann, ''",
    })
    void aRefusedLoginSaysWhatToCheck(String state, int code, String user, String hint) throws Exception {
        host.connectFailures.add(new SQLException("the driver's words", state, code));
        Properties properties = properties("jdbc:mysql://limits/ycsb");
        if (!user.isEmpty()) {
            properties.setProperty("db.user", user);
        }
        JdbcSettings settings = JdbcSettings.of(properties, Map.of());

        assertThatThrownBy(() -> new TableSetup(settings).ensure(new Connector(settings)))
                .isInstanceOf(DBException.class)
                .hasMessage("no server can be used; jdbc:mysql://limits/ycsb: the driver's words" + hint);
    }

    private static void connect(String url) throws Exception {
        JdbcSettings settings = JdbcSettings.of(properties(url), Map.of());
        try (Connection connection = new Connector(settings).open(settings.url(0))) {
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }

    private static Properties properties(String url) {
        Properties properties = new Properties();
        properties.setProperty("db.url", url);
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("db.socket.timeout", "1500ms");
        return properties;
    }
}
