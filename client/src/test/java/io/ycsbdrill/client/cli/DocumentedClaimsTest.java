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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of docs/suites are of the suite files as they are, by their hash, claims and bounds, and docs/suites.md says of each what it says. */
class DocumentedClaimsTest {
    private static final Path DOCS = Path.of("../docs/suites.md");
    private static final Path PAGES = Path.of("../docs/suites");
    private static final Path SUITES = Path.of("../workloads/suites");
    private static final Pattern LINE = Pattern.compile("(?m)^\\| \\[\\S+]\\(suites/(\\S+)\\.md\\) \\| (.+?) \\|");
    private static final Pattern COUNTS = Pattern.compile("\\. (\\d+ reproduced, .+? not measured)");
    private static final Pattern NAME = Pattern.compile("(.+)-([a-z]+?)(?:-(medium|seed))?");
    private static final Pattern EXPERIMENT = Pattern.compile("\\*\\*([\\w-]+): .*\\*\\*");
    /** Tables beside that of the claims, which {@code SuiteSamplesTest} makes again. */
    private static final Pattern BESIDE = Pattern.compile("\\*\\*(What the drills have shown|Gain of)\\b");

    private static final Pattern HASH = Pattern.compile("suite file ([0-9a-f]{12})");
    private static final String HEADER = "| Claim | In the source's words |";

    /** What does not agree, of pages by name. */
    private static List<String> problems(String docs, Map<String, String> pages) throws Exception {
        List<String> problems = new ArrayList<>();
        Map<String, String> lines = new TreeMap<>();
        LINE.matcher(docs).results().forEach(line -> lines.put(line.group(1), line.group(2)));
        Map<String, String> counts = new TreeMap<>();
        for (Map.Entry<String, String> page : pages.entrySet()) {
            COUNTS.matcher(page.getValue())
                    .results()
                    .findFirst()
                    .ifPresent(found -> counts.put(page.getKey(), found.group(1)));
            compare(page.getKey(), page.getValue(), problems);
        }
        List<String> ofPages = pages.entrySet().stream()
                .filter(page -> page.getKey().matches("failover-[a-z]+"))
                .flatMap(page -> page.getValue()
                        .lines()
                        .filter(line -> line.startsWith("| fault="))
                        .map(line -> line.replaceFirst(
                                "\\| fault=", "| " + page.getKey().replaceFirst("failover-", "") + " | ")))
                .toList();
        List<String> ofDocs = docs.lines()
                .filter(line -> line.matches("\\| [a-z]+ \\| (crash|stop|isolated|all-lost) \\|.*"))
                .toList();
        if (!ofDocs.equals(ofPages)) {
            problems.add("docs/suites.md says of failovers " + ofDocs + ", the pages " + ofPages);
        }
        if (!lines.equals(counts)) {
            problems.add("docs/suites.md has " + lines + ", its pages " + counts);
        }
        return problems;
    }

    private static SuiteFile file(String page) throws Exception {
        Matcher name = NAME.matcher(page);
        assertThat(name.matches()).as(page).isTrue();
        Path path = SUITES.resolve(name.group(1) + ".yaml");
        return SuiteFile.parse(
                path.toString(),
                Files.readString(path),
                new SuiteChoice(Optional.of(name.group(2)), name.group(3) == null ? "small" : name.group(3), Map.of()),
                ExperimentWords.of(CommandContext.ofProcess()));
    }

    private static void compare(String page, String text, List<String> problems) throws Exception {
        SuiteFile file = file(page);
        Matcher hash = HASH.matcher(text);
        String found = hash.find() ? hash.group(1) : "none that it names";
        if (!found.equals(file.hash())) {
            problems.add(page + " is of another suite file: " + found);
        }
        compare(page, file, rows(text), problems);
    }

    private static List<List<String>> rows(String table) {
        List<List<String>> rows = new ArrayList<>();
        String experiment = "";
        for (String line : table.lines().toList()) {
            Matcher caption = EXPERIMENT.matcher(line);
            if (caption.matches()) {
                experiment = caption.group(1);
            } else if (BESIDE.matcher(line).lookingAt()) {
                experiment = "";
            } else if (!experiment.isEmpty()
                    && line.startsWith("| ")
                    && !line.startsWith(HEADER)
                    && !line.startsWith("| ---")) {
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
        for (int i = 0; i < claims.size(); i++) {
            // What was judged is first on the page.
            int at = found.indexOf(expected.get(i));
            if (at < 0) {
                continue;
            }
            String result = rows.get(at).get(8);
            Optional<String> declared = claims.get(i).notMeasured();
            if (declared.isPresent() && !result.equals("not measured (" + declared.get() + ")")
                    || declared.isEmpty()
                            && claims.get(i).notComparable().isPresent()
                            && !result.equals("not comparable ("
                                    + claims.get(i).notComparable().get() + ")")
                            && !result.startsWith("not measured")) {
                problems.add(table + " judges what its file says cannot be: " + expected.get(i) + " " + result);
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
    void everyPageIsOfItsSuiteFileAndHasItsLine() throws Exception {
        Map<String, String> pages = new TreeMap<>();
        if (Files.isDirectory(PAGES)) {
            try (Stream<Path> files = Files.list(PAGES)) {
                for (Path page : files.toList()) {
                    pages.put(page.getFileName().toString().replaceFirst("\\.md$", ""), Files.readString(page));
                }
            }
        }

        assertThat(problems(Files.readString(DOCS), pages)).isEmpty();
    }

    @Test
    void anotherBoundAnotherFileOrAnotherVerdictIsFound() throws Exception {
        String name = "warp-tpcc-embedded";
        SuiteFile file = file(name);
        List<ClaimRow> claims = file.suite().experiments().get("tpcc").experiment().claims().stream()
                .map(ClaimRow::notRun)
                .toList();
        String counts = ClaimRow.countText(claims).replaceFirst(":.*", "");
        String page = "scale small. " + counts + ". suite file " + file.hash() + ", begun 2026-11-24\n\n"
                + TableText.markdown(ClaimRow.table("tpcc: embedded", claims));
        String docs = "| [warp-tpcc-embedded](suites/warp-tpcc-embedded.md) | " + counts + " | embedded |\n";

        assertThat(problems(docs, Map.of(name, page))).isEmpty();
        assertThat(page).contains("| > 3 |");
        assertThat(problems(docs, Map.of(name, page.replace("| > 3 |", "| > 2 |"))))
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).contains(name, "tx-to-2pc"));
        assertThat(problems(docs, Map.of(name, page.replace(file.hash(), "0123456789ab"))))
                .containsExactly(name + " is of another suite file: 0123456789ab");
        assertThat(problems(docs, Map.of(name, page.replace("suite file " + file.hash(), "made by hand"))))
                .containsExactly(name + " is of another suite file: none that it names");
        assertThat(problems(docs.replace("3 not measured", "2 not measured"), Map.of(name, page)))
                .singleElement()
                .asString()
                .startsWith("docs/suites.md has {warp-tpcc-embedded=0 reproduced");
        assertThat(problems("", Map.of(name, page))).hasSize(1);
        assertThat(problems(docs + "| ndb | crash | 1 | 0 |\n", Map.of(name, page)))
                .containsExactly("docs/suites.md says of failovers [| ndb | crash | 1 | 0 |], the pages []");
    }
}
