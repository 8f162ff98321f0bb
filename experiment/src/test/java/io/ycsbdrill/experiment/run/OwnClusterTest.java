package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.ClusterSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cell whose rows were changed by the one before gets. */
class OwnClusterTest {
    private static final ClusterSpec CLUSTER = new ClusterSpec("embedded", Map.of());
    private static final ClusterSpec OTHER = new ClusterSpec("embedded", Map.of("backups", "0"));

    @TempDir
    private Path root;

    private final FakeTool tool = new FakeTool();
    private final List<String> said = new ArrayList<>();
    private long now;
    private long commandSeconds = 30;
    private OwnCluster cluster;

    @BeforeEach
    void everyCommandTakesHalfAMinute() {
        tool.beforeEach = () -> now += commandSeconds * 1_000_000_000L;
        cluster = new OwnCluster(tool, new Commands(tool, root), new ExperimentDirectory(root), said::add, () -> now);
    }

    private static Tool.Inspection needs(String table) {
        return new Tool.Inspection(
                List.of(),
                false,
                false,
                table,
                List.of("load", "b"),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private void cell(ClusterSpec wanted, String table, boolean alone) throws IOException, InterruptedException {
        assertThat(cluster.provide(wanted, needs(table), 3, alone)).isEmpty();
        cluster.used(true, false);
    }

    /** The commands, without the names of files. */
    private List<String> commands() {
        return tool.started.stream()
                .map(line ->
                        line.replace(root + "/", "").replaceAll("^(cluster up embedded|load b|cluster down).*", "$1"))
                .toList();
    }

    @Test
    void rowsThatTookLongToLoadAreCopiedAndPutBack() throws Exception {
        cell(CLUSTER, "t", true);
        cell(CLUSTER, "t", true);
        cell(CLUSTER, "t", true);

        assertThat(commands())
                .containsExactly(
                        "cluster up embedded",
                        "load b",
                        "cluster snapshot copies/001",
                        "cluster snapshot copies/001 --put-back",
                        "cluster snapshot copies/001 --put-back");
    }

    @Test
    void aClusterWithOtherRowsGetsThoseThatWereCopied() throws Exception {
        cell(CLUSTER, "t", true);
        cell(CLUSTER, "u", true);
        cell(CLUSTER, "t", true);

        assertThat(commands())
                .containsExactly(
                        "cluster up embedded",
                        "load b",
                        "cluster snapshot copies/001",
                        "cluster down",
                        "cluster up embedded",
                        "load b",
                        "cluster snapshot copies/002",
                        "cluster snapshot copies/001 --put-back");
    }

    @Test
    void whatIsLoadedFasterThanPutBackIsLoadedAgain() throws Exception {
        commandSeconds = 4;
        cell(CLUSTER, "t", true);
        cell(CLUSTER, "t", true);

        assertThat(commands())
                .as("where one cluster is enough")
                .contains("cluster snapshot copies/001", "cluster snapshot copies/001 --put-back");

        commandSeconds = 10;
        tool.started.clear();
        cell(OTHER, "t", false);
        cell(OTHER, "t", false);

        assertThat(commands())
                .as("where each cell needs a new one, which is to be started before")
                .containsExactly(
                        "cluster down",
                        "cluster up embedded",
                        "load b",
                        "cluster down",
                        "cluster up embedded",
                        "load b");
    }

    @Test
    void anEngineWhoseDataCannotBeCopiedIsAskedOnce() throws Exception {
        tool.failures.put("snapshot", 2);

        cell(CLUSTER, "t", true);
        cell(CLUSTER, "t", true);

        assertThat(commands())
                .containsExactly(
                        "cluster up embedded",
                        "load b",
                        "cluster snapshot copies/001",
                        "cluster down",
                        "cluster up embedded",
                        "load b");
        assertThat(said).noneMatch(line -> line.contains("could not"));
    }

    @Test
    void aClusterThatWasNotCopiedOrPutBackInOrderIsReplaced() throws Exception {
        tool.failures.put("--put-back", 1);
        cell(CLUSTER, "t", true);
        tool.started.clear();

        cell(CLUSTER, "t", true);

        assertThat(commands())
                .startsWith("cluster snapshot copies/001 --put-back", "cluster down", "cluster up embedded", "load b");
        assertThat(said).contains("  its data could not be put back; see clusters/002-put-back.txt");

        tool.failures.clear();
        tool.failures.put("cluster snapshot", 1);
        tool.started.clear();
        cell(OTHER, "t", true);

        assertThat(commands())
                .as("nobody knows what has become of its nodes")
                .containsExactly(
                        "cluster down",
                        "cluster up embedded",
                        "load b",
                        "cluster snapshot copies/004",
                        "cluster down",
                        "cluster up embedded",
                        "load b");
    }

    @Test
    void copiesAreRemovedAndAnotherPartCanHaveSomeAgain() throws Exception {
        cell(CLUSTER, "t", true);
        assertThat(root.resolve("copies")).isDirectory();

        cluster.removeCopies();
        cluster.removeCopies();

        assertThat(root.resolve("copies")).doesNotExist();
        cell(CLUSTER, "t", true);
        assertThat(tool.started).filteredOn(line -> line.startsWith("load")).hasSize(2);
        assertThat(said).noneMatch(line -> line.contains("still there"));
    }

    private String beside(ClusterSpec wanted, String table, boolean inOrder, boolean keepsRows) throws Exception {
        assertThat(cluster.provideTable(wanted, needs(table))).isEmpty();
        String words = String.join(" ", cluster.tableWords());
        cluster.used(inOrder, keepsRows);
        return words;
    }

    @Test
    void aSharedClusterHasATableForAllRowsAndANewOneWhereTheyHaveChanged() throws Exception {
        assertThat(beside(CLUSTER, "t", true, true)).isEqualTo("-p table=t001");
        assertThat(beside(CLUSTER, "u", true, true)).isEqualTo("-p table=t002");
        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t001");
        assertThat(beside(CLUSTER, "t", true, true)).isEqualTo("-p table=t003");
        assertThat(beside(CLUSTER, "u", true, true)).isEqualTo("-p table=t002");

        assertThat(tool.started)
                .filteredOn(line -> !line.startsWith("cluster"))
                .containsExactly(
                        "load b -p table=t001 -threads 8",
                        "load b -p table=t002 -threads 8",
                        "load b -p table=t003 -threads 8");
        assertThat(tool.started)
                .filteredOn(line -> line.startsWith("cluster up"))
                .hasSize(1);
    }

    @Test
    void aSharedClusterIsReplacedWhenAnotherIsNeededOrACellHasFailed() throws Exception {
        beside(CLUSTER, "t", false, true);
        beside(CLUSTER, "t", true, true);
        beside(OTHER, "t", true, true);

        assertThat(commands())
                .containsExactly(
                        "cluster up embedded",
                        "load b",
                        "cluster down",
                        "cluster up embedded",
                        "load b",
                        "cluster down",
                        "cluster up embedded",
                        "load b");
    }
}
