package io.ycsbdrill.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path root;

    /** A short run of a day of November. */
    private Path run(String name, int day, double rate, String binding) throws IOException {
        Path run = SampleRun.lasting(20)
                .exact()
                .binding(binding)
                .operation("READ", at -> rate, at -> 400)
                .writeTo(root.resolve(name));
        change(run, json -> json.put("startedAt", "2026-11-%02dT03:00:00Z".formatted(day)));
        return run;
    }

    private void quietDays(int days) throws IOException {
        for (int day = 1; day <= days; day++) {
            run("r" + day, day, 1000 + day, "native");
        }
    }

    @Test
    void aSlowNewestRunIsFlaggedAndAnOlderOneIsNot() throws IOException {
        quietDays(6);
        assertThat(History.read(root).regressions()).isEmpty();
        run("slow", 7, 500, "native");

        History history = History.read(root);

        assertThat(history.runs()).isEqualTo(7);
        assertThat(history.regressions()).singleElement().asString().contains("Throughput 500", "6 earlier runs");
        assertThat(history.text()).contains("REGRESSION in the newest run: Throughput 500", "500!");
        run("well-again", 8, 1000, "native");
        assertThat(History.read(root).regressions()).isEmpty();
        assertThat(History.read(root).text()).contains("500!").doesNotContain("REGRESSION");
    }

    @Test
    void onlyWhatWasJudgedIsGreenAndTheRestIsCounted() throws IOException {
        quietDays(5);
        Path page = root.resolve("history.html");
        History young = History.read(root);
        young.write(page);
        assertThat(young.judged()).isFalse();
        assertThat(Files.readString(page))
                .contains("<div class=\"verdict\"><strong>Nothing to judge yet</strong>: the one series")
                .doesNotContain("verdict pass", "No regression");

        run("r6", 6, 1006, "native");
        run("other", 7, 10, "jdbc");
        History mixed = History.read(root);
        mixed.write(page);

        assertThat(mixed.judged()).isTrue();
        assertThat(mixed.verdict())
                .isEqualTo(
                        "No regression in the newest run of 1 series; 1 of 2 cannot be judged, without a figure that is"
                                + " known of the newest run and of 5 earlier ones");
        assertThat(mixed.text()).contains(mixed.verdict());
        assertThat(Files.readString(page))
                .contains(
                        "<div class=\"verdict pass\"><strong>No regression</strong> in the newest run of 1 series; 1 of 2");

        run("slow", 8, 500, "native");
        assertThat(History.read(root).verdict())
                .startsWith("Regression in the newest run of 1 of 1 judged series; 1 of 2");
    }

    @Test
    void aLastingChangeIsMarkedWhereItBegan() throws IOException {
        for (int day = 1; day <= 8; day++) {
            run("r" + day, day, 1000 + day % 2 * 20, "native");
        }
        assertThat(History.read(root).text()).doesNotContain("CHANGE");
        for (int day = 9; day <= 16; day++) {
            run("slower" + day, day, 850 + day % 2 * 20, "native");
        }

        History history = History.read(root);
        history.write(root.resolve("history.html"));

        assertThat(history.text())
                .contains(
                        "LASTING CHANGE from slower9 on: Throughput worse: mean 1,010 before, 860 ops/s since (-14.9 %),"
                                + " p < 0.0001")
                .doesNotContain("REGRESSION");
        String html = Files.readString(root.resolve("history.html"));
        assertThat(html)
                .contains("\"changes\":[{\"run\":8,\"worse\":true}]", "href=\"#run-0-8\"", "id=\"run-0-8\"")
                .containsOnlyOnce("\u25c6 8")
                .contains("title=\"Throughput worse: mean");
    }

    @Test
    void runsWithoutAFigureShiftNoChange() {
        OptionalDouble none = OptionalDouble.empty();
        List<OptionalDouble> figures = new ArrayList<>(List.of(none, none));
        DoubleStream.of(10, 11, 10, 11, 20, 21, 20, 21)
                .mapToObj(OptionalDouble::of)
                .forEach(figures::add);
        figures.add(4, none);

        assertThat(Change.of(HistoryMetric.GAP, figures)).singleElement().satisfies(change -> {
            assertThat(change.run()).isEqualTo(7);
            assertThat(change.worse()).isTrue();
        });
        assertThat(Change.of(HistoryMetric.FAILED, figures)).singleElement();
        assertThat(Change.of(
                        HistoryMetric.DIP,
                        figures.stream()
                                .map(f -> f.isPresent() ? OptionalDouble.of(f.getAsDouble() / 3) : f)
                                .toList()))
                .as("below the smallest difference that matters")
                .isEmpty();
    }

    @Test
    void onlyLikeRunsAreCompared() throws IOException {
        quietDays(6);
        run("other", 7, 10, "jdbc");

        History history = History.read(root);

        assertThat(history.regressions()).isEmpty();
        assertThat(history.text()).contains("on native", "on jdbc", "too few runs to judge the newest one: 0 earlier");
    }

    /** The rate of a share is in no field {@code rate}: it is measured. Failures of nine cycles are nine times those of one. */
    @Test
    void sharesOfTheMaximumAndLengthsHaveToBeTheSame() throws IOException {
        quietDays(2);
        change(
                run("share6", 3, 600, "native"),
                json -> json.putObject("load").put("kind", "share").put("share", 0.6));
        change(
                run("share8", 4, 800, "native"),
                json -> json.putObject("load").put("kind", "share").put("share", 0.8));
        change(run("long", 5, 800, "native"), json -> json.put("maxDurationNanos", 3_600_000_000_000L));
        change(
                run("repeated", 6, 800, "native"),
                json -> json.putObject("drill").putObject("cycles").put("count", 9));
        change(run("tpcc", 7, 800, "native"), json -> ((ObjectNode) json.path("properties")).put("tpcc.mode", "2pc"));

        assertThat(History.read(root).text())
                .contains("60 % of the maximum", "80 % of the maximum", "1h \u00b7 ", "9 cycles \u00b7 ")
                .containsPattern("(?s)(: 1 run\n.*){5}");
    }

    /** There are enough runs, and what there is to judge them by is known of none of them. */
    @Test
    void runsWithoutAFigureAreNotSaidToBeTooFew() {
        Map<HistoryMetric, Measure> nothing = new EnumMap<>(HistoryMetric.class);
        Stream.of(HistoryMetric.values()).forEach(metric -> nothing.put(metric, Measure.absent("not measured")));
        HistoryRun run = new HistoryRun(Path.of("r"), "2026-11-01T03:00:00Z", "A run", Map.of(), nothing, "", false);
        HistorySeries series = new HistorySeries(Collections.nCopies(7, run), List.of());

        assertThat(series.unjudged())
                .isEqualTo("the newest run cannot be judged: no figure is known of it and of 5 of the 6 earlier ones");
        assertThat(HistoryVerdict.of(List.of(series)).text())
                .isEqualTo("Nothing to judge yet: the one series has no figure that is known of the newest run and of 5"
                        + " earlier ones");
    }

    @Test
    void chartsOfSeriesWithTheSameTitleHaveNamesOfTheirOwn() throws IOException {
        quietDays(2);
        for (int day = 3; day <= 4; day++) {
            change(run("long" + day, day, 800, "native"), json -> json.put("maxDurationNanos", 3_600_000_000_000L));
        }

        History.read(root).write(root.resolve("history.html"));

        assertThat(Pattern.compile("aria-label=\"([^\"]*)\"")
                        .matcher(Files.readString(root.resolve("history.html")))
                        .results()
                        .map(label -> label.group(1)))
                .filteredOn(label -> label.contains(" of "))
                .hasSizeGreaterThan(4)
                .doesNotHaveDuplicates();
    }

    /** Else nobody could say which of them a regression is announced of. */
    @Test
    void seriesOfOneTitleAreToldApart() throws IOException {
        quietDays(1);
        change(run("two", 2, 900, "native"), json -> json.put("threads", 2));
        change(run("deadline", 3, 900, "native"), json -> json.putObject("opTimeout")
                .put("seconds", 5));
        run("alone", 4, 10, "jdbc");

        History history = History.read(root);

        List<String> titles = JSON.readTree(history.json()).findValuesAsText("title");
        assertThat(titles)
                .hasSize(4)
                .doesNotHaveDuplicates()
                .allMatch(title -> title.startsWith("workloadb on "))
                .anyMatch(title -> title.endsWith(", threads 2, no op.timeout"))
                .anyMatch(title -> title.endsWith(", op.timeout 5"))
                .contains("workloadb on jdbc");
        history.write(root.resolve("history.html"));
        assertThat(titles)
                .allSatisfy(title ->
                        assertThat(root.resolve("history.html")).content().contains("<h2>" + title + "</h2>"));
    }

    private static void change(Path run, Consumer<ObjectNode> change) throws IOException {
        Path file = run.resolve("run.json");
        ObjectNode json = (ObjectNode) JSON.readTree(file.toFile());
        change.accept(json);
        Files.writeString(file, json.toString());
    }

    @Test
    void whatDoesNotCountIsListed() throws IOException {
        quietDays(2);
        SampleRun.plain().killed().writeTo(root.resolve("killed"));
        SampleRun.plain().state("invalid").writeTo(root.resolve("invalid"));
        Files.delete(run("headless", 3, 1000, "native").resolve("run.json"));
        Files.writeString(run("garbled", 4, 1000, "native").resolve("run.json"), "{\"schema\":1,");
        Files.writeString(run("newer", 5, 1000, "native").resolve("run.json"), "{\"schema\":99}");
        Path broken = run("broken", 6, 1000, "native").resolve("slices.csv");
        Files.writeString(broken, Files.readString(broken).replaceFirst("\n5,", "\nx,"));
        Files.createDirectories(root.resolve("notes"));

        History history = History.read(root);
        history.write(root.resolve("history.html"));

        assertThat(history.runs()).isEqualTo(2);
        assertThat(history.leftOut())
                .extracting(out -> out.directory().getFileName().toString())
                .containsExactly("broken", "garbled", "headless", "invalid", "killed", "newer");
        assertThat(history.leftOut()).noneMatch(out -> out.reason().isBlank());
        assertThat(history.text()).contains("Not compared: 6", "schema 99 is newer");
        assertThat(Files.readString(root.resolve("history.html"))).contains("headless", "run.json", "6 not compared");
    }

    @Test
    void runsInFoldersAreFoundAndTheirLoadsAreNot() throws IOException {
        Path deep = Files.createDirectories(root.resolve("2026/11"));
        Path run = SampleRun.plain().writeTo(deep.resolve("a"));
        SampleRun.plain().writeTo(run.resolve("load"));

        assertThat(History.read(root).runs()).isEqualTo(1);
        assertThat(History.read(run).runs()).isEqualTo(1);
    }

    /** A pause of 5 s; the others may have dropped the node meanwhile. */
    private void pause(int day, boolean ejected) throws IOException {
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", at -> 1000, at -> 400)
                .drill("pause", "{}")
                .marker(20, "fault-started", "pause", "node1", "")
                .marker(25, "fault-ended", "pause", "node1", "");
        if (ejected) {
            run.marker(22, "event", "node-down", "node1", "").marker(50, "event", "recovered", "node1", "");
        }
        Path file = run.writeTo(root.resolve("pause" + day)).resolve("run.json");
        ObjectNode json = (ObjectNode) JSON.readTree(file.toFile());
        Files.writeString(
                file,
                json.put("startedAt", "2026-11-%02dT03:00:00Z".formatted(day)).toString());
    }

    @Test
    void redundancyThatIsNotLostAnyMoreIsNoRegression() throws IOException {
        for (int day = 1; day <= 5; day++) {
            pause(day, true);
        }
        pause(6, false);

        History history = History.read(root);

        assertThat(history.runs()).isEqualTo(6);
        assertThat(history.text()).contains("redundancy restored s");
        assertThat(history.regressions()).isEmpty();
    }

    /** As opposed to one that has no such figure at all. */
    @Test
    void whatIsNotReachedIsABoundForScripts() throws IOException {
        quietDays(1);
        SampleRun.lasting(60)
                .exact()
                .operation("READ", at -> at >= 40 ? 0 : 1000, at -> 400)
                .drill("stall", "{}")
                .marker(40, "fault-started", "pause", "node1", "")
                .writeTo(root.resolve("stall"));

        JsonNode service = JSON.readTree(History.read(root).json()).findValue("service");

        assertThat(service.path("atLeast").asDouble()).isBetween(15.0, 21.0);
        assertThat(service.path("unit").asText()).isEqualTo("s");
        assertThat(service.path("note").asText()).isNotEmpty();
        assertThat(service.has("value")).isFalse();
    }

    @Test
    void pointsLeadToReports() throws IOException {
        quietDays(2);
        Report.write(root.resolve("r1"));
        Path page = root.resolve("pages/of runs/history.html");

        History.read(root).write(page);

        String html = Files.readString(page);
        Matcher link = Pattern.compile("href=\"([^\"]*report\\.html)\"").matcher(html);
        assertThat(link.find()).isTrue();
        assertThat(page.getParent().resolve(link.group(1))).isRegularFile();
        assertThat(html)
                .contains("r2 (no report)", "connect-src 'none'", "scroll runs cards", "data-column=\"Verdict\"")
                .doesNotContain("${");
    }

    @Test
    void aNameThatIsMarkupIsText() throws IOException {
        SampleRun.plain().workload("<b>x</b>").writeTo(root.resolve("<i>"));

        History.read(root).write(root.resolve("history.html"));

        assertThat(Files.readString(root.resolve("history.html"))).doesNotContain("<b>x", "<i>");
    }
}
