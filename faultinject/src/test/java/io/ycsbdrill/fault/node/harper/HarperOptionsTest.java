package io.ycsbdrill.fault.node.harper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HarperOptionsTest {

    @Test
    void tablesAreListedWithCommas() {
        HarperOptions options = new HarperEngine().parse(Map.of("tables", "usertable, other"));

        assertThat(options.tables()).containsExactly("usertable", "other");
        assertThat(options.threads()).isEqualTo(1);
        assertThat(HarperServer.schema(options.tables(), options.ttl())).isEqualTo("""
                type usertable @table(database: "ycsb") @export {
                  id: ID @primaryKey
                }
                type other @table(database: "ycsb") @export {
                  id: ID @primaryKey
                }
                """);
    }

    @Test
    void rowsMayExpire() {
        HarperOptions options = new HarperEngine().parse(Map.of("record-ttl", "1m"));

        assertThat(HarperServer.schema(options.tables(), options.ttl()))
                .startsWith("type usertable @table(database: \"ycsb\", expiration: 60) @export {");
    }

    @Test
    void rowsExpireAfterWholeSeconds() {
        Map.of("60", "60\" has no unit", "1001h", "allowed: 0s to 1000h", "1500ms", "1500ms: expected whole seconds")
                .forEach((value, problem) -> assertThatThrownBy(
                                () -> new HarperEngine().parse(Map.of("record-ttl", value)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("--record-ttl", problem));
    }

    @Test
    void allMistakesAreReportedAtOnce() {
        assertThatThrownBy(
                        () -> new HarperEngine().parse(Map.of("tables", "a,a\"", "harper-threads", "0", "nodes", "3")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--tables a,a\"", "--harper-threads 0", "1 to 64", "--nodes is not an option");
        assertThat(List.of("", "a,,b", "a,a"))
                .allSatisfy(tables -> assertThatThrownBy(() -> new HarperEngine().parse(Map.of("tables", tables)))
                        .hasMessageContaining("--tables"));
    }
}
