package io.ycsbdrill.client.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.ConfigException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedNodesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "drill.servers=a:1, b:2 | a:1 b:2",
                "redis.host=a | a:6379",
                "redis.host=a;redis.port=7 | a:7",
                "hosts=a,b | a:9042 b:9042",
                "hosts=a;port=7 | a:7",
                "mongodb.url=mongodb://me:secret@a,b:7/ycsb?w=1 | a:27017 b:7",
                "db.url=jdbc:postgresql://a:1,b/db?targetServerType=primary | a:1 b:5432",
                "db.url=jdbc:postgresql://a:1,b/db;drill.servers=c:3 | c:3",
                "rest.endpoints=https://a/x,http://b:8 | a:443 b:8"
            })
    void theServersAreThoseThatTheBindingsOwnPropertiesName(String properties, String servers) {
        assertThat(NamedNodes.servers(properties(properties)).orElseThrow()).containsExactly(servers.split(" "));
    }

    @Test
    void withoutAnyNothingIsGuessed() {
        assertThat(NamedNodes.servers(properties("some.server=a"))).isEmpty();
        assertThatThrownBy(() -> NamedNodes.servers(properties("db.url=jdbc:h2:mem:x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("drill.servers");
    }

    private static Properties properties(String text) {
        Properties properties = new Properties();
        for (String each : text.split(";")) {
            int equals = each.indexOf('=');
            properties.setProperty(each.substring(0, equals), each.substring(equals + 1));
        }
        return properties;
    }
}
