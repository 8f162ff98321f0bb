package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.experiment.run.Tool;
import io.ycsbdrill.experiment.spec.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of experiments before anything is started. */
class ExperimentCommandTest {
    private static final String STORE = StoreDb.class.getName();

    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).with(new FakeEngine("embedded")).file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=20
                operationcount=50
                """);
    }

    @Test
    void aDryRunShowsCellsOrderCommandsAndTimeAndStartsNothing() {
        world.file("e.yaml", """
                axes: {threads: [1, 2]}
                fixed: {binding: %s, workload: w, duration: 30s}
                repeats: 2
                """.formatted(STORE));

        int exitCode = world.execute("experiment", "e.yaml", "--dry-run");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.out())
                .startsWith("experiment e: 6 cells, order random (seed ")
                .contains("v002-threads-2-r1: ycsb run " + STORE
                        + " -P w --duration 30s -threads 2 --out DIR/cells/v002-threads-2-r1/run\n")
                .contains("expected: about 3 min\n");
        assertThat(world.directory().resolve("results")).doesNotExist();
    }

    @Test
    void aCellThatWouldBeEndedBeforeItIsCompleteIsRefused() {
        world.file("e.yaml", """
                axes: {threads: [1, 2]}
                fixed: {binding: %s, workload: w, duration: 1h}
                timeout: 1h
                """.formatted(STORE));

        assertThat(world.execute("experiment", "e.yaml", "--out", "e")).isEqualTo(2);
        assertThat(world.err()).contains("timeout 1h: the command runs for 1h");
        assertThat(world.directory().resolve("e")).doesNotExist();
    }

    /** It may be complete long before the time that is only a limit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fixed: {binding: %s, workload: w, operationcount: 100000, maxexecutiontime: 900}",
                "fixed: {binding: %s, workload: w, maxexecutiontime: 7200}",
                "fixed: {binding: %s, workload: w, operationcount: 100000, duration: 2h}",
                "fixed: {binding: %s, workload: w, maxexecutiontime: 7200}\ncommand: load"
            })
    void aCellThatANumberOfOperationsEndsIsNotTooLong(String settings) {
        world.file("e.yaml", "axes: {threads: [1, 2]}\ntimeout: 10m\n" + settings.formatted(STORE) + "\n");

        assertThat(world.execute("experiment", "e.yaml", "--dry-run"))
                .as(world.err())
                .isZero();
    }

    @Test
    void aCommandThatWouldBeRefusedIsFoundBeforeAnythingStarts() {
        world.file("e.yaml", """
                axes: {threads: [1, many]}
                fixed: {binding: %s, workload: [w, nowhere], warmup: 5}
                """.formatted(STORE));

        assertThat(world.execute("experiment", "e.yaml", "--out", "e")).isEqualTo(2);
        assertThat(world.err())
                .contains(
                        "-P nowhere: no such file",
                        "--warmup: \"5\" has no unit",
                        "threadcount=many is not a whole number");
        assertThat(world.directory().resolve("e")).doesNotExist();
    }

    /** It was appended to the file as one more line. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "axes: {threads: [1, 2]}\nuntil: 50%%\nfixed: {binding: %s, workload: w}\n",
                "{axes: {threads: [1, 2]}, fixed: {binding: %s, workload: w}}",
                "axes: {threads: [1, 2]}\nfixed: {binding: %s, workload: w}\nrepeats: 30"
            })
    void untilOfTheCommandLineTakesThePlaceOfTheFiles(String text) {
        world.file("e.yaml", text.formatted(STORE));

        assertThat(world.execute("experiment", "e.yaml", "--until", "10%", "--dry-run"))
                .as(world.err())
                .isZero();
        assertThat(world.out())
                .startsWith("experiment e: 90 cells")
                .contains("repeated until \u00b1 10.0 %, at most 30 times");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10%  | repeats: 3        | --until needs repeats of 5 or more: e.yaml has 3
            10%  | order: sequential | --until cannot be combined with order: sequential
            many | repeats: 9        | --until "many"; expected a percentage: 50%
            """)
    void whatIsWrongWithUntilNamesTheOption(String until, String key, String message) {
        world.file("e.yaml", "axes: {threads: [1, 2]}\nfixed: {binding: %s, workload: w}\n%s\n".formatted(STORE, key));

        assertThat(world.execute("experiment", "e.yaml", "--until", until, "--dry-run"))
                .isEqualTo(2);
        assertThat(world.err()).contains("error: " + message).doesNotContain("out of range");
    }

    @Test
    void aSweepIsAnExperimentWithAnAscent() {
        int exitCode = world.execute(
                "sweep",
                STORE,
                "-P",
                "w",
                "--axis",
                "threads=4,1,2",
                "--axis",
                "fieldlength=10,20",
                "--repeats",
                "2",
                "-p",
                "store=x",
                "--dry-run");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.out().lines().filter(line -> line.startsWith("v")).limit(6))
                .extracting(line -> line.replaceFirst(":.*", ""))
                .containsExactly(
                        "v001-threads-1-fieldlength-10-r1",
                        "v002-threads-1-fieldlength-20-r1",
                        "v003-threads-2-fieldlength-10-r1",
                        "v004-threads-2-fieldlength-20-r1",
                        "v005-threads-4-fieldlength-10-r1",
                        "v006-threads-4-fieldlength-20-r1");
        assertThat(world.out()).contains(" -p store=x ", " --duration 15s --warmup 5s ");
    }

    @Test
    void aSweepAtAShareOfTheMaximumIsLongerByTheCalibration() {
        String[] sweep = {"sweep", STORE, "-P", "w", "--axis", "threads=1,2", "--rate", "60%", "--dry-run"};

        assertThat(world.execute(sweep)).as(world.err()).isZero();
        assertThat(world.out()).contains(" --duration 40s --warmup 5s ");

        world.file("w", "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=20\nload.calibration=10s\n");
        assertThat(world.execute(sweep)).as(world.err()).isZero();
        assertThat(world.out()).contains(" --duration 25s --warmup 5s ");
    }

    /** An axis threadcount was beaten by the option for 32 threads, and an axis threads was refused. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --axis rate=100,200 --axis threadcount=8,64 | -p threadcount=8
            --axis rate=100,200 --axis threads=8,64     | -threads 8
            --axis rate=100,200                         | -threads 32
            --axis rate=100,200 -p threadcount=8        | -p threadcount=8
            """)
    void aSweepByRateHasTheThreadsOfAnAxis(String options, String threads) {
        assertThat(sweep(options)).as(world.err()).isZero();

        assertThat(cells()).isNotEmpty().allSatisfy(cell -> assertThat(cell).containsOnlyOnce("thread"));
        assertThat(cells().get(0)).contains(" " + threads);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--axis threads=1,2 --axis duration=10s,20s",
                "--axis threads=1,2 --axis maxexecutiontime=10,20",
                "--axis threads=1,2 --axis operationcount=10,20",
                "--axis threads=1,2 --duration 10s"
            })
    void aSweepWhoseLengthIsGivenHasNoOther(String options) {
        assertThat(sweep(options)).as(world.err()).isZero();

        assertThat(cells()).isNotEmpty().noneMatch(cell -> cell.contains("--duration 15s"));
    }

    @Test
    void aSweepByWarmUpsHasNoOther() {
        assertThat(sweep("--axis threads=1,2 --axis warmup=1s,2s"))
                .as(world.err())
                .isZero();

        assertThat(cells()).isNotEmpty().allSatisfy(cell -> assertThat(cell)
                .contains("--duration 15s")
                .containsOnlyOnce("--warmup ")
                .doesNotContain("--warmup 5s"));
    }

    private int sweep(String options) {
        return world.execute(
                Stream.concat(Stream.of("sweep", STORE, "-P", "w", "--dry-run"), Stream.of(options.split(" ")))
                        .toArray(String[]::new));
    }

    /** The command lines of the cells that a dry run shows. */
    private List<String> cells() {
        return world.out()
                .lines()
                .filter(line -> line.startsWith("v"))
                .map(line -> line.replaceFirst("[^:]*: ", "").replaceFirst(" --out .*", ""))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --axis threads                    | is not NAME=V1,V2
            --axis threads=1,,2               | is not NAME=V1,V2
            --axis workload=a,b               | the first axis ascends, so its values must be numbers
            --axis thraeds=1,2                | did you mean "threads"?
            --repeats 3                       | no axis given
            --axis threads=1 -p db.passwd=a   | a secret would be seen
            --axis threads=1 --resume x       | leave out BINDING, -P, --axis
            """)
    void aSweepRefuses(String options, String message) {
        String[] arguments = Stream.concat(
                        Stream.of("sweep", STORE, "-P", "w", "--dry-run"),
                        Stream.of(options.strip().split(" ")))
                .toArray(String[]::new);

        assertThat(world.execute(arguments)).isEqualTo(2);
        assertThat(world.err()).contains(message);
    }

    @Test
    void resumeNeedsTheDirectoryOfAnExperiment() throws IOException {
        Files.createDirectories(world.directory().resolve("d"));

        assertThat(world.execute("experiment", "--resume", "d")).isEqualTo(2);
        assertThat(world.err()).contains("is not the directory of an experiment");
        assertThat(world.execute("experiment")).isEqualTo(2);
        assertThat(world.err()).contains("no experiment given");
    }

    /** Its cell was ended and recorded as NA, and from then on both measured at the same time. */
    @Test
    void anExperimentThatIsBeingRunIsNotContinued() throws IOException {
        Path there = world.directory().resolve("e");
        world.file(
                "e/plan.json",
                "{\"schema\": 1, \"variants\": [{\"number\": 1}], \"seed\": 1, \"workingDirectory\": \""
                        + world.directory() + "\"}");
        world.file("e/experiment.yaml", """
                axes: {threads: [1, 2]}
                fixed: {binding: %s, workload: w, duration: 30s}
                """.formatted(STORE));

        ProcessLock running = ProcessLock.take(there.resolve(ExperimentLock.NAME), IllegalStateException::new);
        try {
            assertThat(world.execute("experiment", "--resume", "e"))
                    .as(world.err())
                    .isEqualTo(2);
        } finally {
            running.close();
        }

        assertThat(world.err())
                .contains(there + " is being run by process "
                        + ProcessHandle.current().pid());
        assertThat(there).isDirectoryNotContaining(file -> file.endsWith("clusters") || file.endsWith("cells"));
    }

    /** It took a second of each, in which nothing is measured. */
    @Test
    void cellsDrawNoCharts() {
        Tool tool = new ExperimentTool(world.surroundings());

        assertThat(tool.program(List.of("run", STORE, "-P", "w"))).endsWith("-P", "w", "--no-charts");
        assertThat(tool.program(List.of("run", "--no-charts", STORE))).containsOnlyOnce("--no-charts");
        assertThat(tool.program(List.of("cluster", "up"))).endsWith("cluster", "up");
    }

    /** The table can be shared by runs that only read or update, and differ in nothing that is in the table. */
    @Test
    void knowsWhatACommandDoesToItsTable() {
        Tool tool = new ExperimentTool(world.surroundings());
        Tool.Inspection reads = tool.inspect(List.of("run", STORE, "-P", "w", "-threads", "1"));

        assertThat(reads.problems()).isEmpty();
        assertThat(reads.keepsRows()).isTrue();
        assertThat(reads.load())
                .containsExactly("load", STORE, "-P", "w", "-p", "target=0", "-p", "maxexecutiontime=0");
        assertThat(tool.inspect(List.of("run", STORE, "-P", "w", "-threads", "9", "-p", "readproportion=0.2"))
                        .table())
                .isEqualTo(reads.table());
        assertThat(tool.inspect(List.of("run", STORE, "-P", "w", "-p", "tpcc.mode=2pc"))
                        .table())
                .as("all modes begin with the same rows")
                .isEqualTo(reads.table());
        assertThat(tool.inspect(List.of("run", STORE, "-P", "w", "-p", "fieldlength=7"))
                        .table())
                .isNotEqualTo(reads.table());
        assertThat(tool.inspect(List.of("run", STORE, "-P", "w", "-p", "insertproportion=0.05"))
                        .keepsRows())
                .isFalse();
        assertThat(tool.inspect(List.of("run", STORE, "-P", "w", "-p", "deleteproportion=0.05"))
                        .keepsRows())
                .isFalse();
        assertThat(tool.inspect(List.of("load", STORE, "-P", "w")).keepsRows()).isFalse();
        assertThat(tool.inspect(List.of("load", STORE, "-P", "w")).load()).isEmpty();
    }

    /** What measures nothing is loaded as fast as it can be; bindings of others insert row by row. */
    @Test
    void aTableIsLoadedByBatchesUnlessSomethingElseIsSaid() {
        Tool tool = new ExperimentTool(world.surroundings());

        assertThat(tool.inspect(List.of("run", "jdbc", "-P", "w")).load()).endsWith("-p", "db.batchsize=100");
        assertThat(tool.inspect(List.of("run", "jdbc", "-P", "w", "-p", "fieldlength=100000"))
                        .load())
                .as("rows of a megabyte")
                .endsWith("-p", "db.batchsize=1");
        assertThat(tool.inspect(List.of("run", "jdbc", "-P", "w", "-p", "db.batchsize=7"))
                        .load())
                .contains("db.batchsize=7")
                .doesNotContain("db.batchsize=100");
        assertThat(tool.inspect(List.of("run", "jdbc", "-P", "w", "-p", "workload=its.Workload"))
                        .load())
                .doesNotContain("db.batchsize=100");
    }

    /** Those of others may keep their rows in another place, or in another shape. */
    @Test
    void onlyTheBindingsOfThisToolShareATable() {
        Tool tool = new ExperimentTool(world.surroundings());

        assertThat(tool.inspect(List.of("run", "-P", "w", "-db", "a.A")).table())
                .contains("a.A")
                .isNotEqualTo(
                        tool.inspect(List.of("run", "-P", "w", "-db", "b.B")).table());
        assertThat(tool.inspect(List.of("run", "native", "-P", "w")).table())
                .isNotEmpty()
                .isEqualTo(tool.inspect(List.of("run", "jdbc", "-P", "w")).table());
    }

    @Test
    void optionsForTheJvmOfACellAreGivenToIt() {
        List<String> command = new ExperimentTool(world.surroundings())
                .program(List.of("run", "basic", "-jvm-args", "-Xmx77m -Xss1m", "-cp", "more.jar"));

        assertThat(command).containsSubsequence("-Xmx77m", "-Xss1m", "-cp").endsWith("run", "basic", "--no-charts");
        assertThat(command.get(command.indexOf("-cp") + 1)).endsWith("more.jar");
    }

    static Stream<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../workloads/experiments"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everySampleIsValid(Path sample) throws Exception {
        assertThat(ExperimentFile.parse(
                                sample.getFileName().toString(),
                                Files.readString(sample),
                                ExperimentWords.of(new World(root).with().surroundings()))
                        .experiment()
                        .variants())
                .hasSizeGreaterThan(1);
    }
}
