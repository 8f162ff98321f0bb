package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.experiment.suite.SuiteChoice;
import io.ycsbdrill.experiment.suite.SuiteFile;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.experiment.ClaimRow;
import io.ycsbdrill.report.page.TableText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of docs/suites.md are of the suite files as they are: the same claims and bounds, and of the same file where they name it. */
class DocumentedClaimsTest {
    private static final Path DOCS = Path.of("../docs/suites.md");
    private static final Path SUITES = Path.of("../workloads/suites");
    private static final Pattern TABLE = Pattern.compile("(?s)<!-- table: (\\S+) -->(.*?)(?=<!-- )");
    private static final Pattern NAME = Pattern.compile("(.+)-([a-z]+?)(?:-(medium|seed))?");
    private static final Pattern EXPERIMENT = Pattern.compile("\\*\\*([\\w-]+): .*\\*\\*");
    private static final Pattern HASH = Pattern.compile("suite file ([0-9a-f]{12})");
    private static final String HEADER = "| Claim | In the source's words |";

    /** What does not agree. */
    private static List<String> problems(String docs) throws Exception {
        List<String> problems = new ArrayList<>();
        Matcher tables = TABLE.matcher(docs);
        while (tables.find()) {
            Matcher name = NAME.matcher(tables.group(1));
            assertThat(name.matches()).as(tables.group(1)).isTrue();
            Path path = SUITES.resolve(name.group(1) + ".yaml");
            SuiteFile file = SuiteFile.parse(
                    path.toString(),
                    Files.readString(path),
                    new SuiteChoice(
                            Optional.of(name.group(2)), name.group(3) == null ? "small" : name.group(3), Map.of()),
                    ExperimentWords.of(CommandContext.ofProcess()));
            Matcher hash = HASH.matcher(tables.group(2));
            if (hash.find() && !hash.group(1).equals(file.hash())) {
                problems.add(tables.group(1) + " is of another suite file: " + hash.group(1));
            }
            compare(tables.group(1), file, rows(tables.group(2)), problems);
        }
        return problems;
    }

    private static List<List<String>> rows(String table) {
        List<List<String>> rows = new ArrayList<>();
        String experiment = "";
        for (String line : table.lines().toList()) {
            Matcher caption = EXPERIMENT.matcher(line);
            if (caption.matches()) {
                experiment = caption.group(1);
            } else if (line.startsWith("| ") && !line.startsWith(HEADER) && !line.startsWith("| ---")) {
                List<String> row = new ArrayList<>(List.of(experiment));
                row.addAll(List.of(line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1)));
                rows.add(row.stream().map(String::strip).toList());
            }
        }
        return rows;
    }

    private static void compare(String table, SuiteFile file, List<List<String>> rows, List<String> problems) {
        List<List<String>> expected = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        file.suite()
                .experiments()
                .forEach((id, experiment) -> experiment.experiment().claims().forEach(claim -> {
                    claims.add(claim);
                    List<String> cells = ClaimRow.table("", List.of(ClaimRow.notRun(claim)))
                            .rows()
                            .get(0);
                    expected.add(key(id, cells.stream().map(TableText::escaped).toList()));
                }));
        List<List<String>> found = rows.stream()
                .map(row -> key(row.get(0), row.subList(1, row.size())))
                .toList();
        found.stream()
                .filter(row -> !expected.contains(row))
                .forEach(row -> problems.add(table + " has what is not in its file: " + row));
        expected.stream()
                .filter(row -> !found.contains(row))
                .forEach(row -> problems.add(table + " lacks what is in its file: " + row));
        for (int i = 0; i < claims.size() && found.equals(expected); i++) {
            String result = rows.get(i).get(8);
            Optional<String> declared = claims.get(i).notMeasured();
            if (declared.isPresent() && !result.equals("not measured (" + declared.get() + ")")
                    || declared.isEmpty()
                            && claims.get(i).notComparable().isPresent()
                            && !result.equals("not comparable ("
                                    + claims.get(i).notComparable().get() + ")")
                            && !result.startsWith("not measured")) {
                problems.add(table + " judges what its file says cannot be: " + found.get(i) + " " + result);
            }
        }
    }

    /** All but the quotation, and what was measured: experiment, name, kind, figure, claimed, recomputed. */
    private static List<String> key(String experiment, List<String> cells) {
        return List.of(experiment, cells.get(0), cells.get(2), cells.get(3), cells.get(4), cells.get(5)).stream()
                .map(String::strip)
                .toList();
    }

    @Test
    void everyClaimOfThePageIsInItsFile() throws Exception {
        String docs = Files.readString(DOCS);

        assertThat(TABLE.matcher(docs).results().count()).isPositive();
        assertThat(problems(docs)).isEmpty();
    }

    @Test
    void anotherBoundOrAnotherFileIsFound() throws Exception {
        String docs = Files.readString(DOCS);
        Path file = SUITES.resolve("warp-tpcc.yaml");
        String hash = SuiteFile.parse(
                        file.toString(),
                        Files.readString(file),
                        new SuiteChoice(Optional.of("embedded"), "small", Map.of()),
                        ExperimentWords.of(CommandContext.ofProcess()))
                .hash();
        String begun = ", begun 2026-11-24 19:16:26Z";

        assertThat(docs).contains("| > 3 |", begun);
        assertThat(problems(docs.replace("| > 3 |", "| > 2 |"))).hasSize(2).allSatisfy(problem -> assertThat(problem)
                .contains("warp-tpcc-embedded", "tx-to-2pc"));
        assertThat(problems(docs.replace(begun, ", suite file " + hash + begun)))
                .isEmpty();
        assertThat(problems(docs.replace(begun, ", suite file 0123456789ab" + begun)))
                .containsExactly("warp-tpcc-embedded is of another suite file: 0123456789ab");
    }
}
