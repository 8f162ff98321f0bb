package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcPluginTest {
    private final JdbcPlugin plugin = new JdbcPlugin();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://a:1,b,[::1]:3/db?targetServerType=primary | a:1 b:5432 [::1]:3",
                "jdbc:postgresql:///db | localhost:5432",
                "jdbc:mysql://a,b:2/db | a:3306 b:2",
                "jdbc:mysql:loadbalance://a,b/db | a:3306 b:3306",
                "jdbc:mysql://address=(host=a)(port=1),address=(host=b)(type=replica)/db | a:1 b:3306",
                "jdbc:mysql://(host=a,port=1),(host=b,port=2)/db | a:1 b:2",
                "jdbc:mariadb:sequential://a:1,b:2/db | a:1 b:2",
                "jdbc:aws-wrapper:postgresql://a/db | a:5432",
                "jdbc:yugabytedb://a,b/db | a:5433 b:5433",
                "jdbc:sqlserver://a;databaseName=db | a:1433",
                "jdbc:oracle:thin:@//a:1521/service | a:1521",
                "jdbc:h2:tcp://a/~/db | a:9092"
            })
    void theServersOfEachDriversUrlAreKnown(String url, String servers) {
        assertThat(plugin.in(properties(url))).containsExactly(servers.split(" "));
    }

    @Test
    void hostsTakeThePlaceOfTheServersOfTheUrl() {
        Properties properties = properties("jdbc:mariadb://x/db");
        properties.setProperty("db.hosts", "a, b:2");

        assertThat(plugin.in(properties)).containsExactly("a:3306", "b:2");
        assertThat(plugin.unproxied(properties)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:test", "jdbc:sqlite:file", "jdbc:mydb://a/db"})
    void serversThatCannotBeToldAreAskedFor(String url) {
        assertThatThrownBy(() -> plugin.in(properties(url)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(url)
                .hasMessageContaining("drill.servers=host:port");
    }

    @Test
    void proxiesTakeThePlaceOfEachServerOfAList() {
        Properties list = properties("jdbc:postgresql://a:1,b:2/db?targetServerType=primary");
        assertThat(plugin.unproxied(list)).isEmpty();
        plugin.replace(list, List.of("p:7", "p:8"));
        assertThat(list).containsEntry("db.url", "jdbc:postgresql://p:7,p:8/db?targetServerType=primary");

        Properties one = properties("jdbc:mysql://a:1/db");
        plugin.replace(one, List.of("p:7"));
        assertThat(one).containsEntry("db.url", "jdbc:mysql://a:1/db").containsEntry("db.hosts", "p:7");

        assertThat(plugin.unproxied(properties("jdbc:mysql://address=(host=a)(port=1)/db")))
                .get()
                .asString()
                .contains("faults of the network", "host:port");
    }

    /** A proxy has another name than the server. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://a:1/db?sslmode=verify-full, sslMode=verify-full wants, use sslmode=verify-ca",
        "jdbc:postgresql://a:1/db?ssl=true, ssl=true wants, use sslmode=verify-ca",
        "jdbc:mariadb://a:1/db?sslMode=verify-full, sslMode=verify-full wants, use sslmode=verify-ca",
        "jdbc:mariadb://a:1/db?sslMode=VERIFY_FULL, sslMode=VERIFY_FULL wants, use sslmode=verify-ca",
        "jdbc:mariadb://a:1/db?useSsl=true, useSsl=true wants, use sslmode=verify-ca",
        "jdbc:mysql://a:1/db?sslMode=VERIFY_IDENTITY, sslMode=VERIFY_IDENTITY wants, use sslMode=VERIFY_CA"
    })
    void aCertificateForTheServersNameIsNoneForAProxy(String url, String mode, String instead) {
        assertThat(plugin.unproxied(properties(url))).get().asString().contains(mode, instead);
        assertThat(plugin.unproxied(properties(url.replaceAll("\\?.*$", "?sslmode=verify-ca"))))
                .isEmpty();
    }

    private static Properties properties(String url) {
        Properties properties = new Properties();
        properties.setProperty("db.url", url);
        return properties;
    }
}
