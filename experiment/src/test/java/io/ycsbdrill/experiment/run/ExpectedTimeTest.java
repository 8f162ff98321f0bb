package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said before a start: three variants and the reference once more, each of 10 s, a pause of 1 s and a start of 4 s. */
class ExpectedTimeTest {
    @TempDir
    private Path root;

    private final FakeTool tool = new FakeTool();

    private ExpectedTime of(String more) {
        return of(more, PassedOn.NOTHING);
    }

    private ExpectedTime of(String more, PassedOn found) {
        Experiment experiment =
                Words.experiment("{axes: {threads: [1, 2, 4]}, fixed: {binding: b}, settle: 1s" + more + "}");
        return ExpectedTime.of(
                experiment,
                Plan.of(experiment, 1),
                new CellCommands(experiment, tool),
                new ExperimentDirectory(root),
                found);
    }

    @Test
    void cellsOfAKnownLengthAreAddedUp() {
        assertThat(of("").time()).hasSeconds(4 * 15);
        assertThat(of("").text()).isEqualTo("about 1 min");
    }

    @Test
    void aCellThatHasEndedTakesNoTime() throws IOException {
        Path cell = Files.createDirectories(root.resolve("cells/v002-threads-2-r1"));
        Files.writeString(cell.resolve("cell.json"), "{}");

        assertThat(of("").time()).hasSeconds(3 * 15);
    }

    @Test
    void aClusterCountsAsOftenAsACellNeedsANewOneAndItsTableByItsSize() {
        assertThat(of(", cluster: {engine: embedded}").time()).hasSeconds(4 * 15 + 15);

        tool.keepsRows = false;
        tool.rowBytes = 200e6;

        ExpectedTime renewed = of(", cluster: {engine: embedded}");
        assertThat(renewed.time()).hasSeconds(4 * (15 + 15 + 10));
        assertThat(renewed.text()).isEqualTo("about 3 min, with 4 clusters and their tables at 15 s or more each");
    }

    @Test
    void aSharedClusterIsStartedOnceAndEachCellMayNeedATable() {
        tool.keepsRows = false;

        assertThat(of(", cluster: {engine: embedded}, share_cluster: true").time())
                .hasSeconds(4 * 15 + 15 + 3 * 5);
    }

    /** As the runner does, see {@link OwnCluster}. */
    @Test
    void aClusterThatTheExperimentBeforeLeavesIsNotStarted() {
        String cluster = ", cluster: {engine: embedded}";
        PassedOn left = of(cluster).leaves();

        assertThat(of(cluster, left).clusters()).isZero();
        assertThat(of(cluster, left).time()).hasSeconds(4 * 15);
        assertThat(of(", cluster: {engine: embedded, backups: 1}", left).clusters())
                .isEqualTo(1);
        tool.keepsRows = false;
        assertThat(of(cluster, left).clusters()).isEqualTo(4);
        assertThat(of(cluster, left).leaves()).isEqualTo(PassedOn.NOTHING);
        ExpectedTime shared = of(cluster + ", share_cluster: true", left);
        assertThat(shared.clusters()).isZero();
        assertThat(shared.leaves()).as("the usual table is still there").isEqualTo(left);
    }

    @Test
    void whatCountsOperationsIsEstimatedByTheFileOrSaidToBeUnknown() {
        tool.length = null;

        assertThat(of(", estimate: 5m").text())
                .isEqualTo("about 20 min; an estimate, as what 4 cells have to do takes as long as it takes");
        assertThat(of("").text()).isEqualTo("more than 1 min; of 4 cells nothing is known before");
        assertThat(ExpectedTime.sum(List.of(of(", estimate: 5m"), of(""))).text())
                .isEqualTo(
                        "more than 21 min; an estimate, as what 4 cells have to do takes as long as it takes; of 4 cells nothing"
                                + " is known before");
    }
}
