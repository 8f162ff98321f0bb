package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NdbOptionsTest {

    @Test
    void defaultsAreThreeNodesWithOneSqlNode() {
        assertThat(NdbOptions.parse(Map.of()))
                .isEqualTo(new NdbOptions(
                        3,
                        0,
                        3,
                        1,
                        "256M",
                        "64M",
                        new NdbRedo(8, "16M", false, false),
                        12,
                        new NodeSandbox.Wanted(List.of()),
                        "",
                        HaproxyOptions.NONE));
    }

    @Test
    void redoLogsAreSmallAndSparseUnlessAskedForAndNothingElse() {
        NdbFiles files = new NdbFiles(Path.of("/c"));

        assertThat(NdbConfig.cluster(NdbOptions.parse(Map.of()), files, 1))
                .contains(
                        "FragmentLogFileSize=16M\n",
                        "NoOfFragmentLogFiles=8\n",
                        "InitFragmentLogFiles=SPARSE\n",
                        "ODirect=0\n");
        assertThat(NdbConfig.cluster(
                        NdbOptions.parse(Map.of(
                                "redo-files", "64", "redo-file-size", "256m", "redo-full", "true", "odirect", "true")),
                        files,
                        1))
                .contains(
                        "FragmentLogFileSize=256M\n",
                        "NoOfFragmentLogFiles=64\n",
                        "NoOfFragmentLogParts=4\n",
                        "InitFragmentLogFiles=FULL\n",
                        "ODirect=1\n");
        assertThatThrownBy(() -> NdbOptions.parse(Map.of("redo-files", "2", "redo-file-size", "2G")))
                .hasMessageContaining("--redo-files 2: expected a whole number from 3 to 512")
                .hasMessageContaining("--redo-file-size 2G: expected at most 1G");
    }

    @Test
    void rowsThatCannotFitIntoTheDataNodesOrTheseIntoTheMachineAreRefused() {
        double gb = 1 << 30;
        NdbOptions two = NdbOptions.parse(Map.of("data-nodes", "2", "data-memory", "2G"));

        assertThat(NdbMemory.problem(two, 1.9 * gb, 8 * gb)).isEmpty();
        assertThat(NdbMemory.problem(two, 60 * gb, 8 * gb).orElseThrow())
                .isEqualTo(
                        "each data node would hold 60.0 GB of rows and has --data-memory 2G; give it more, or take a"
                                + " machine with more than 121 GB of memory, the hosts of an inventory (--on FILE), or fewer rows");
        assertThat(NdbMemory.problem(two, 1 * gb, 4 * gb).orElseThrow())
                .startsWith("2 data nodes with --data-memory 2G take 5 GB, and this machine has 4 GB of memory; ");
        assertThat(NdbMemory.diskProblem(two, 3 * gb, 6 * gb)).isEmpty();
        assertThat(NdbMemory.diskProblem(two, 240 * gb, 100 * gb).orElseThrow())
                .startsWith("the data nodes would hold 480 GB of rows on disk, and there are 100 GB free; ");
        NdbOptions four = NdbOptions.parse(Map.of("data-nodes", "4", "replicas", "2", "data-memory", "2G"));
        assertThat(NdbMemory.problem(four, 3.9 * gb, 16 * gb)).as("two groups").isEmpty();
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

        assertThat(ini.lines().filter("[api]"::equals)).hasSize(7 + 2 + 1);
        assertThat(ini.split("\\[api\\]\nHostName=", -1))
                .as("of SQL nodes, which ask for none")
                .hasSize(1 + 2);
        assertThat(NdbConfig.clientSlots(options)).isEqualTo("101-105");
        assertThat(ini).contains("[api]\nNodeId=101\n", "[api]\nNodeId=105\n").doesNotContain("NodeId=106\n");
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
    void aBackupIsPutBackThroughASlotThatNoOtherClientGets() {
        NdbOptions most = NdbOptions.parse(Map.of("data-nodes", "4", "replicas", "4", "api-slots", "100"));

        assertThat(NdbConfig.cluster(most, new NdbFiles(Path.of("/c")), 1234))
                .contains("NodeId=200\n", "NodeId=204\n")
                .containsOnlyOnce("[api]\nNodeId=211\nHostName=127.0.0.1\nDedicated=1\n\n");
    }

    @Test
    void nodesThatDoNotHaveAllRowsAreNotReadByThemselves() {
        NdbOptions options = NdbOptions.parse(Map.of("data-nodes", "4", "replicas", "2"));

        assertThat(NdbConfig.readSlots(options)).isEmpty();
        assertThat(NdbConfig.cluster(options, new NdbFiles(Path.of("/c")), 1234))
                .doesNotContain("LocationDomainId");
    }
}
