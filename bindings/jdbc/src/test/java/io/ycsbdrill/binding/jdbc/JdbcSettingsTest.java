package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

class JdbcSettingsTest {
    private static final String URL = "jdbc:mysql://a:3306/ycsb";

    @Test
    void theStockBindingsPropertiesAreTaken() throws DBException {
        JdbcSettings settings = settings(
                "db.url", URL,
                "db.user", "u",
                "db.passwd", "p",
                "db.driver", "com.mysql.cj.jdbc.Driver",
                "db.batchsize", "1",
                "jdbc.autocommit", "false",
                "jdbc.fetchsize", "10",
                "jdbc.batchupdateapi", "false");

        assertThat(settings.urls()).containsExactly(URL);
        assertThat(settings.user()).isEqualTo("u");
        assertThat(settings.password().text()).isEqualTo("p");
        assertThat(settings.autoCommit()).isFalse();
        assertThat(settings.fetchSize()).isEqualTo(10);
    }

    @Test
    void hostsTakeTheServersPlaceInTheUrl() throws DBException {
        JdbcSettings settings = settings("db.url", URL + "?sslMode=DISABLED", "db.hosts", "b:1, [::1]:2");

        assertThat(settings.urls())
                .containsExactly(
                        "jdbc:mysql://b:1/ycsb?sslMode=DISABLED", "jdbc:mysql://[::1]:2/ycsb?sslMode=DISABLED");
    }

    @Test
    void aPasswordComesFromTheEnvironmentOrAFileAndIsNeverShown(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("pw"), "from file\n");

        JdbcSettings byFile = settings("db.url", URL, "db.passwd.file", file.toString());
        JdbcSettings byEnvironment =
                JdbcSettings.of(properties("db.url", URL, "db.passwd.env", "PW"), Map.of("PW", "from environment"));

