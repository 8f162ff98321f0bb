package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of suites before anything is started. */
class SuiteCommandTest {
    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).with(new FakeEngine("embedded")).file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=20
                operationcount=50
                """).file("my.yaml", """
                title: "A title"
                source: {text: who, url: https://example.org}
                experiments:
                  one:
                    axes: {threads: [1, 2]}
                    fixed: {binding: %1$s, workload: w, duration: 30s}
                  two:
                    axes: {threads: [4]}
                    fixed: {binding: %1$s, workload: w, duration: 30s}
                engines: {embedded: {}}
                scale: {seed: {}, small: {all: {repeats: 2}}}
                """.formatted(
                        StoreDb.class.getName()));
    }

    @Test
    void aDryRunShowsTheCellsOfEveryExperimentAndStartsNothing() {
        int exitCode = world.execute("suite", "my.yaml", "--dry-run");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.out())
                .contains("experiment my one: 6 cells", "experiment my two: 4 cells", "v002-threads-2-r2: ycsb run ");
        assertThat(world.directory().resolve("results")).doesNotExist();
    }

    /** Both need the same one, with the same rows. */
    @Test
    void theClusterOfOneExperimentIsExpectedToBeThatOfTheNext() {
        assertThat(world.execute("suite", "my.yaml", "--dry-run"))
                .as(world.err())
                .isZero();

        assertThat(world.out().lines().filter(line -> line.contains("1 cluster and")))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("expected in all: "));
    }

    /** Its cluster is the suite's, and may be up. */
    @Test
    void anExperimentOfASuiteIsContinuedWithIt() {
        world.file("s/suite-plan.json", "{}")
                .file("s/one/experiment.yaml", """
                axes: {threads: [1]}
                fixed: {binding: %s, workload: w, duration: 30s}
                """.formatted(StoreDb.class.getName()))
                .file("s/one/plan.json", """
                {"schema": 1, "variants": [{"number": 1, "levels": {"threads": "1"}, "command": "ycsb run"}]}
                """);

        assertThat(world.execute("experiment", "--resume", "s/one")).isEqualTo(2);

        assertThat(world.err())
                .contains("s/one is an experiment of a suite; continue it with: ycsb suite --resume ", "/s --only one");
    }

    /** They were checked and run with other files of the same names, or refused. */
    @Test
    void furtherExperimentsOfASuiteAreBegunWhereTheFirstOnesWere() throws IOException {
        Path there = world.directory().resolve("there");
        world.file("there/v", "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=20\n")
                .file("s/suite-plan.json", "{\"schema\": 1, \"engine\": \"embedded\", \"scale\": \"seed\"}")
                .file(
                        "s/suite.yaml",
                        Files.readString(world.directory().resolve("my.yaml")).replace("workload: w", "workload: v"))
                .file("s/one/experiment.yaml", """
                axes: {threads: [1]}
                fixed: {binding: %s, workload: v, duration: 30s}
                """.formatted(StoreDb.class.getName()))
                .file("s/one/plan.json", """
                {"schema": 1, "workingDirectory": "%s",
                "variants": [{"number": 1, "levels": {"threads": "1"}, "command": "ycsb run"}]}
                """.formatted(there));

        assertThat(world.execute("suite", "--resume", "s", "--only", "two", "--dry-run"))
                .as(world.err())
                .isZero();
        assertThat(world.out()).contains(" two: 2 cells");
    }

    @Test
    void anExperimentOfWhichNothingCanBeMeasuredIsRunOnlyWhenAskedFor() throws IOException {
        String claim = "claims: {c: {quote: q, kind: absolute, not_measured: every node has every row}}";
        world.file(
                "claims.yaml",
                Files.readString(world.directory().resolve("my.yaml"))
                        .replace("axes: {threads: [4]}", "axes: {threads: [4]}\n    " + claim));

        assertThat(world.execute("suite", "claims.yaml", "--dry-run"))
                .as(world.err())
                .isZero();
        assertThat(world.out()).contains("claims one").doesNotContain("claims two");
        assertThat(world.err())
                .contains("experiment two is left out, as nothing that is claimed of it can be measured here (every"
                        + " node has every row); --only two runs it");

        world = new World(root).with(new FakeEngine("embedded"));
        assertThat(world.execute("suite", "claims.yaml", "--only", "two", "--dry-run"))
                .as(world.err())
                .isZero();
        assertThat(world.out()).contains("claims two").doesNotContain("claims one");
        assertThat(world.err()).doesNotContain("left out");
    }

    @Test
    void onlyOneExperimentAtTheSourcesScale() {
        int exitCode = world.execute("suite", "my.yaml", "--only", "two", "--scale", "seed", "--dry-run");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.out()).contains("experiment my two: 2 cells").doesNotContain("my one");
    }

    @Test
    void withoutANameTheSuitesAreListed() throws IOException {
        Files.createDirectories(world.directory().resolve("workloads/suites"));
        Files.copy(world.directory().resolve("my.yaml"), world.directory().resolve("workloads/suites/my.yaml"));

        assertThat(world.execute("suite")).isZero();

        assertThat(world.out()).contains("my").contains("A title").doesNotContain("\"");

        world = new World(root);
        assertThat(world.execute("suite", "--json")).isZero();
        assertThat(Json.READER.readTree(world.out()).toString())
                .isEqualTo("{\"schema\":1,\"suites\":[{\"name\":\"my\",\"title\":\"A title\"}]}");
    }

    @Test
    void aSuiteThatIsBeingRunIsNotContinued() throws IOException {
        Path there = Files.createDirectories(world.directory().resolve("s"));
        Files.copy(world.directory().resolve("my.yaml"), there.resolve("suite.yaml"));
        world.file(
                "s/suite-plan.json",
                "{\"schema\": 1, \"engine\": \"embedded\", \"scale\": \"seed\", \"properties\": {}}");

        ProcessLock running = ProcessLock.take(there.resolve(ExperimentLock.NAME), IllegalStateException::new);
        try {
            assertThat(world.execute("suite", "--resume", "s")).as(world.err()).isEqualTo(2);
        } finally {
            running.close();
        }

        assertThat(world.err())
                .contains(there + " is being run by process "
                        + ProcessHandle.current().pid());
        assertThat(there.resolve("one")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "my.yaml --only three, --only three is not an experiment of the suite",
        "my.yaml --on nope.yaml, the inventory --on nope.yaml is not there",
        "my.yaml --on nbd, the suite does not say how to run it on \"nbd\"",
        "my.yaml --scale tiny, expected seed",
        "mine, suite \"mine\" is not there",
        "no.yaml, suite file",
        "my.yaml --resume there, --resume continues with what is in its directory",
        "--resume there, --resume",
        "my.yaml -p db.passwd=x, a secret would be seen in the process list",
    })
    void saysWhatIsWrong(String arguments, String problem) {
        String[] words = ("suite " + arguments).split(" ");

        assertThat(world.execute(words)).isEqualTo(2);
        assertThat(world.err()).contains(problem.replace("", ""));
        assertThat(world.directory().resolve("results")).doesNotExist();
    }

    /** It was ignored by these cells: all of them were run as if it had not been typed. */
    @Test
    void aPropertyThatAnAxisSetsIsRefusedUnlessItsExperimentIsLeftOut() {
        world.file("rows.yaml", """
                title: t
                source: {text: who, url: u}
                experiments:
                  one:
                    axes: {threads: [1, 2]}
                    fixed: {binding: %1$s, workload: w, duration: 30s}
                  sizes:
                    axes: {rows: {small: {fieldlength: 400, recordcount: 100}, large: {recordcount: 25}}}
                    fixed: {binding: %1$s, workload: w, duration: 30s}
                engines: {embedded: {}}
                scale: {seed: {}}
                """.formatted(StoreDb.class.getName()));
        String[] suite = {"suite", "rows.yaml", "--scale", "seed", "-p", "recordcount=5000", "--dry-run"};

        assertThat(world.execute(suite)).isEqualTo(2);
        assertThat(world.err())
                .contains("-p recordcount: the levels of the axis rows of the experiment sizes set it themselves");

        String[] other = {
            "suite", "rows.yaml", "--scale", "seed", "-p", "recordcount=5000", "--dry-run", "--only", "one"
        };
        assertThat(world.execute(other)).as(world.err()).isZero();
        assertThat(world.out()).contains("-p recordcount=5000");
    }

    /** The others were begun with their own values, under a page that said another one for all cells. */
    @Test
    void aPropertyThatAnAxisSetsIsRefusedWhenItsExperimentIsChosenLater() throws IOException {
        String rows = """
                title: t
                source: {text: who, url: u}
                experiments:
                  one:
                    axes: {threads: [1, 2]}
                    fixed: {binding: %1$s, workload: w, duration: 30s}
                  sizes:
                    axes: {recordcount: [25, 100]}
                    fixed: {binding: %1$s, workload: w, duration: 30s}
                engines: {embedded: {}}
                scale: {seed: {}}
                """.formatted(StoreDb.class.getName());
        world.file("s/suite.yaml", rows)
                .file(
                        "s/suite-plan.json",
                        "{\"schema\": 1, \"engine\": \"embedded\", \"scale\": \"seed\", \"properties\": {\"recordcount\": \"5000\"}}");

        assertThat(world.execute("suite", "--resume", "s", "--dry-run")).isEqualTo(2);
        assertThat(world.err())
                .contains("-p recordcount: the levels of the axis recordcount of the experiment sizes set it");

        assertThat(world.execute("suite", "--resume", "s", "--only", "one", "--dry-run"))
                .as(world.err())
                .isZero();
        assertThat(world.out()).contains("-p recordcount=5000");
    }

    /** An option won over the property, whatever was typed. */
    @Test
    void aPropertyTakesThePlaceOfTheOptionThatSetsTheSame() {
        assertThat(world.execute("suite", "my.yaml", "-p", "maxexecutiontime=7", "--dry-run"))
                .as(world.err())
                .isZero();
        assertThat(world.out()).contains("-p maxexecutiontime=7").doesNotContain("--duration");

        assertThat(world.execute("suite", "my.yaml", "-p", "threadcount=8", "--dry-run"))
                .isEqualTo(2);
        assertThat(world.err())
                .contains("-p threadcount: the levels of the axis threads of the experiment two set it themselves");
    }

    @Test
    void aCommandOfALaterExperimentThatWouldBeRefusedIsFoundBeforeTheFirstIsStarted() {
        world.file("bad.yaml", """
                title: t
                source: {text: who, url: u}
                experiments:
                  one: {axes: {threads: [1]}, fixed: {binding: %1$s, workload: w}}
                  two: {axes: {threads: [many]}, fixed: {binding: %1$s, workload: w}}
                engines: {embedded: {}}
                scale: {seed: {}}
                """.formatted(StoreDb.class.getName()));

        assertThat(world.execute("suite", "bad.yaml", "--scale", "seed", "--out", "s"))
                .isEqualTo(2);
        assertThat(world.err()).contains("threadcount=many is not a whole number");
        assertThat(world.directory().resolve("s")).doesNotExist();
    }
}
