package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ab} understands, and what it says of runs that were done before. */
class AbCommandTest {
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
                        """).file("more.properties", "store=more\n");
    }

    private void dryRun(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "ab";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--dry-run";
        assertThat(world.execute(all)).as(world.err()).isZero();
    }

    private List<String> cells() {
        return world.out()
                .lines()
                .filter(line -> line.startsWith("v"))
                .map(line -> line.replaceFirst(":.*", ""))
                .toList();
    }

    @Test
    void eachPairIsABlockOfABAndAAgainInADrawnOrder() {
        dryRun("threads=1", "threads=2", "--binding", STORE, "-P", "w", "--pairs", "2");

        for (int pair = 1; pair <= 2; pair++) {
            assertThat(cells().subList(3 * pair - 3, 3 * pair))
                    .containsExactlyInAnyOrder(
                            "v001-variant-A_threads_1-r" + pair,
                            "v002-variant-B_threads_2-r" + pair,
                            "v001-variant-A_threads_1-r" + pair + "-aa");
        }
        assertThat(world.out())
                .contains("6 cells, order random (seed ")
                .contains("ycsb run " + STORE + " -P w -threads 2 --out");
        assertThat(world.directory().resolve("results")).doesNotExist();
    }

    @Test
    void theSameSeedDrawsTheSameOrder() {
        dryRun("threads=1", "threads=2", "--binding", STORE, "-P", "w", "--pairs", "6", "--seed", "-7");
        List<String> first = cells();
        world();
        dryRun("threads=1", "threads=2", "--binding", STORE, "-P", "w", "--pairs", "6", "--seed", "-7");

        assertThat(cells()).isEqualTo(first);
        assertThat(world.out()).contains("order random (seed -7)");
    }

    @Test
    void theFirstPairsDecideHowManyThereAre() {
        dryRun("threads=1", "threads=2", "--binding", STORE, "-P", "w", "--until", "10%");
        assertThat(world.out()).contains("repeated until \u00b1 10.0 %, at most 30 times");

        dryRun("threads=1", "threads=2", "--binding", STORE, "-P", "w", "--until", "5%", "--pairs", "9");
        assertThat(world.out()).contains("repeated until \u00b1 5.0 %, at most 9 times");
    }

    /** Its file says nothing of an order, and the default was another one when it was begun. */
    @Test
    void whatIsContinuedKeepsItsOrder() throws IOException {
        done(2, 1);

        assertThat(judged("--dry-run")).as(world.err()).isZero();
        assertThat(world.out()).contains("order interleaved");
        assertThat(cells())
                .containsExactly(
                        "v001-variant-A_threads_1-r1",
                        "v002-variant-B_threads_2-r1",
                        "v001-variant-A_threads_1-r1-aa",
                        "v001-variant-A_threads_1-r2",
                        "v002-variant-B_threads_2-r2",
                        "v001-variant-A_threads_1-r2-aa");
    }

    @Test
    void aResultAsJsonIsNothingElse() throws IOException {
        done(3, 0.7);
        world = new World(root).with(new FakeEngine("embedded"));

        assertThat(judged("--json")).as(world.err()).isZero();

        JsonNode json = Json.READER.readTree(world.out());
        assertThat(json.path("kind").asText()).isEqualTo("ab");
        assertThat(json.at("/cells/counting").asInt()).isEqualTo(9);
        assertThat(world.out()).isEqualTo(Files.readString(world.directory().resolve("ab/experiment.json")));
        assertThat(world.execute("report", "--json", "ab")).isZero();
        assertThat(judged("--json", "--dry-run")).isEqualTo(2);
        assertThat(world.err()).contains("--json prints results, and --dry-run makes none");
    }

    @Test
    void onlyTheChosenFiguresDecide() throws IOException {
        done(3, 0.7);

        assertThat(judged("--max-worse", "10%", "--figures", "throughput")).isEqualTo(3);
        assertThat(judged("--max-worse", "10%", "--figures", "READ p99")).isEqualTo(1);
        assertThat(world.err()).contains("cannot be said: READ p99: not measured");
    }

    @Test
    void sidesAreSettingsFilesBindingsOrWholeCommands() {
        dryRun("w", "more.properties", "--binding", STORE, "-P", "w", "--pairs", "1", "--set", "threads=3");
        assertThat(world.out()).contains(STORE + " -P w -P more.properties -threads 3");

        dryRun("run " + STORE + " -P w", "run " + STORE + " -P w -threads 2 -cp newer.jar", "--pairs", "1");
        assertThat(world.out())
                .contains("v002-variant-B-r1: ycsb run " + STORE + " -P w -threads 2 -cp newer.jar --out");

        dryRun("threads=1,duration=12s", "threads=1,duration=13s", "--binding", STORE, "-P", "w", "--pairs", "1");
        assertThat(world.out()).contains("-threads 1 --duration 13s");
    }

    /** Once every cell was ended after an hour, and did not count. */
    @Test
    void runsOfAnHourAreAllowed() {
        dryRun("threads=1", "threads=2", "--binding", STORE, "-P", "w", "--pairs", "1", "--set", "duration=1h");

        assertThat(world.out()).contains("-threads 2", "--duration 1h", "expected: about 180 min");

        dryRun("run " + STORE + " -P w --duration 2h", "run " + STORE + " -P w --duration=3h", "--pairs", "1");
    }

    @Test
    void aAgainstItselfIsAllowed() {
        dryRun("../cwd/w", "../cwd/w", "--binding", STORE, "--pairs", "1");
        assertThat(world.out()).startsWith("experiment cwd-w against ..-cwd-w: 3 cells");

        dryRun("w", "w", "--binding", STORE, "-P", "w", "--pairs", "1");

        assertThat(world.out()).contains("v001-variant-A_w-r1", "v002-variant-B_w-r1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            threads=1                                 | B is missing: ycsb ab A B
            threads=1 nowhere.properties              | B "nowhere.properties" does not exist, or is not a run, workload or command
            threads=1 threads=2 --pairs 0             | --pairs 0; expected 1 to 500
            threads=1 threads=2 --until 10% --pairs 4 | --until needs --pairs of 5 or more, and has 4
            threads=1 threads=2 --until many          | --until "many"; expected a percentage: 50%
            threads=1 threads=2 --max-worse 5         | --max-worse "5"; expected a share of A's figure in percent
            threads=1 threads=2 --junit x.xml         | --junit needs --max-worse
            threads=1 threads=2 --figures Throughput  | --figures needs --max-worse
            threads=1 threads=2 --max-worse 5% --figures Thruoghput | did you mean "Throughput"?
            threads=1 threads=2 --max-worse 5% --pairs 2 | --max-worse cannot be judged with --pairs 2; expected 3 or more
            threads=1 kill.yaml                       | only one of A and B is a drill
            threads=1 thraeds=2                       | did you mean "threads"?
            threads=1 threads=2 --settle 5            | has no unit
            backups=1 backups=2                       | cluster
            threads=1 threads=2 --resume x            | leave out A, B, --binding, -P
            --resume x --pairs 9 --max-worse 5% --dry-run | leave out --pairs, --binding, -P
            """)
    void whatIsWrongIsSaidBeforeAnythingStarts(String arguments, String expected) {
        String[] words = ("ab " + arguments + " --binding " + STORE + " -P w").split(" ");

        assertThat(world.execute(words)).as(world.err()).isEqualTo(2);
        assertThat(world.err()).contains(expected);
        assertThat(world.directory().resolve("results")).doesNotExist();
    }

    @Test
    void wholeCommandsAreNotMixedWithSettings() {
        assertThat(world.execute("ab", "run x", "threads=1")).isEqualTo(2);
        assertThat(world.err()).contains("only one of A and B is a whole command");
        assertThat(world.execute("ab", "run x", "run y", "-P", "w")).isEqualTo(2);
        assertThat(world.err()).contains("write them into A and B");
    }

    /** The directory of an experiment whose cells are complete; B's throughput is a multiple of A's. */
    private void done(int pairs, double ratio) throws IOException {
        world.file("ab/experiment.yaml", """
                name: ab
                axes: {variant: {A threads=1: {threads: 1}, B threads=2: {threads: 2}}}
                fixed: {binding: %s, workload: w}
                repeats: %d
                """.formatted(STORE, pairs));
        StringBuilder cells = new StringBuilder();
        double[] scatter = {1, 1.02, 0.99, 1.01, 0.98, 1.01, 1, 0.99, 1.02};
        for (int i = 0; i < 3 * pairs; i++) {
            boolean ofB = i % 3 == 1;
            boolean twin = i % 3 == 2;
            int repeat = i / 3 + 1;
            String id =
                    (ofB ? "v002-variant-B_threads_2-r" : "v001-variant-A_threads_1-r") + repeat + (twin ? "-aa" : "");
            cells.append(cells.isEmpty() ? "" : ",")
                    .append("{\"id\":\"%s\",\"variant\":%d,\"repeat\":%d,\"twin\":%b}"
                            .formatted(id, ofB ? 2 : 1, repeat, twin));
            String cell = "ab/cells/" + id + "/";
            world.file(cell + "cell.json", """
                    {"state":"ok","reason":"","startedAt":"2026-11-22T12:00:00Z","seconds":1,"exitCode":0,"position":%d}
                    """.formatted(i));
            world.file(cell + "run/run.json", "{\"schema\":1,\"state\":\"complete\",\"threads\":1}");
            world.file(
                    cell + "run/summary.json",
                    String.format(
                            Locale.ROOT,
                            "{\"schema\":1,\"throughputOpsPerSecond\":%f,\"operations\":{\"READ\":{\"ok\":5,\"failed\":0,\"unknown\":0}}}",
                            1000 * scatter[i % scatter.length] * (ofB ? ratio : 1)));
        }
        world.file("ab/plan.json", """
                {"schema":1,"kind":"ab","name":"ab","command":"run","tool":"t","createdAt":"2026-11-22T12:00:00Z",
                "workingDirectory":"%s","order":"interleaved","repeats":%d,"seed":1,"success":{"okShare":1.0,"rateHeld":0.95},
                "axes":[{"name":"variant","levels":["A threads=1","B threads=2"]}],
                "variants":[{"number":1,"levels":{"variant":"A threads=1"},"command":"ycsb run one"},
                {"number":2,"levels":{"variant":"B threads=2"},"command":"ycsb run two"}],
                "charts":[],"cautions":[],"cells":[%s]}
                """.formatted(world.directory(), pairs, cells));
    }

    private int judged(String... more) {
        String[] all = new String[more.length + 3];
        System.arraycopy(new String[] {"ab", "--resume", "ab"}, 0, all, 0, 3);
        System.arraycopy(more, 0, all, 3, more.length);
        return world.execute(all);
    }

    @Test
    void worseBeyondTheBoundIsExitCode3() throws IOException {
        done(3, 0.7);

        assertThat(judged("--max-worse", "10%", "--markdown", "ab.md", "--junit", "ab.xml"))
                .as(world.err())
                .isEqualTo(3);
        assertThat(world.err()).contains("worse: Throughput: worse, B/A 0.69");
        assertThat(world.out()).contains("A: threads=1: ycsb run one", "3 of 3 pairs", "worse in 1");
        assertThat(Files.readString(world.directory().resolve("ab.md"))).contains("| **worse** |");
        assertThat(Files.readString(world.directory().resolve("ab.xml"))).contains("<failure");
        assertThat(Files.readString(world.directory().resolve("ab/experiment.html")))
                .contains("A/B comparison", "worse in 1", "B relative to A");
        assertThat(Files.readString(world.directory().resolve("ab/experiment.md")))
                .contains("| **worse** |");
    }

    @Test
    void withinTheBoundOrWithoutOneItIsNoFailure() throws IOException {
        done(3, 0.7);

        assertThat(judged("--max-worse", "50%")).as(world.err()).isZero();
        assertThat(judged()).isZero();
        done(3, 1);
        assertThat(judged("--max-worse", "0%")).as(world.err()).isZero();
        assertThat(world.out()).contains("not distinguishable");
    }

    @Test
    void twoPairsCannotPassAGate() throws IOException {
        done(2, 1);

        assertThat(judged("--max-worse", "10%")).isEqualTo(1);
        assertThat(world.err()).contains("cannot be judged");
        assertThat(judged()).isZero();
    }
}
