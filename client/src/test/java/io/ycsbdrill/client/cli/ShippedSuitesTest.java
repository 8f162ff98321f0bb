package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.experiment.run.Tool;
import io.ycsbdrill.experiment.spec.ClusterSpec;
import io.ycsbdrill.experiment.spec.ExperimentFile;
import io.ycsbdrill.experiment.spec.ExperimentFileException;
import io.ycsbdrill.experiment.spec.Variant;
import io.ycsbdrill.experiment.spec.Vocabulary;
import io.ycsbdrill.experiment.suite.Suite;
import io.ycsbdrill.experiment.suite.SuiteChoice;
import io.ycsbdrill.experiment.suite.SuiteFile;
import io.ycsbdrill.report.claim.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites in workloads/suites are valid on each engine that they name, at both scales, and claim the same everywhere. */
class ShippedSuitesTest {
    private static final Path FOLDER = Path.of("../workloads/suites");

    static List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> claims(Suite suite) {
        return suite.experiments().entrySet().stream()
                .flatMap(experiment -> experiment.getValue().experiment().claims().stream()
                        .map(claim -> experiment.getKey() + " " + claim.id() + " " + claim.quote()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void isValidOnEachEngineAtEachScale(Path file) throws Exception {
        Vocabulary words = ExperimentWords.of(CommandContext.ofProcess());
        String text = Files.readString(file);
        Suite usual = parse(file, text, words, Optional.empty(), "small");

        assertThat(usual.engine()).contains(text.contains("\n  embedded:") ? "embedded" : "patroni");
        for (String engine : words.clusterOptions().keySet()) {
            if (text.contains("\n  " + engine + ":")) {
                for (String scale : List.of("small", "medium", "seed", "0.5")) {
                    if (scale.equals("medium") && !text.contains("\n  medium:")) {
                        continue;
                    }
                    Suite suite = parse(file, text, words, Optional.of(engine), scale);
                    assertThat(claims(suite))
                            .as("%s on %s, %s", file, engine, scale)
                            .isEqualTo(claims(usual));
                    suite.experiments().values().forEach(ShippedSuitesTest::startsItsClusters);
                }
            }
        }
    }

    /** Else a page would lack what it has always had. */
    @ParameterizedTest
    @MethodSource("shipped")
    void onlyShardingOnGaleraIsLeftOut(Path file) throws Exception {
        Vocabulary words = ExperimentWords.of(CommandContext.ofProcess());
        String text = Files.readString(file);
        for (String engine : words.clusterOptions().keySet()) {
            for (String scale : text.contains("\n  " + engine + ":") ? List.of("small", "seed") : List.<String>of()) {
                Suite suite = parse(file, text, words, Optional.of(engine), scale);
                assertThat(suite.experiments().keySet().stream()
                                .filter(id -> suite.unmeasured(id).isPresent()))
                        .as("%s on %s, %s", file, engine, scale)
                        .isEqualTo(
                                file.endsWith("harperdb-writes.yaml") && engine.equals("galera")
                                        ? List.of("sharding")
                                        : List.of());
            }
        }
    }

    private static void startsItsClusters(ExperimentFile experiment) {
        ExperimentTool tool = new ExperimentTool(CommandContext.ofProcess());
        for (Variant variant : experiment.experiment().variants()) {
            ClusterSpec cluster = variant.cluster().orElseThrow();
            assertThat(tool.clusterProblem(cluster.engine(), cluster.options()))
                    .as("%s, %s", experiment.experiment().name(), variant.levels())
                    .isEmpty();
        }
        // Where this machine is too small that is said.
        Variant first = experiment.experiment().variants().get(0);
        tool.tooSmall(
                        first.cluster().orElseThrow().engine(),
                        first.cluster().orElseThrow().options(),
                        first.arguments(experiment.experiment().command()),
                        0)
                .ifPresent(reason -> assertThat(reason).contains("take a machine with"));
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyRatioAndShapeHasAnIntervalAtScaleSmall(Path file) throws Exception {
        Suite suite = parse(
                file,
                Files.readString(file),
                ExperimentWords.of(CommandContext.ofProcess()),
                Optional.empty(),
                "small");

        suite.experiments().values().forEach(experiment -> {
            boolean judges = experiment.experiment().claims().stream()
                    .anyMatch(claim -> claim.kind() != Claim.Kind.ABSOLUTE
                            && claim.notMeasured().isEmpty());
            assertThat(!judges || experiment.experiment().repeats() >= 3).isTrue();
        });
    }

    /** Those that end after a number of operations count only when that took as long, too. */
    @ParameterizedTest
    @MethodSource("shipped")
    void noCellIsKnownToBeTooShortToBeJudgedAndEachHasAnExpectedTime(Path file) throws Exception {
        Vocabulary words = ExperimentWords.of(CommandContext.ofProcess());
        ExperimentTool tool = new ExperimentTool(CommandContext.ofProcess());
        String text = Files.readString(file);
        assertThat(text).as("the bound is that of the program").doesNotContainPattern("[^_]measured:");
        for (String scale : List.of("small", "medium", "seed", "0.5")) {
            if (scale.equals("medium") && !text.contains("\n  medium:")) {
                continue;
            }
            for (ExperimentFile each : parse(file, text, words, Optional.empty(), scale)
                    .experiments()
                    .values()) {
                for (Variant variant : each.experiment().variants()) {
                    List<String> arguments = new ArrayList<>();
                    variant.arguments(each.experiment().command())
                            .forEach(word -> arguments.add(word.replaceFirst("^workloads/", "../workloads/")));
                    Tool.Inspection inspection = tool.inspect(arguments);
                    assertThat(inspection.length().or(each.experiment()::estimate))
                            .as("%s %s", scale, each.experiment().name())
                            .isPresent();
                    inspection.measured().ifPresent(time -> assertThat(time)
                            .as("%s %s, %s", scale, each.experiment().name(), variant.levels())
                            .isGreaterThanOrEqualTo(each.experiment().success().measured())
                            .isGreaterThanOrEqualTo(Duration.ofSeconds(10)));
                }
            }
        }
    }

    @Test
    void eachOfThemClaimsSomething() throws Exception {
        assertThat(shipped()).isNotEmpty().allSatisfy(file -> assertThat(claims(parse(
                        file,
                        Files.readString(file),
                        ExperimentWords.of(CommandContext.ofProcess()),
                        Optional.empty(),
                        "seed")))
                .isNotEmpty());
    }

    /** Otherwise the disk would not be needed. Both clusters have all rows on each of their two servers. */
    @ParameterizedTest
    @CsvSource({"embedded, memory-mb", "galera, buffer-pool", "ndb, disk-page-buffer"})
    void rowsOnDiskAreThreeTimesTheMemoryOfAServer(String engine, String option) throws Exception {
        Path file = FOLDER.resolve("rondb-disk.yaml");
        for (String scale : List.of("small", "medium", "seed")) {
            Suite suite = parse(
                    file,
                    Files.readString(file),
                    ExperimentWords.of(CommandContext.ofProcess()),
                    Optional.of(engine),
                    scale);
            for (ExperimentFile experiment : suite.experiments().values()) {
                long least = experiment.experiment().success().leastRowsMb() << 20;
                for (Variant variant : experiment.experiment().variants()) {
                    Map<String, String> options =
                            variant.cluster().orElseThrow().options();
                    long memory = Long.parseLong(options.get(option).replace("M", "")) << 20;
                    long rows = number(variant, "recordcount")
                            * number(variant, "fieldcount", 10)
                            * number(variant, "fieldlength");

                    assertThat(options.get("data-nodes")).isEqualTo("2");
                    assertThat(least).as("what is refused otherwise").isEqualTo(3 * memory);
                    assertThat(rows)
                            .as("%s, %s, %s", scale, experiment.experiment().name(), variant.levels())
                            .isGreaterThanOrEqualTo(3 * memory);
                }
            }
        }
    }

    /** As with a scale, or a property, that leaves too few rows. */
    @Test
    void rowsThatFitIntoMemoryAreRefusedBeforeAnythingIsStarted(@TempDir Path root) {
        World world = new World(root)
                .with(CommandContext.ofProcess().engine("embedded").orElseThrow());
        String suite = FOLDER.resolve("rondb-disk.yaml").toAbsolutePath().toString();
        for (String workload : List.of("a", "b", "c", "d", "e", "f")) {
            world.file("workloads/workload" + workload, "workload=site.ycsb.workloads.CoreWorkload\n");
        }

        assertThat(world.execute("suite", suite, "--scale", "0.00002", "--dry-run"))
                .isEqualTo(2);

        assertThat(world.err())
                .contains("success.rows_mb: the rows of the table are 4.6 MB, at least 192 are required");
    }

    /** Three MySQL servers, as the source had; one is the bottleneck that it avoided. */
    @ParameterizedTest
    @CsvSource({"seed, 3", "medium, 3", "0.5, 3", "small, 3"})
    void sqlOnNdbHasTheServersOfTheSource(String scale, String servers) throws Exception {
        Path file = FOLDER.resolve("rondb-memory.yaml");
        Suite suite = parse(
                file,
                Files.readString(file),
                ExperimentWords.of(CommandContext.ofProcess()),
                Optional.of("ndb"),
                scale);

        suite.experiments().values().forEach(experiment -> assertThat(
                        experiment.experiment().variants())
                .allSatisfy(variant ->
                        assertThat(variant.cluster().orElseThrow().options()).containsEntry("sql-nodes", servers)));
    }

    /** As docs/suites.md says; of the others the same database would be measured under two names, or the binding is the engine's. */
    @ParameterizedTest
    @MethodSource("shipped")
    void withoutAnEngineOnlyWhatDoesNotVaryTheCluster(Path file) throws Exception {
        String name = file.getFileName().toString().replace(".yaml", "");
        boolean runs = List.of("rondb-memory", "rondb-failure", "rondb-disk", "warp-tpcc")
                .contains(name);
        String docs = Files.readString(Path.of("../docs/suites.md"));
        String sentence = docs.substring(docs.indexOf("Without `--on` no cluster"));

        for (String scale : List.of("small", "seed")) {
            SuiteChoice choice = new SuiteChoice(Optional.empty(), scale, Map.of("db.url", "jdbc:x"));
            List<String> problems = new ArrayList<>();
            try {
                SuiteFile.parse(
                        file.toString(),
                        Files.readString(file),
                        choice,
                        ExperimentWords.of(CommandContext.ofProcess()));
            } catch (ExperimentFileException e) {
                problems.addAll(e.problems());
            }
            assertThat(problems.isEmpty())
                    .as("%s at %s: %s", name, scale, problems)
                    .isEqualTo(runs);
        }
        assertThat(sentence.substring(0, sentence.indexOf('\n')).contains("`" + name + "`"))
                .isEqualTo(runs);
    }

    private static long number(Variant variant, String key) {
        long value = number(variant, key, -1);
        assertThat(value).as(key).isPositive();
        return value;
    }

    private static long number(Variant variant, String key, long otherwise) {
        return variant.settings().stream()
                .filter(setting -> setting.key().equals(key))
                .mapToLong(setting -> Long.parseLong(setting.value()))
                .findFirst()
                .orElse(otherwise);
    }

    private static Suite parse(Path file, String text, Vocabulary words, Optional<String> engine, String scale)
            throws ExperimentFileException {
        return SuiteFile.parse(file.toString(), text, new SuiteChoice(engine, scale, Map.of()), words)
                .suite();
    }
}
