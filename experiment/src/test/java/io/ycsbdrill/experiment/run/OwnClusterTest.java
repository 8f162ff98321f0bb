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

/** What a cell is given, by what the cells before have left. */
class OwnClusterTest {
    private static final ClusterSpec CLUSTER = new ClusterSpec("embedded", Map.of());
    private static final ClusterSpec OTHER = new ClusterSpec("embedded", Map.of("backups", "0"));

    @TempDir
    private Path root;

    private final FakeTool tool = new FakeTool();
    private final List<String> said = new ArrayList<>();
    private OwnCluster cluster;

    @BeforeEach
    void nothingIsUp() {
        cluster = new OwnCluster(tool, root, root, true, said::add);
    }

    private Tool.Inspection needs(String table) {
        return new Tool.Inspection(
                List.of(),
                false,
                false,
                table,
                List.of("load", "b"),
                OptionalDouble.of(tool.rowBytes),
                Optional.empty(),
                Optional.empty());
    }

    private void cell(ClusterSpec wanted, String table, boolean keepsRows) throws IOException, InterruptedException {
        assertThat(cluster.provide(wanted, needs(table), false, List.of())).isEmpty();
        cluster.used(true, keepsRows);
    }

    /** The commands, without the names of files. */
    private List<String> commands() {
        return tool.started.stream()
                .map(line -> line.replaceAll("^(cluster up embedded|load b|cluster down).*", "$1"))
                .toList();
    }

    @Test
    void aCellIsSaidToHaveItsClusterStartedOrKept() throws Exception {
        cell(CLUSTER, "t", true);
        assertThat(cluster.prepared()).isEqualTo(Prepared.STARTED);
        cell(CLUSTER, "t", false);
        assertThat(cluster.prepared()).isEqualTo(Prepared.KEPT);
        cell(CLUSTER, "t", true);
        assertThat(cluster.prepared()).isEqualTo(Prepared.STARTED);
    }

    /** It is passed on beside tables that were loaded for others, as long as its own rows are as they were. */
    @Test
    void theUsualTableAndThoseOfCellsThatShareAClusterAreOnTheSameOne() throws Exception {
        cell(CLUSTER, "t", true);
        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t002 loaded");
        cell(CLUSTER, "t", true);

        assertThat(cluster.prepared()).isEqualTo(Prepared.KEPT);
        assertThat(cluster.tableWords()).isEmpty();
        assertThat(cluster.leaves()).isEqualTo(new PassedOn(Optional.of(CLUSTER), "t"));
        cell(CLUSTER, "t", false);
        assertThat(cluster.leaves()).isEqualTo(PassedOn.NOTHING);
        cluster.close();
        assertThat(commands()).containsExactly("cluster up embedded", "load b", "load b", "cluster down");
    }

    /** The usual table takes room, too. */
    @Test
    void aTableIsNotLoadedBesideAUsualOneThatLeavesNoRoom() throws Exception {
        tool.rowBytes = 100;
        tool.most = 250;

        cell(CLUSTER, "t", true);

        assertThat(beside(CLUSTER, "u", true, true)).isEqualTo("-p table=t002 started");
    }

    private String beside(ClusterSpec wanted, String table, boolean inOrder, boolean keepsRows) throws Exception {
        assertThat(cluster.provide(wanted, needs(table), true, List.of())).isEmpty();
        String words = String.join(" ", cluster.tableWords());
        cluster.used(inOrder, keepsRows);
        return words + " " + cluster.prepared().word();
    }

    @Test
    void aSharedClusterHasATableForAllRowsAndANewOneWhereTheyHaveChanged() throws Exception {
        assertThat(beside(CLUSTER, "t", true, true)).isEqualTo("-p table=t001 started");
        assertThat(beside(CLUSTER, "u", true, true)).isEqualTo("-p table=t002 loaded");
        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t001 kept");
        assertThat(beside(CLUSTER, "t", true, true)).isEqualTo("-p table=t003 loaded");
        assertThat(beside(CLUSTER, "u", true, true)).isEqualTo("-p table=t002 kept");

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

    /** Tables that cells have changed are still there. */
    @Test
    void aSharedClusterIsReplacedBeforeItsTablesTakeMoreThanItHolds() throws Exception {
        tool.rowBytes = 100;
        tool.most = 350;

        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t001 started");
        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t002 loaded");
        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t003 started");
    }

    @Test
    void whatCannotBeLoadedBesideOtherTablesIsTriedOnceMoreAlone() throws Exception {
        beside(CLUSTER, "t", true, false);
        tool.failingLoad = 2;

        assertThat(beside(CLUSTER, "t", true, false)).isEqualTo("-p table=t003 started");

        assertThat(said)
                .contains("  its table could not be loaded: exit code 1; see clusters/002-load.txt; trying a new"
                        + " cluster, without other tables");
        tool.failingLoad = 4;
        assertThat(cluster.provide(OTHER, needs("t"), true, List.of()))
                .as("the first table of a cluster")
                .isPresent();
    }
}
