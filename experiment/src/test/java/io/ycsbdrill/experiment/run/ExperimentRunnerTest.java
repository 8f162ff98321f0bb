package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Words;
import io.ycsbdrill.report.experiment.CellResult;
import io.ycsbdrill.report.experiment.ExperimentReport;
import io.ycsbdrill.report.experiment.PlanData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunnerTest {
    @TempDir
    private Path root;

    private final FakeTool tool = new FakeTool();
    private final List<String> said = new ArrayList<>();

    private ExperimentRunner runner(Experiment experiment, Path directory) throws IOException {
        return runner(experiment, directory, cluster(directory, false));
    }

    private ExperimentRunner runner(Experiment experiment, Path directory, OwnCluster cluster) throws IOException {
        Plan plan = Plan.of(experiment, 1);
        ExperimentDirectory files = new ExperimentDirectory(directory);
        CellCommands commands = new CellCommands(experiment, tool);
        PlanFile.of(
                        experiment,
                        plan,
                        "experiment",
                        root,
                        "test",
                        experiment.variants().stream()
                                .map(variant -> commands.text(variant, Path.of("DIR")))
                                .toList(),
                        List.of(),
                        Optional.empty())
                .write(files.root());
        return new ExperimentRunner(experiment, plan, files, tool, root, cluster, said::add);
    }

    private OwnCluster cluster(Path directory, boolean passedOn) {
        return new OwnCluster(tool, root, directory, passedOn, said::add);
    }

    /** Runs an experiment of a suite, in its directory. */
    private boolean run(String id, String more, OwnCluster suites) {
        Experiment experiment = experiment(", cluster: {engine: embedded}" + more);
        ExperimentDirectory files = new ExperimentDirectory(root.resolve(id));
        return new ExperimentRunner(experiment, Plan.of(experiment, 1), files, tool, root, suites, said::add).run();
    }

    /** How a cell of an experiment of a suite was given its cluster and table. */
    private String prepared(String id, String cell) throws IOException {
        return CellResult.read(root.resolve(id).resolve("cells").resolve(cell))
                .prepared()
                .orElseThrow();
    }

    @Test
    void theNextExperimentOfASuiteUsesTheClusterOfTheOneBefore() throws IOException {
        OwnCluster suites = cluster(root, true);

        assertThat(run("a", "", suites)).isTrue();
        assertThat(run("b", "", suites)).isTrue();

        assertThat(clusters("up")).hasSize(1);
        assertThat(clusters("down")).isEmpty();
        assertThat(tool.started).filteredOn(line -> line.startsWith("load")).hasSize(1);
        assertThat(prepared("a", "v001-threads-1-r1")).isEqualTo("started");
        assertThat(prepared("b", "v001-threads-1-r1")).isEqualTo("kept");
        suites.close();
        suites.close();
        assertThat(clusters("down")).hasSize(1);
    }

    /** Its first cell would be the only one with servers that are warm. */
    @Test
    void anExperimentWhoseCellsAllGetANewClusterDoesNotBeginOnThatOfAnother() throws IOException {
        OwnCluster suites = cluster(root, true);
        run("a", "", suites);
        tool.keepsRows = false;
        run("b", "", suites);
        tool.keepsRows = true;
        run("c", "", suites);

        assertThat(clusters("up")).hasSize(1 + 8 + 1);
        assertThat(prepared("b", "v001-threads-1-r1")).isEqualTo("started");
        assertThat(prepared("c", "v001-threads-1-r1")).isEqualTo("started");
    }

    /** Its names of files mean others than those of the experiment before. */
    @Test
    void anExperimentThatWasBegunElsewhereHasItsClusterAndItsLoadsFromThere() throws IOException {
        Path elsewhere = root.resolve("elsewhere");
        OwnCluster suites = cluster(root, true);
        run("a", "", suites);
        tool.directories.clear();
        Experiment experiment = experiment(", cluster: {engine: embedded}");

        new ExperimentRunner(
                        experiment,
                        Plan.of(experiment, 1),
                        new ExperimentDirectory(root.resolve("b")),
                        tool,
                        elsewhere,
                        suites,
                        said::add)
                .run();

        assertThat(prepared("b", "v001-threads-1-r1")).isEqualTo("started");
        assertThat(tool.directories).hasSize(1 + 1 + 1 + 8).containsOnly(elsewhere);
    }

    /** In which each experiment of a suite had its own. */
    @Test
    void whatASuiteOfAnEarlierVersionHasLeftIsTakenDownBeforeAnythingIsStarted() throws IOException {
        Files.createDirectories(root.resolve("b/state"));
        Files.createFile(root.resolve("b").resolve(PlanData.FILE));
        Files.createDirectories(root.resolve("clusters/state"));

        run("a", "", cluster(root, true));

        assertThat(tool.takenDown).containsExactly(root.resolve("b/state").toString());
        assertThat(tool.started).first().isEqualTo(clusters("down").get(0));
    }

    /** All its cells were run and can be judged; that what is left up shares the machine with whatever comes next is for the exit code. */
    @Test
    void aLastClusterThatCannotBeStoppedIsKnown() throws IOException {
        tool.failures.put("cluster down", 1);
        Experiment experiment = experiment(", cluster: {engine: embedded}");
        OwnCluster left = cluster(root.resolve("e"), false);

        assertThat(runner(experiment, root.resolve("e"), left).run()).isTrue();
        assertThat(said).filteredOn(line -> line.startsWith("error: ")).hasSize(1);
        assertThat(left.stopped()).isTrue();

        tool.failures.clear();
        OwnCluster next = cluster(root.resolve("e"), false);
        assertThat(runner(experiment, root.resolve("e"), next).run()).isTrue();
        assertThat(next.stopped()).isFalse();
    }

    /** Its cells were NA, one after the other, and complete by that. */
    @Test
    void nothingIsStartedBesideAClusterThatCannotBeStopped() throws IOException {
        tool.keepsRows = false;
        tool.failures.put("cluster down", 1);
        Experiment experiment = experiment(", cluster: {engine: embedded}");

        assertThat(runner(experiment, root.resolve("e")).run()).isFalse();

        assertThat(tool.started.stream().map(line -> line.replaceAll("^(cluster \\w+|\\w+) .*", "$1")))
                .containsExactly("cluster up", "load", "run", "cluster down", "cluster down");
        assertThat(said)
                .filteredOn(line -> line.startsWith("error: "))
                .containsExactly("error: the cluster was not stopped, so nothing more is started; see "
                        + root.resolve("e/clusters/001-down.txt") + ", then: YCSB_DRILL_STATE="
                        + root.resolve("e/state") + " ycsb cluster down all");

        tool.started.clear();
        assertThat(runner(experiment, root.resolve("e")).run())
                .as("nor when it is continued and that is still so")
                .isFalse();
        assertThat(tool.started).hasSize(2).allMatch(line -> line.startsWith("cluster down"));

        tool.failures.clear();
        ExperimentRunner again = runner(experiment, root.resolve("e"));
        assertThat(again.run()).isTrue();
        assertThat(again.objections()).isEmpty();
    }

    @Test
    void aClusterThatIsStoppedAtTheSecondTryIsNoReasonToEnd() throws IOException {
        tool.keepsRows = false;
        tool.failures.put("cluster down", 1);
        tool.beforeEach = () -> {
            if (!clusters("down").isEmpty()) {
                tool.failures.clear();
            }
        };

        assertThat(runner(experiment(", cluster: {engine: embedded}"), root.resolve("e"))
                        .run())
                .isTrue();

        assertThat(clusters("down")).hasSize(8 + 1);
        assertThat(said).noneMatch(line -> line.startsWith("error: "));
    }

    /** Also when only another experiment of the suite goes on: they use the cluster of all. */
    @Test
    void whatAKilledProcessHasLeftIsEndedInEveryFolderThatHasCells() throws IOException {
        Files.createDirectories(root.resolve("e/cells/v001-r1"));
        List<Path> asked = new ArrayList<>();
        FakeTool ends = new FakeTool() {
            @Override
            public boolean endLeftover(Path pidFile) {
                return asked.add(pidFile);
            }
        };

        ExperimentRunner.endLeftovers(root.resolve("e"), ends, said::add);
        ExperimentRunner.endLeftovers(root.resolve("clusters"), ends, said::add);

        assertThat(asked).containsExactly(root.resolve("e/cells/v001-r1/pid"));
        assertThat(said).containsExactly("ended the command of v001-r1, which was still running");
    }

    /** As above: each drill gets a new one, though they share theirs. */
    @Test
    void drillsThatRenewTheirClusterDoNotBeginOnThatOfAnother() throws IOException {
        OwnCluster suites = cluster(root, true);
        run("a", "", suites);
        tool.drill = true;
        run("b", ", share_cluster: true", suites);
        Experiment drills = experiment(", cluster: {engine: embedded}, share_cluster: true");

        assertThat(prepared("b", "v001-threads-1-r1")).isEqualTo("started");
        assertThat(clusters("up")).hasSize(1 + 8);
        assertThat(ExpectedTime.of(
                                drills,
                                Plan.of(drills, 1),
                                new CellCommands(drills, tool),
                                new ExperimentDirectory(root.resolve("c")),
                                PassedOn.NOTHING)
                        .clusters())
                .isEqualTo(8);
    }

    @Test
    void onAClusterThatIsPassedOnCellsThatShareOneGetTablesOfTheirOwn() throws IOException {
        OwnCluster suites = cluster(root, true);
        run("a", "", suites);
        tool.keepsRows = false;
        run("b", ", share_cluster: true", suites);
        tool.keepsRows = true;
        run("c", "", suites);

        assertThat(clusters("up")).hasSize(1);
        assertThat(prepared("b", "v001-threads-1-r1")).isEqualTo("loaded");
        assertThat(prepared("c", "v001-threads-1-r1"))
                .as("its rows are those of a, untouched")
                .isEqualTo("kept");
        assertThat(tool.lines)
                .filteredOn(line -> line.startsWith("run"))
                .last()
                .asString()
                .doesNotContain("table=");
    }

    @Test
    void aClusterWhoseLastCellFailedIsNotPassedOn() throws IOException {
        OwnCluster suites = cluster(root, true);
        tool.failures.put("v001-threads-1-r2", 1);
        run("a", "", suites);
        tool.failures.clear();
        run("b", "", suites);

        assertThat(clusters("up")).hasSizeGreaterThanOrEqualTo(2);
        assertThat(prepared("b", "v001-threads-1-r1")).isEqualTo("started");
    }

    @Test
    void anExperimentWithoutAClusterFindsNoneOfAnother() {
        OwnCluster suites = cluster(root, true);
        run("a", "", suites);
        Experiment none = experiment("");

        new ExperimentRunner(
                        none,
                        Plan.of(none, 1),
                        new ExperimentDirectory(root.resolve("b")),
                        tool,
                        root,
                        suites,
                        said::add)
                .run();

        assertThat(tool.started.indexOf(clusters("down").get(0))).isEqualTo(tool.started.size() - 1 - 8);
    }

    /** What holds the end of the process waits only until the experiment has ended. */
    @Test
    void whenASuiteIsStoppedItsClusterIsTakenDownAtOnce() {
        OwnCluster suites = cluster(root, true);
        Experiment experiment = experiment(", cluster: {engine: embedded}");
        ExperimentRunner runner = new ExperimentRunner(
                experiment,
                Plan.of(experiment, 1),
                new ExperimentDirectory(root.resolve("a")),
                tool,
                root,
                suites,
                said::add);
        tool.beforeEach = () -> {
            if (tool.started.size() == 4) {
                runner.stop();
            }
        };

        assertThat(runner.run()).isFalse();

        assertThat(tool.started).last().asString().startsWith("cluster down");
        assertThat(run("b", "", suites)).as("nothing is started any more").isFalse();
    }

    /** The starts or stops of clusters. */
    private List<String> clusters(String command) {
        return tool.started.stream()
                .filter(line -> line.startsWith("cluster " + command))
                .toList();
    }

    private static Experiment experiment(String more) {
        return Words.experiment(
                "{axes: {threads: [1, 2, 4]}, fixed: {binding: b}, repeats: 2, order: interleaved" + more + "}");
    }

    /** What the report says of each cell, apart from times. */
    private static List<String> table(Path directory) throws IOException {
        ExperimentReport.write(directory);
        return Files.readAllLines(directory.resolve("cells.csv")).stream()
                .skip(1)
                .map(line -> line.replaceAll("\\d{4}-[^,]*,[\\d.]+", "TIME"))
                .toList();
    }

    @Test
    void runsEveryCellOnceInTheOrderOfThePlan() throws IOException {
        boolean complete = runner(experiment(""), root.resolve("e")).run();

        assertThat(complete).isTrue();
        assertThat(tool.started.stream()
                        .map(line -> line.replaceAll(".*-threads ", ""))
                        .collect(Collectors.joining(" ")))
                .isEqualTo("1 2 4 1 1 4 2 1");
        assertThat(said).last().asString().startsWith("[8/8] threads=1, repeat 2: 100 ops/s");
        assertThat(ExperimentReport.write(root.resolve("e")).counting()).isEqualTo(8);
    }

    @Test
    void aCellThatFailsIsNaWithItsReasonAndStopsNothing() throws IOException {
        tool.failures.put("v002", 1);
        ExperimentRunner runner = runner(experiment(""), root.resolve("e"));

        assertThat(runner.run()).isTrue();
        assertThat(tool.started).hasSize(8);
        assertThat(runner.objections())
                .containsExactly(
                        "threads=2, repeat 1: exit code 1: it broke", "threads=2, repeat 2: exit code 1: it broke");
        assertThat(table(root.resolve("e")))
                .filteredOn(line -> line.contains(",NA,"))
                .hasSize(2);
    }

    @Test
    void aCellWithFailedOperationsDoesNotCountAndItsShareIsNotRoundedUp() throws IOException {
        tool.okShare = 0.999;
        ExperimentRunner runner = runner(experiment(""), root.resolve("e"));

        runner.run();

        assertThat(runner.objections())
                .hasSize(8)
                .allMatch(line -> line.endsWith("99.9 % of the operations succeeded, 100 % are required"));
    }

    @Test
    void anAscentEndsAfterTwoLevelsThatDoNotCount() throws IOException {
        tool.failures.put("v001", 1);
        tool.failures.put("v002", 1);

        runner(experiment(", ascend: threads"), root.resolve("e")).run();

        assertThat(tool.started).hasSize(2);
        assertThat(table(root.resolve("e")))
                .filteredOn(line -> line.contains("not run: "))
                .hasSize(6);
    }

    @Test
    void repeatsEndWhenTheIntervalsAreAsNarrowAsAsked() throws IOException {
        Experiment experiment =
                Words.experiment("{axes: {threads: [1, 2]}, fixed: {binding: b}, repeats: 8, until: 10%}");
        Path directory = root.resolve("e");

        assertThat(runner(experiment, directory).run()).isTrue();

        assertThat(tool.started).hasSize(5 * 3);
        assertThat(said).last().asString().startsWith("after repeat 5: ");
        assertThat(PlanData.read(directory).repeats()).isEqualTo(5);
        assertThat(ExperimentReport.write(directory).counting()).isEqualTo(15);
        assertThat(table(directory)).hasSize(15);

        tool.started.clear();
        PlanData plan = PlanData.read(directory);
        List<String> ids = plan.cells().stream().map(PlanData.Cell::id).toList();
        boolean resumed = new ExperimentRunner(
                        experiment,
                        Plan.of(experiment, 1).inOrderOf(ids),
                        new ExperimentDirectory(directory),
                        tool,
                        root,
                        cluster(directory, false),
                        said::add)
                .run();
        assertThat(resumed).isTrue();
        assertThat(tool.started).isEmpty();
    }

    @Test
    void theyGoOnToTheMostWhenTheyAreNot() throws IOException {
        tool.throughput = () -> tool.started.size() % 2 == 0 ? 50 : 150;
        Experiment experiment = Words.experiment(
                "{axes: {threads: [1, 2]}, fixed: {binding: b}, repeats: 7, order: interleaved, until: 1%}");

        assertThat(runner(experiment, root.resolve("e")).run()).isTrue();

        assertThat(tool.started).hasSize(7 * 3);
        assertThat(said).filteredOn(line -> line.startsWith("after repeat ")).hasSize(2);
        assertThat(said)
                .anyMatch(line -> line.matches(
                        "after repeat 6: threads=2: throughput [0-9.]+ \u00d7 the reference, \u00b1 [0-9.]+ % of the 1.0 % asked for; its first 5"
                                + " repeats ask for \\d+ in all"));
    }

    /** Each repeat was judged by what had been measured in later ones, and the plan lost those. */
    @Test
    void whatWasMeasuredBeforeItWasInterruptedIsNotCutOff() throws IOException {
        // The first five ask for seven.
        tool.throughput = () -> {
            String last = tool.started.get(tool.started.size() - 1);
            long repeat = tool.started.stream().filter(last::equals).count();
            return !last.endsWith("-threads 2") ? 10_000 : repeat % 2 == 1 ? 10_833 : 9_231;
        };
        Experiment experiment = Words.experiment(
                "{axes: {threads: [1, 2]}, fixed: {binding: b}, repeats: 12, order: interleaved, until: 10%}");
        Path directory = root.resolve("e");
        ExperimentRunner first = runner(experiment, directory);
        tool.beforeEach = () -> {
            if (tool.started.size() == 7 * 3 - 1) {
                first.stop();
            }
        };
        assertThat(first.run()).isFalse();
        tool.beforeEach = () -> {};
        said.clear();

        assertThat(runner(experiment, directory).run()).isTrue();

        assertThat(said)
                .filteredOn(line -> line.startsWith("after repeat "))
                .singleElement()
                .asString()
                .startsWith("after repeat 7: ");
        assertThat(PlanData.read(directory).repeats()).isEqualTo(7);
        assertThat(ExperimentReport.write(directory).counting()).isEqualTo(21);
    }

    @Test
    void aResumedExperimentRunsOnlyWhatIsMissingAndGivesTheSameTable() throws IOException {
        Path whole = root.resolve("whole");
        Path parts = root.resolve("parts");
        tool.failures.put("v002", 1);
        runner(experiment(""), whole).run();
        tool.started.clear();
        ExperimentRunner first = runner(experiment(""), parts);
        tool.beforeEach = () -> {
            if (tool.started.size() == 2) {
                first.stop();
            }
        };
        boolean complete = first.run();
        tool.beforeEach = () -> {};
        // The run directory of a cell was not finished when the process was killed.
        Files.delete(parts.resolve("cells/v001-threads-1-r1/run/summary.json"));

        boolean resumed = runner(experiment(""), parts).run();

        assertThat(complete).isFalse();
        assertThat(resumed).isTrue();
        assertThat(table(parts)).hasSize(8);
        assertThat(states(parts)).isEqualTo(states(whole));
        assertThat(parts.resolve("cells/interrupted/v001-threads-1-r1")).isDirectory();
        assertThat(said).contains("1 of 8 cells are complete already");
    }

    private static List<String> states(Path directory) throws IOException {
        return table(directory).stream()
                .map(line -> line.split(",")[0] + " " + (line.contains(",NA,") ? "NA" : "ok"))
                .toList();
    }

    @Test
    void aClusterIsReusedWhileItsRowsAreWhatTheyWere() throws IOException {
        runner(experiment(", cluster: {engine: embedded}"), root.resolve("e")).run();

        assertThat(clusters("up")).hasSize(1);
        assertThat(tool.started).filteredOn(line -> line.startsWith("load")).hasSize(1);
        assertThat(tool.started).last().asString().startsWith("cluster down");
    }

    /** Else it would have ended later than it did. */
    @Test
    void theStartOfItsClusterIsNoPartOfACellsTime() throws Exception {
        tool.beforeClusters = () -> LockSupport.parkNanos(1_000_000_000);
        Path directory = root.resolve("e");

        runner(experiment(", cluster: {engine: embedded}"), directory).run();

        Instant now = Instant.now();
        ExperimentReport.write(directory);
        Pattern times = Pattern.compile("(\\d{4}-[^,]*Z),([\\d.]+)");
        List<MatchResult> cells = times.matcher(Files.readString(directory.resolve("cells.csv")))
                .results()
                .toList();
        assertThat(cells).hasSize(8).allSatisfy(cell -> assertThat(
                        Instant.parse(cell.group(1)).plusNanos(Math.round(Double.parseDouble(cell.group(2)) * 1e9)))
                .isBefore(now.plusMillis(100)));
    }

    /** Cells that follow each other on one cluster would find it warm, and those of the other variants never would. */
    @Test
    void variantsOnDifferentClustersAllFindANewOne() throws IOException {
        Experiment experiment = Words.experiment(
                "{axes: {backups: [0, 1]}, fixed: {binding: b}, cluster: {engine: embedded}, repeats: 2}");

        runner(experiment, root.resolve("e")).run();

        assertThat(clusters("up")).hasSize(6);
    }

    @Test
    void aCellThatChangesRowsIsFollowedByANewCluster() throws IOException {
        tool.keepsRows = false;

        runner(experiment(", cluster: {engine: embedded}"), root.resolve("e")).run();

        assertThat(clusters("up")).hasSize(8);
        assertThat(clusters("down")).hasSize(8);
    }

    @Test
    void aCellThatChangesRowsIsFollowedByANewTableWhereTheClusterIsShared() throws IOException {
        tool.keepsRows = false;

        runner(experiment(", cluster: {engine: embedded}, share_cluster: true"), root.resolve("e"))
                .run();

        assertThat(clusters("up")).hasSize(1);
        assertThat(tool.started).filteredOn(line -> line.startsWith("load")).hasSize(8);
        // Each cell is given the name of its own table behind its run directory.
        assertThat(tool.lines.stream()
                        .filter(line -> line.startsWith("run"))
                        .map(line -> line.replaceAll(".* -p ", ""))
                        .distinct())
                .hasSize(8)
                .contains("table=t001", "table=t008");
        assertThat(Files.readString(root.resolve("e/cells/v001-threads-1-r1/cell.json"))
                        + Files.readString(root.resolve("e/cells/v002-threads-2-r1/cell.json")))
                .contains("\"prepared\" : \"loaded\"");
    }

    @Test
    void variantsOnDifferentClustersShareThemWhereTheExperimentSaysSo() throws IOException {
        tool.drill = true;
        Experiment experiment = Words.experiment(
                "{axes: {backups: [0, 1], threads: [1, 2]}, fixed: {binding: b}, cluster: {engine: embedded}, repeats: 1,"
                        + " order: interleaved, share_cluster: true, renew_after_drill: false}");

        runner(experiment, root.resolve("e")).run();

        assertThat(clusters("up"))
                .containsExactly("cluster up embedded --backups 0", "cluster up embedded --backups 1");
        assertThat(ExpectedTime.of(
                                experiment,
                                Plan.of(experiment, 1),
                                new CellCommands(experiment, tool),
                                new ExperimentDirectory(root),
                                PassedOn.NOTHING)
                        .clusters())
                .isEqualTo(2);
    }

    @Test
    void aDrillIsFollowedByANewCluster() throws IOException {
        tool.drill = true;

        runner(experiment(", cluster: {engine: embedded}"), root.resolve("e")).run();

        assertThat(clusters("up")).hasSize(8);
    }

    @Test
    void drillsShareAClusterWhereTheExperimentSaysSo() throws IOException {
        tool.drill = true;

        runner(experiment(", cluster: {engine: embedded}, renew_after_drill: false"), root.resolve("e"))
                .run();

        assertThat(clusters("up")).hasSize(1);
    }

    /** What was measured counts, and the nodes have recovered. */
    @Test
    void aDrillThatMissedItsLimitsLeavesItsClusterToTheNextOne() throws IOException {
        tool.drill = true;
        tool.failures.put("-threads 2", 3);

        runner(experiment(", cluster: {engine: embedded}, renew_after_drill: false"), root.resolve("e"))
                .run();

        assertThat(clusters("up")).hasSize(1);
    }

    @Test
    void aSharedClusterIsRenewedAfterADrillThatFailed() throws IOException {
        tool.drill = true;
        tool.failures.put("-threads 2", 1);

        runner(experiment(", cluster: {engine: embedded}, renew_after_drill: false"), root.resolve("e"))
                .run();

        assertThat(clusters("up")).hasSizeBetween(2, 7);
    }

    @Test
    void aClusterThatDoesNotStartMakesItsCellsNa() throws IOException {
        tool.failures.put("cluster up embedded --backups 1", 1);
        Experiment experiment = Words.experiment(
                "{axes: {backups: [0, 1]}, fixed: {binding: b}, cluster: {engine: embedded}, repeats: 1,"
                        + " order: interleaved}");

        ExperimentRunner runner = runner(experiment, root.resolve("e"));

        assertThat(runner.run()).isTrue();
        assertThat(runner.objections())
                .containsExactly(
                        "backups=1, repeat 1: the cluster did not start: exit code 1; see clusters/002-up.txt");
    }

    @Test
    void clustersOfALaterPartGoOnWithTheNumbersAlsoWithThoseOfFourDigits() throws IOException {
        tool.failures.put("cluster up embedded", 1);
        ExperimentRunner runner = runner(
                Words.experiment("{axes: {threads: [1]}, fixed: {binding: b}, cluster: {engine: embedded}}"),
                root.resolve("e"));
        Files.createDirectories(root.resolve("e/clusters"));
        Files.createFile(root.resolve("e/clusters/999-up.txt"));
        Files.createFile(root.resolve("e/clusters/1000-up.txt"));

        runner.run();

        assertThat(runner.objections()).first().asString().endsWith("see clusters/1001-up.txt");
    }
}