        assertThat(byFile.password().text()).isEqualTo("from file");
        assertThat(byEnvironment.password().text()).isEqualTo("from environment");
        assertThat(byFile.toString() + byEnvironment).doesNotContain("from file", "from environment");
    }

    @Test
    void anEmptyPasswordIsAPassword() throws DBException {
        assertThat(settings("db.url", URL, "db.passwd", "").password().text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://u:hidden@a/ycsb", "jdbc:mysql://a/ycsb?password=hidden"})
    void credentialsInTheUrlAreRefusedAndNotShown(String url) {
        assertThatThrownBy(() -> settings("db.url", url))
                .hasMessageContaining("db.passwd.file")
                .hasMessageNotContaining("hidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql:loadbalance://a,b/ycsb", "jdbc:mysql:replication://a,b/ycsb"})
    void balancingWithServerPreparedStatementsAndManualCommitIsRefused(String url) throws DBException {
        assertThatThrownBy(() -> settings("db.url", url, "jdbc.autocommit", "false"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("lost");

        settings("db.url", url);
        settings("db.url", url + "?useServerPrepStmts=false", "jdbc.autocommit", "false");
    }

    @ParameterizedTest
    @CsvSource({
        "db.batchsize, 100000, 10000",
        "jdbc.batchupdateapi, perhaps, true",
        "db.hosts, 'a:1,a:1', each server once",
        "db.hosts, 'a b', host:port",
        "db.sockettimeout, 5s, is not a property",
        "db.socket.timeout, 5, with its unit",
        "db.passwd.env, NOT_SET_ANYWHERE, environment variable",
        "db.table.fieldtype, \"BLOB'; DROP\", an SQL type",
    })
    void whatIsWrongIsSaid(String key, String value, String message) {
        assertThatThrownBy(() -> settings("db.url", URL, key, value))
                .isInstanceOf(DBException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(message);
    }

    @Test
    void rowsDividedAmongDatabasesAndAffectedRowsAreRefused() {
        assertThatThrownBy(() -> settings("db.url", URL + ";" + URL)).hasMessageContaining("db.hosts");
        assertThatThrownBy(() -> settings("db.url", URL + "?useAffectedRows=true"))
                .hasMessageContaining("useAffectedRows");
    }

    @Test
    void timeLimitsAreAlwaysSetAndTheUrlHasTheLastWord() throws DBException {
        JdbcSettings settings = settings("db.url", URL + "?socketTimeout=7", "db.connect.timeout", "2s");

        Properties sent = Connector.properties(settings.url(0), settings);

        assertThat(sent).containsEntry("connectTimeout", "2000").doesNotContainKey("socketTimeout");
        assertThat(sent).containsEntry("useServerPrepStmts", "true");
        assertThat(sent).containsEntry("emulateUnsupportedPstmts", "false");
    }

    @Test
    void failOverOfTheDriverDoesNotRefuseWritesOrGoBackAndForth() throws DBException {
        JdbcSettings settings = settings("db.url", "jdbc:mysql://a,b/ycsb");

        assertThat(Connector.properties(settings.url(0), settings))
                .containsEntry("failOverReadOnly", "false")
                .containsEntry("queriesBeforeRetrySource", "0")
                .containsEntry("secondsBeforeRetrySource", "0");
    }

    @Test
    void theTableHasTheNativeBindingsShape() throws DBException {
        JdbcSettings settings = settings("db.url", URL, "fieldcount", "2", "fieldlength", "50");

        assertThat(TableSetup.definition(settings, Dialect.STANDARD, "`", Optional.of("NDBCLUSTER")))
                .isEqualTo("CREATE TABLE IF NOT EXISTS `usertable` (`YCSB_KEY` VARBINARY(255) NOT NULL PRIMARY KEY,"
                        + " `FIELD0` VARBINARY(50), `FIELD1` VARBINARY(50)) ENGINE=NDBCLUSTER");
    }

    @Test
    void stockPropertiesThatHaveNoEffectAreSaid() throws DBException {
        assertThat(settings("db.url", URL, "jdbc.batchupdateapi", "true").remarks())
                .singleElement()
                .asString()
                .startsWith("jdbc.batchupdateapi=true has no effect: db.batchsize sets");
        assertThat(settings("db.url", URL, "jdbc.batchupdateapi", "true", "db.batchsize", "9")
                        .remarks())
                .singleElement()
                .asString()
                .contains("one INSERT");
        assertThat(settings("db.url", URL, "jdbc.fetchsize", "10").remarks())
                .singleElement()
                .asString()
                .contains("useCursorFetch=true");
        assertThat(settings("db.url", "jdbc:postgresql://a/y", "jdbc.fetchsize", "10")
                        .remarks())
                .singleElement()
                .asString()
                .contains("jdbc.autocommit=false");
    }

    @Test
    void stockPropertiesThatHaveTheirEffectAreNotCommentedOn() throws DBException {
        assertThat(settings("db.url", URL).remarks()).isEmpty();
        assertThat(settings("db.url", URL, "db.batchsize", "-1", "jdbc.autocommit", "false")
                        .remarks())
                .isEmpty();
        assertThat(settings("db.url", URL, "db.batchsize", "1000", "jdbc.batchupdateapi", "false")
                        .remarks())
                .isEmpty();
        assertThat(settings("db.url", URL + "?useCursorFetch=true", "jdbc.fetchsize", "10")
                        .remarks())
                .isEmpty();
        assertThat(settings("db.url", "jdbc:postgresql://a/y", "jdbc.fetchsize", "10", "jdbc.autocommit", "false")
                        .remarks())
                .isEmpty();
        assertThat(settings("db.url", "jdbc:mariadb://a/y", "jdbc.fetchsize", "10")
                        .remarks())
                .isEmpty();
    }

    @Test
    void theTableHasTypesThatTheDatabaseHas() throws DBException {
        JdbcSettings settings = settings("db.url", "jdbc:postgresql://a/ycsb", "fieldcount", "1");

        assertThat(TableSetup.definition(settings, Dialect.POSTGRESQL, "\"", Optional.empty()))
                .isEqualTo("CREATE TABLE IF NOT EXISTS \"usertable\" (\"YCSB_KEY\" BYTEA NOT NULL PRIMARY KEY,"
                        + " \"FIELD0\" BYTEA)");
        assertThat(TableSetup.definition(settings, Dialect.CRATEDB, "\"", Optional.empty()))
                .isEqualTo("CREATE TABLE IF NOT EXISTS \"usertable\" (\"YCSB_KEY\" TEXT NOT NULL PRIMARY KEY,"
                        + " \"FIELD0\" TEXT)");
    }

    @Test
    void typesOfThePropertiesWin() throws DBException {
        JdbcSettings settings = settings(
                "db.url",
                "jdbc:postgresql://a/ycsb",
                "fieldcount",
                "1",
                "db.table.keytype",
                "VARCHAR(64)",
                "db.table.fieldtype",
                "TEXT");

        assertThat(TableSetup.definition(settings, Dialect.POSTGRESQL, "\"", Optional.empty()))
                .contains("\"YCSB_KEY\" VARCHAR(64) NOT NULL", "\"FIELD0\" TEXT)");
    }

    @Test
    void shardsAndReplicasOfATableOnCrateDb() throws DBException {
        JdbcSettings settings = settings(
                "db.url",
                "jdbc:postgresql://a/doc",
                "fieldcount",
                "1",
                "db.table.shards",
                "2",
                "db.table.replicas",
                "0-1");

        assertThat(TableSetup.definition(settings, Dialect.CRATEDB, "\"", Optional.empty()))
                .endsWith(" TEXT) CLUSTERED INTO 2 SHARDS WITH (number_of_replicas = '0-1')");
        assertThatThrownBy(() -> settings("db.url", URL, "db.table.replicas", "1'"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("db.table.replicas")
                .hasMessageContaining("0-1");
    }

    private static JdbcSettings settings(String... pairs) throws DBException {
        return JdbcSettings.of(properties(pairs), Map.of());
    }

    private static Properties properties(String... pairs) {
        Properties properties = new Properties();
        for (int i = 0; i < pairs.length; i += 2) {
            properties.setProperty(pairs[i], pairs[i + 1]);
        }
        return properties;
    }
}
