package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.os.DiskShim;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NdbOptionsTest {

    @Test
    void defaultsAreThreeNodesWithOneSqlNode() {
        assertThat(NdbOptions.parse(Map.of()))
                .isEqualTo(new NdbOptions(
                        3, 0, 3, 1, "256M", "64M", 12, DiskShim.Mode.OFF, false, false, "", HaproxyOptions.NONE));
    }

    @Test
    void fewerNodesHaveAsManyReplicas() {
        assertThat(NdbOptions.parse(Map.of("data-nodes", "2")).replicas()).isEqualTo(2);
    }

    @Test
    void allMistakesAreNamedAtOnce() {
        assertThatThrownBy(() -> NdbOptions.parse(Map.of(
                        "data-nodes", "4", "replicas", "3", "data-memory", "10M", "sql-nodes", "x", "nodes", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--nodes is not an option")
                .hasMessageContaining("--sql-nodes x: expected a whole number from 0 to 4")
                .hasMessageContaining("--data-memory 10M: expected a size")
                .hasMessageContaining("--data-nodes 4 is not a multiple of --replicas 3");
    }

    @Test
    void configurationHasAnApiSlotForEachClientAndSqlNode() {
        NdbOptions options = NdbOptions.parse(Map.of("data-nodes", "2", "sql-nodes", "2", "api-slots", "5"));
        String ini = NdbConfig.cluster(options, new NdbFiles(Path.of("/c")), 1234);

        assertThat(ini.lines().filter("[api]"::equals)).hasSize(7 + 2);
        assertThat(ini.lines().filter("[ndbd]"::equals)).hasSize(2);
        assertThat(ini)
                .contains("NoOfReplicas=2\n", "PortNumber=1234\n", "DataDir=/c/node2\n", "IndexStatAutoCreate=0\n");
        assertThat(ini.lines().filter(l -> l.startsWith("HostName="))).allMatch("HostName=127.0.0.1"::equals);
    }

    @Test
    void eachDataNodeHasASlotNearestToItThatNoOtherClientGets() {
        String ini = NdbConfig.cluster(NdbOptions.parse(Map.of("data-nodes", "2")), new NdbFiles(Path.of("/c")), 1234);

        assertThat(ini)
                .contains(
                        "[api]\nNodeId=201\nHostName=127.0.0.1\nDedicated=1\nLocationDomainId=1\n",
                        "[api]\nNodeId=202\nHostName=127.0.0.1\nDedicated=1\nLocationDomainId=2\n",
                        "DataDir=/c/node2\nLocationDomainId=2\n");
    }

    @Test
    void nodesThatDoNotHaveAllRowsAreNotReadByThemselves() {
        NdbOptions options = NdbOptions.parse(Map.of("data-nodes", "4", "replicas", "2"));

        assertThat(NdbConfig.readSlots(options)).isEmpty();
        assertThat(NdbConfig.cluster(options, new NdbFiles(Path.of("/c")), 1234))
                .doesNotContain("LocationDomainId");
    }
}
