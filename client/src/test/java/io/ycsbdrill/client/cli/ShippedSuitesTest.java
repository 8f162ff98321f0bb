package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cluster.CommandContext;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

        assertThat(usual.engine()).contains("embedded");
        for (String engine : words.clusterOptions().keySet()) {
            if (text.contains("\n  " + engine + ":")) {
                for (String scale : List.of("small", "seed", "0.5")) {
                    assertThat(claims(parse(file, text, words, Optional.of(engine), scale)))
                            .as("%s on %s, %s", file, engine, scale)
                            .isEqualTo(claims(usual));
                }
            }
        }
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
        for (String scale : List.of("small", "seed")) {
            Suite suite = parse(
                    file,
                    Files.readString(file),
                    ExperimentWords.of(CommandContext.ofProcess()),
                    Optional.of(engine),
                    scale);
            for (ExperimentFile experiment : suite.experiments().values()) {
                for (Variant variant : experiment.experiment().variants()) {
                    Map<String, String> options =
                            variant.cluster().orElseThrow().options();
                    long memory = Long.parseLong(options.get(option).replace("M", "")) << 20;
                    long rows = number(variant, "recordcount")
                            * number(variant, "fieldcount", 10)
                            * number(variant, "fieldlength");

                    assertThat(options.get("data-nodes")).isEqualTo("2");
                    assertThat(rows)
                            .as("%s, %s, %s", scale, experiment.experiment().name(), variant.levels())
                            .isGreaterThanOrEqualTo(3 * memory);
                }
            }
        }
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
