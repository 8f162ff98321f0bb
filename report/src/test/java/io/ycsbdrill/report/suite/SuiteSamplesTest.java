package io.ycsbdrill.report.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code bench/suites.sh --sample} has kept of the suites that were run can be read by later versions, and the pages of
 * docs/suites are made from it. Of older suite files there are none.
 */
class SuiteSamplesTest {
    private static final Path SAMPLES = Path.of("src/test/resources/suites");
    private static final Path PAGES = Path.of("..", "docs", "suites");

    @TempDir
    private Path directory;

    static List<String> samples() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".zip"))
                    .map(name -> name.substring(0, name.length() - ".zip".length()))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> pages() throws IOException {
        if (!Files.isDirectory(PAGES)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.map(file -> file.getFileName().toString().replaceFirst("\\.md$", ""))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aPageInTheDocsIsWhatTheToolMakesOfTheFiles(String sample) throws IOException {
        unpack(SAMPLES.resolve(sample + ".zip"));

        SuiteReport.write(directory);

        String made = Files.readString(directory.resolve("suite.md"));
        assertThat(made).contains("| Claim | In the source's words |");
        if (pages().contains(sample)) {
            assertThat(Files.readString(PAGES.resolve(sample + ".md"))).isEqualTo(made);
        }
        assertThat(directory.resolve("suite.html")).content().contains("<caption>");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyClaimHasOneOfTheFourWords(String sample) throws IOException {
        unpack(SAMPLES.resolve(sample + ".zip"));

        SuiteReport.write(directory);

        assertThat(Json.READER
                        .readTree(directory.resolve("suite.json").toFile())
                        .findValues("claims"))
                .isNotEmpty()
                .allSatisfy(claims -> assertThat(claims).isNotEmpty().allSatisfy(claim -> assertThat(
                                claim.path("result").asText())
                        .isIn("reproduced", "not reproduced", "not comparable", "not measured")));
    }

    @Test
    void everyPageHasASampleOfWhichItIsMade() throws IOException {
        assertThat(samples()).isNotEmpty().containsAll(pages());
    }

    /** As docs/suites.md promises of scale small. */
    @ParameterizedTest
    @MethodSource("samples")
    void theSuiteTookAtMostHalfAnHour(String sample) throws IOException {
        unpack(SAMPLES.resolve(sample + ".zip"));
        SuiteReport.write(directory);
        String made = Files.readString(directory.resolve("suite.md"));
        Matcher took = Pattern.compile(", last cell ended after (?:(\\d+) min )?(\\d+) s[.,]")
                .matcher(made);

        assertThat(took.find()).as(made).isTrue();
        int minutes = took.group(1) == null ? 0 : Integer.parseInt(took.group(1));
        assertThat(60 * minutes + Integer.parseInt(took.group(2))).isBetween(60, 30 * 60);
    }

    private void unpack(Path zip) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path to = directory.resolve(entry.getName()).normalize();
                Files.createDirectories(entry.isDirectory() ? to : to.getParent());
                if (!entry.isDirectory()) {
                    Files.copy(in, to);
                }
            }
        }
    }
}
