package io.ycsbdrill.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RestoreData;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.summary.DrillSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ReportTest {
    private static final Path GOLDEN = Path.of("src/test/resources/runs/v1");

    @TempDir
    Path directory;

    private static JsonNode data(String page) throws IOException {
        Matcher matcher = Pattern.compile("id=\"data\">(.*?)</script>").matcher(page);
        assertThat(matcher.find()).isTrue();
        return new ObjectMapper().readTree(matcher.group(1));
    }

    private Path copyOfGolden(String name) throws IOException {
        Path copy = Files.createDirectories(directory.resolve(name));
        try (var files = Files.list(GOLDEN.resolve(name))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
        return copy;
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "node-restart", "node-kill", "one-of-three-out", "killed"})
    void goldenRunsOfEveryVersionStillMakeAReport(String name) throws IOException {
        Report.Written written = Report.write(copyOfGolden(name));

        assertThat(written.page()).isNotEmptyFile();
        assertThat(written.charts()).hasSize(6).allSatisfy(chart -> assertThat(chart)
                .isNotEmptyFile());
        assertThat(written.summary().verdict().outcome().label())
                .isEqualTo(
                        switch (name) {
                            case "plain" -> "not judged";
                            case "node-restart", "one-of-three-out" -> "pass";
                            case "node-kill" -> "fail";
                            default -> "invalid";
                        });
    }

    @Test
    void figuresOfTheGoldenRestartStayTheSame() throws IOException {
        JsonNode drill =
                DrillSummary.of(RunData.read(GOLDEN.resolve("node-restart"))).json();

        assertThat(drill)
                .isEqualTo(new ObjectMapper()
                        .readTree(GOLDEN.resolve("node-restart/summary.json").toFile())
                        .path("drill"));
    }

    @Test
    void theKeysOfTheTargetHaveFiguresAndALineOfTheirOwn() throws IOException {
        Path run = copyOfGolden("one-of-three-out");
        Report.Written written = Report.write(run);
        String page = Files.readString(written.page());

        assertThat(written.charts())
                .extracting(chart -> chart.getFileName().toString())
                .contains("keys.svg", "keys.png");
        assertThat(page)
                .contains("<h3>Throughput by the owner of the key</h3>")
                .contains("the node that had the primary copy of the key when the run began")
                .contains("Out of service: keys of the target")
                .contains("keys of node2 before the fault, 33 % of the operations");
        JsonNode keys = data(page).path("keys");
        assertThat(keys).extracting(line -> line.path("name").asText()).containsExactly("keys of node2", "other keys");
        List<Double> percent = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        for (int i = 0; i < keys.get(0).path("at").size(); i++) {
            double at = keys.get(0).path("at").get(i).asDouble();
            if (at > 30 && at < 38) {
                percent.add(keys.get(0).path("percent").get(i).asDouble());
                others.add(keys.get(1).path("percent").get(i).asDouble());
            }
        }
        assertThat(percent).hasSize(16).containsOnly(0.0);
        assertThat(others).containsOnly(100.0);
    }

    @Test
    void pageNeedsNothingElse() throws IOException {
        String page = Files.readString(
                Report.write(SampleRun.nodeRestart().writeTo(directory)).page());

        String markup = page.replaceAll("(?s)<script>.*?</script>", "");

        assertThat(markup)
                .doesNotContainPattern("(?i)(src|href)=[\"'](?!data:|#)")
                .doesNotContain("@import");
        assertThat(page).contains("<noscript>", "role=\"img\"", "<caption>", "PASS");
        assertThat(page).doesNotContain("${");
    }

    @Test
    void textsFromOutsideAreEscaped() throws IOException {
        String page = Files.readString(
                Report.write(SampleRun.nodeRestart().writeTo(directory)).page());

        assertThat(page).contains("pid 4711 &lt;b&gt;started&lt;/b&gt;").doesNotContain("<b>started");
        assertThat(page).contains("# &lt;/script&gt;&lt;b&gt;").doesNotContain("# </script>");
        assertThat(Pages.script("{\"a\":\"</script><!--\"}")).doesNotContain("<");
    }

    @Test
    void connectionsAndRetriesAreShownWhereTheRunTellsThem() throws IOException {
        Path run = copyOfGolden("plain");

        assertThat(Files.readString(Report.write(run).page())).doesNotContain("Connections", "Retried");

        ObjectNode summary = summaryOf(run);
        ((ObjectNode) summary.path("operations").path("UPDATE"))
                .put("retries", 1234)
                .put("retriedOperations", 7);
        ObjectNode connections = summary.putObject("connections").put("silentThreads", 0);
        ArrayNode servers = connections.putArray("servers");
        write(run, summary);

        assertThat(Files.readString(Report.write(run).page()))
                .contains(
                        "No connection was lost.",
                        "Retried after temporary errors: UPDATE 1,234 times for 7 operations.");

        connections.put("silentThreads", 2);
        servers.addObject()
                .put("server", "jdbc:mysql://<sql1>:3306/ycsb")
                .put("lost", 4)
                .put("regained", 3)
                .put("secondsWithout", 12.0345)
                .put("longestSecondsWithout", 9.5);
        write(run, summary);

        assertThat(Files.readString(Report.write(run).page()))
                .containsPattern("<th scope=\"row\">jdbc:mysql://&lt;sql1&gt;:3306/ycsb</th>"
                        + "<td class=\"n\" data-column=\"[^\"]+\">4</td><td class=\"n\" data-column=\"[^\"]+\">3</td>"
                        + "<td class=\"n\" data-column=\"[^\"]+\">12.035 s</td>")
                .contains("2 of the client's threads did not report");
    }

    private static ObjectNode summaryOf(Path run) throws IOException {
        return (ObjectNode)
                new ObjectMapper().readTree(run.resolve("summary.json").toFile());
    }

    private static void write(Path run, ObjectNode summary) throws IOException {
        Files.writeString(run.resolve("summary.json"), summary.toString());
    }

    @Test
    void stateThatDoesNotCountIsSaidFirst() throws IOException {
        String page = Files.readString(
                Report.write(SampleRun.nodeRestart().state("invalid").writeTo(directory))
                        .page());

        assertThat(page.indexOf("This run is invalid")).isPositive().isLessThan(page.indexOf("<h2"));
        assertThat(page).contains("node2 did not come back within 120 s");
    }

    @Test
    void aPhaseOfALaterVersionIsShownInItsOwnColour() throws IOException {
        Path run = SampleRun.nodeRestart().writeTo(directory);
        Path phases = run.resolve("phases.csv");
        Files.writeString(phases, Files.readString(phases).replace("synchronise,SS", "re-shard,"));

        String page = Files.readString(Report.write(run).page());

        assertThat(page).contains("<li><i style=\"background:#CC79A759\"></i>re-shard</li>");
        assertThat(data(page).path("phases").get(4).path("label").asText()).isEqualTo("re-shard");
        assertThat(data(page).path("phases").get(4).path("colour").asText()).isEqualTo("#CC79A7");
    }

    @Test
    void aLoadIsNamedInItsTitle() throws IOException {
        Path run = SampleRun.plain().writeTo(directory);
        Path json = run.resolve("run.json");
        Files.writeString(json, Files.readString(json).replace("\"mode\":\"run\"", "\"mode\":\"load\""));

        Report.Written written = Report.write(run);

        assertThat(written.warnings()).isEmpty();
        assertThat(Files.readString(written.page()))
                .contains("<title>workloadb on native, load</title>", "<h1>workloadb on native, load</h1>")
                .doesNotContain("Verdict");
    }

    @Test
    void whatARunDidNotRecordIsAbsentAndNotZero() throws IOException {
        Path run = SampleRun.plain().killed().writeTo(directory);
        try (var files = Files.list(run)) {
            for (Path file : files.filter(f -> !f.endsWith("run.json")).toList()) {
                Files.delete(file);
            }
        }

        String page = Files.readString(Report.write(run).page());

        assertThat(page)
                .contains(
                        "This run is incomplete", "No operation was recorded.", "There is no complete window to draw.")
                .contains("<dt>Failed</dt><dd>n/a", "<dt>Unknown outcome</dt><dd>n/a")
                .doesNotContain("Totals by operation");
    }

    @Test
    void zeroWindowsAreZeroAndTheirPercentilesMissing() throws IOException {
        SampleRun run = SampleRun.lasting(30).operation("READ", t -> t >= 10 && t < 20 ? 0 : 500, t -> 200);
        JsonNode windows = data(Files.readString(
                        Report.write(run.writeTo(directory)).page()))
                .path("windows")
                .path("READ");

        assertThat(windows.path("rate").get(1).asDouble()).isZero();
        assertThat(windows.path("p99").get(1).isNull()).isTrue();
        assertThat(windows.path("p99").get(2).asDouble()).isPositive();
    }

    @Test
    void hoursOfSlicesKeepEveryDipAndStaySmall() throws IOException {
        SampleRun.plain().writeTo(directory);
        int count = 3 * 36_000;
        StringBuilder csv = new StringBuilder("slice,start_s,operation,ok,failed,unknown,max_service_us\n");
        for (int i = 0; i < count; i++) {
            int ok = i == 50_000 ? 0 : 1800 + i % 97;
            int failed = i >= 70_001 && i < 70_005 ? 3 : 0;
            for (String operation : List.of("READ", "UPDATE", "INSERT", "TOTAL")) {
                csv.append(i)
                        .append(",0,")
                        .append(operation)
                        .append(',')
                        .append(ok)
                        .append(',');
                csv.append(failed).append(",0,").append(700 + i % 89).append('\n');
            }
        }
        Files.writeString(directory.resolve("slices.csv"), csv);
        Path json = directory.resolve("run.json");
        Files.writeString(
                json,
                Files.readString(json).replace("\"durationNanos\":60000000000", "\"durationNanos\":10800000000000"));

        Path page = Report.write(directory).page();
        JsonNode slices = data(Files.readString(page)).path("slices").path("TOTAL");

        assertThat(page.toFile().length()).isLessThan(10_000_000);
        assertThat(slices.path("rate").size()).isLessThanOrEqualTo(ChartData.MOST_SLICES);
        assertThat(slices.path("rate"))
                .anySatisfy(rate -> assertThat(rate.asDouble()).isZero());
        assertThat(slices.path("failed")).isNotEmpty().allSatisfy(failed -> assertThat(failed.asInt())
                .as("per slice, not of several")
                .isEqualTo(3));
        assertThat(slices.path("failedAt").get(0).asDouble()).isCloseTo(7000.1, within(1e-6));
    }

    @Test
    void picturesAreTheSameEachTimeAndWellFormed() throws Exception {
        Path run = SampleRun.nodeRestart().writeTo(directory);
        List<Path> charts = Report.write(run).charts();
        Path svg = run.resolve("charts/throughput.svg");
        byte[] first = Files.readAllBytes(svg);
        byte[] firstPng = Files.readAllBytes(run.resolve("charts/throughput.png"));
        Report.write(run);

        assertThat(charts)
                .extracting(p -> p.getFileName().toString())
                .contains("latency-read.svg", "latency-update.png");
        assertThat(Files.readAllBytes(svg)).isEqualTo(first);
        assertThat(Files.readAllBytes(run.resolve("charts/throughput.png"))).isEqualTo(firstPng);
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Document document = factory.newDocumentBuilder().parse(svg.toFile());
        assertThat(document.getDocumentElement().getTextContent())
                .contains("restart node2", "LRS end", "SS end", "WLCP end", "Time since run start (s)");
    }

    @Test
    void summaryGainsTheDrillAndKeepsTheRest() throws IOException {
        Path run = SampleRun.nodeKill().writeTo(directory);
        JsonNode before =
                new ObjectMapper().readTree(run.resolve("summary.json").toFile());

        DrillSummary.write(run);

        JsonNode after = new ObjectMapper().readTree(run.resolve("summary.json").toFile());
        assertThat(after.path("operations")).isEqualTo(before.path("operations"));
        JsonNode overall = after.path("drill").path("overall");
        assertThat(overall.path("longestGapSeconds").asDouble()).isEqualTo(1.6);
        assertThat(overall.has("redundancyRestoredSeconds")).isFalse();
        assertThat(overall.path("notes").path("redundancyRestoredSeconds").asText())
                .contains("not restored");
        assertThat(after.path("drill").path("verdict").path("outcome").asText()).isEqualTo("fail");
    }

    @Test
    void killedRunGetsNoSummaryThatWouldLookWhole() throws IOException {
        Path run = SampleRun.nodeRestart().killed().writeTo(directory);

        DrillSummary summary = DrillSummary.write(run);

        assertThat(run.resolve("summary.json")).doesNotExist();
        assertThat(summary.text()).contains("INVALID").contains("Redundancy restored");
    }

    @Test
    void terminalTableShowsEveryMetricLimitAndStage() throws IOException {
        String text =
                DrillSummary.write(SampleRun.nodeKill().writeTo(directory)).text();

        for (Metric metric : Metric.values()) {
            assertThat(text).contains(metric.title());
        }
        assertThat(text).contains("  READ  ", "gap before", "still open", "NOT MEASURABLE", "Verdict: FAIL");
    }

    /** Of each line what stands before the first two blanks; of the heads of tables all of it. */
    private static List<String> heads(String text) {
        return text.lines()
                .map(line -> line.strip().matches("(Operation|Phase) .*")
                        ? line.strip().replaceAll(" +", " ")
                        : line.strip().split(" {2,}")[0].replaceAll("[0-9][0-9.]*", "0"))
                .filter(head -> !head.isEmpty())
                .toList();
    }

    /** Figures and columns of README's sample are those that are printed, in their order; phases are others for each drill. */
    @Test
    void theSampleOfTheReadmeIsWhatADrillPrints() throws IOException {
        Path run = SampleRun.nodeKill().writeTo(directory);
        Files.writeString(
                run.resolve("audit.json"), "{\"schema\":1,\"ackedLost\":0,\"writes\":{\"ok\":9,\"judgedLast\":9}}");
        Matcher block = Pattern.compile("(?s)```\n(Fault 1: restart .*?)```")
                .matcher(Files.readString(Path.of("../README.md")));
        assertThat(block.find()).isTrue();
        List<String> sample = new ArrayList<>(heads(block.group(1).replace("restart node3", "kill node3")));
        sample.removeIf(head -> head.equals("after recovered")
                || Phase.labelled(head).isPresent()
                || head.startsWith("Verdict: PASS: "));

        assertThat(sample).hasSizeGreaterThan(10);
        assertThat(heads(DrillSummary.write(run).text())).containsSubsequence(sample);
    }

    @Test
    void junitXmlHasOneCasePerLimitAndOneForTheRun() throws Exception {
        DrillSummary summary = DrillSummary.of(
                RunData.read(SampleRun.nodeKill().state("invalid").writeTo(directory.resolve("run"))));
        Path file = directory.resolve("out/drill.xml");

        JUnitXml.write(file, summary);

        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(4);
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(2);
        assertThat(summary.cautions()).isNotEmpty();
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent())
                .isEqualTo("Caution: " + String.join("\nCaution: ", summary.cautions()));
        assertThat(summary.json().path("cautions")).hasSameSizeAs(summary.cautions());
    }

    @Test
    void thePageOfADrillBeginsWithItsHeadlineAndHasTheImpactOfEachPhase() throws IOException {
        String page = Files.readString(
                Report.write(SampleRun.nodeRestart().writeTo(directory)).page());

        assertThat(page.indexOf("<dt>Out of service</dt>"))
                .isPositive()
                .isLessThan(page.indexOf("<dt>Degraded</dt>"))
                .isLessThan(page.indexOf("<dt>Throughput</dt>"));
        assertThat(page)
                .contains("longest 1.4 s", "Impact by phase: restart node2", "<th scope=\"row\">after recovered</th>")
                .containsOnlyOnce("<dt>Lost seconds of service</dt>");
    }

    /** Servers show tests of one name as one. */
    @Test
    void whatIsJudgedTwiceHasTwoNamesInJUnitXml() throws Exception {
        Path file = directory.resolve("twice.xml");

        JUnitXml.write(
                file,
                "ab",
                "twice",
                List.of(
                        new JUnitXml.Case("maxOutSeconds", JUnitXml.Result.FAILURE, "missed"),
                        new JUnitXml.Case("maxOutSeconds", JUnitXml.Result.PASSED, "")));

        assertThat(file).content().contains("name=\"maxOutSeconds\"><failure", "name=\"maxOutSeconds 2\"");
    }

    @Test
    void numbersThatOnlyArithmeticHasLeftAreNone() {
        assertThat(NumberText.plain(-1.4e-16)).isEqualTo("0");
        assertThat(NumberText.plain(1e-12)).isEqualTo("0");
        assertThat(NumberText.plain(-0.0)).isEqualTo("0");
        assertThat(NumberText.plain(0.0000012)).isEqualTo("1.20e-06");
    }

    @Test
    void aRestoreOfWhichTheTimesAreNotKnownHasNoLength() throws Exception {
        RestoreData restore = new RestoreData(new ObjectMapper().readTree("{\"acknowledged\":4,\"lostSeconds\":12.5}"));

        assertThat(restore.text())
                .startsWith(
                        "restored from a backup: of 4 writes that were acknowledged from its request to the loss, at"
                                + " least 0 are gone");
    }

    @Test
    void aLimitThatDoesNotApplyIsSkippedInJUnitXml() throws Exception {
        DrillSummary summary = DrillSummary.of(RunData.read(SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("pause", "{\"maxRecoverySeconds\":60,\"maxFailed\":0}")
                .marker(20, "fault-started", "pause", "node1", "")
                .writeTo(directory.resolve("run"))));
        Path file = directory.resolve("drill.xml");

        JUnitXml.write(file, summary);

        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        Element skipped = (Element) suite.getElementsByTagName("skipped").item(0);
        assertThat(((Element) skipped.getParentNode()).getAttribute("name")).isEqualTo("maxRecoverySeconds");
        assertThat(skipped.getAttribute("message")).contains("never lost");
    }

    @Test
    void likeRunsAreComparedWithRatios() throws IOException {
        Path a = SampleRun.nodeRestart().writeTo(directory.resolve("a"));
        Path b = SampleRun.nodeRestart().binding("jdbc").writeTo(directory.resolve("b"));
        Path page = directory.resolve("out/compare.html");

        assertThat(Report.compare(a, b, page)).isEmpty();
        assertThat(Files.readString(page))
                .contains("1.00 \u00d7", "Drill as a whole")
                .contains(">Redundancy restored</a></th>")
                .as("rows of what neither run has")
                .doesNotContainPattern("data-column=\"A\">n/a</td><td[^>]*data-column=\"B\">n/a</td>")
                .doesNotContain("not alike");
    }

    @Test
    void unlikeRunsAreFlagged() throws IOException {
        Path a = SampleRun.plain().writeTo(directory.resolve("a"));
        Path b = SampleRun.nodeKill().threads(16).writeTo(directory.resolve("b"));
        Path page = directory.resolve("compare.html");

        List<String> differences = Report.compare(a, b, page);

        assertThat(differences)
                .contains("threads: A has 8, B has 16", "workload: A has workloadb, B has workloada")
                .anySatisfy(text -> assertThat(text).isEqualTo("window: A has 10 s, B has 5 s"));
        assertThat(Files.readString(page)).contains("These runs are not alike");
    }

    @Test
    void cyclesAndPropertiesOfOneWorkloadHaveToBeAlikeToo() throws IOException {
        Path a = SampleRun.plain().writeTo(directory.resolve("a"));
        Path b = SampleRun.plain().writeTo(directory.resolve("b"));
        Path file = b.resolve("run.json");
        ObjectNode json = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        json.put("warmupNanos", 5_000_000_000L)
                .putObject("drill")
                .putObject("cycles")
                .put("count", 9);
        Files.writeString(b.resolve("audit.json"), "{\"schema\":1,\"ackedLost\":0}");
        ((ObjectNode) json.path("properties")).put("tpcc.warehouses", "100");
        Files.writeString(file, json.toString());

        assertThat(Report.differences(a, b))
                .containsExactly(
                        "warmup: A has 0 s, B has 5 s",
                        "drill.cycles: A has none, B has 9",
                        "tpcc.warehouses: A has none, B has 100",
                        "audit: A has none, B has one");
    }

    /** Ten times as long, with ten times as many failures: it fails no more often. At a rate the response time is what users saw. */
    @Test
    void ofRunsOfDifferentLengthSharesAreCompared() throws IOException {
        SampleRun shorter = SampleRun.lasting(30).exact().operation("READ", t -> 1000, t -> 300);
        SampleRun longer = SampleRun.lasting(300).exact().operation("READ", t -> 1000, t -> 300);
        for (int i = 0; i < 10; i++) {
            longer.failing(10 + i, 6, 0);
        }
        Path a = shorter.failing(10, 6, 0).withResponse().writeTo(directory.resolve("a"));
        Path b = longer.withResponse().writeTo(directory.resolve("b"));

        Map<String, JsonNode> figures = new HashMap<>();
        new ObjectMapper()
                .readTree(Report.comparison(a, b))
                .path("figures")
                .forEach(one -> figures.put(one.path("figure").asText(), one));

        assertThat(figures.get("failed").path("b").asDouble()).isEqualTo(60);
        assertThat(figures.get("failed").path("ratio").asDouble()).isCloseTo(1, within(0.01));
        assertThat(figures.get("p99, response time (ms)").path("ratio").asDouble())
                .isCloseTo(1, within(0.2));
        assertThat(figures).doesNotContainKey("response");
    }

    @Test
    void whatTheEndOfTheDataCutShortHasNoRatio() throws IOException {
        Path a = stall(45).writeTo(directory.resolve("a"));
        Path b = stall(60).writeTo(directory.resolve("b"));
        Path page = directory.resolve("compare.html");

        assertThat(Report.compare(a, b, page)).isEmpty();

        assertThat(Files.readString(page).replaceAll("<[^>]*>", "|").replaceAll("\\|\\s*", "|"))
                .containsPattern("Longest gap without a success\\|+5\\.1 s\\|+\u2265 20\\.1 s\\|+n/a");

        Map<String, JsonNode> figures = new HashMap<>();
        new ObjectMapper()
                .readTree(Report.comparison(a, b))
                .path("figures")
                .forEach(one -> figures.put(one.path("figure").asText(), one));
        assertThat(figures.get("longestGapSeconds").path("a").asDouble()).isCloseTo(5.1, within(0.1));
        JsonNode never = figures.get("serviceRestoredSeconds");
        for (JsonNode bound : List.of(figures.get("longestGapSeconds").path("b"), never.path("b"))) {
            assertThat(bound.path("atLeast").asDouble()).as("%s", bound).isBetween(15.0, 21.0);
        }
        assertThat(never.at("/b/note").asText()).isNotEmpty();
        assertThat(never.has("ratio")).isFalse();
        assertThat(figures.get("baselineOpsPerSecond").path("ratio").asDouble()).isCloseTo(1, within(0.1));
        assertThat(figures.get("baselineWorstSecondPercent").has("a")).isTrue();
        assertThat(figures.get("baselineWorstSecondPercent").has("ratio")).isFalse();
    }

    @Test
    void scriptsGetNoDigitsOfArithmeticAndNoSmallFigureAsNone() {
        assertThat(NumberText.forScripts(4e-7)).isEqualTo(4e-7);
        assertThat(NumberText.forScripts(0.1 + 0.2)).isEqualTo(0.3);
    }

    private static SampleRun stall(double until) {
        return SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 40 && t < until ? 0 : 1000, t -> 300)
                .drill("stall", "{}")
                .marker(40, "fault-started", "pause", "node1", "");
    }

    @Test
    void everyFigureLinksToItsDefinition() throws IOException {
        String page = Files.readString(
                Report.write(SampleRun.nodeRestart().writeTo(directory)).page());

        for (Metric metric : Metric.values()) {
            assertThat(page).containsOnlyOnce("<a href=\"#" + metric.key() + "\">");
            assertThat(page).containsOnlyOnce("<dt id=\"" + metric.key() + "\">");
            assertThat(Definitions.of(metric)).hasSizeGreaterThan(20).doesNotContain("](", "`", "**");
        }
        for (FigureTable.Group group : FigureTable.groups()) {
            assertThat(page).containsOnlyOnce(">" + group.title() + "</th>");
        }
    }

    @Test
    void aPageSaysInWordsWhatHappenedAndWhenItWasOver() throws IOException {
        String restored = Files.readString(Report.write(SampleRun.nodeRestart().writeTo(directory.resolve("r")))
                .page());
        String killed = Files.readString(Report.write(SampleRun.nodeKill().writeTo(directory.resolve("k")))
                .page());

        assertThat(restored)
                .containsPattern(
                        "<p>At 40\\.0 s, under [0-9,]+ operations per second, fault \u201crestart\u201d began on node2\\. ")
                .containsPattern(
                        "It was over after [0-9.]+ s: service restored after [0-9.]+ s, redundancy restored after [0-9.]+ s\\.</p>")
                .contains("<dt>Over after</dt>");
        assertThat(killed)
                .contains("It was not over when the data ended: ", "redundancy not restored.</p>", "<dd>not over");
    }

    @Test
    void whatWasMeasuredHasItsOwnName() throws IOException {
        Path run = copyOfGolden("node-restart");
        Path json = run.resolve("run.json");
        ObjectNode changed = (ObjectNode) new ObjectMapper().readTree(json.toFile());
        changed.putObject("engine").put("name", "embedded").put("version", "2.18.0");
        changed.putObject("host").put("name", "box").put("cpus", 4).put("memoryBytes", 16_000_000_000L);
        Files.writeString(json, changed.toString());

        assertThat(Files.readString(Report.write(run).page()))
                .contains("Apache Ignite 2.18.0 (embedded)", "What was measured", "box: 4 cores, 16 GB");
    }

    @Test
    void chartsBeginAfterTheCalibrationAndEndWithTheLastWholeWindow() throws IOException {
        Path run = SampleRun.lasting(47).operation("READ", t -> 500, t -> 200).writeTo(directory);
        Path json = run.resolve("run.json");
        ObjectNode changed = (ObjectNode) new ObjectMapper().readTree(json.toFile());
        changed.putObject("load").put("kind", "share").put("share", 0.6).put("sinceSeconds", 20.0);
        Files.writeString(json, changed.toString());

        String page = Files.readString(Report.write(run).page());

        assertThat(data(page).path("from").asDouble()).isEqualTo(20);
        assertThat(data(page).path("windows").path("TOTAL").path("at"))
                .extracting(JsonNode::asDouble)
                .containsExactly(5.0, 15.0, 25.0, 35.0);
        assertThat(page).contains("id=\"calibration\"", "The first 20.0 s, in which the maximum was measured");
    }

    @Test
    void ratioNeedsBothValues() {
        assertThat(ComparePage.ratio(0, 5)).isEqualTo("n/a");
        assertThat(ComparePage.ratio(Double.NaN, 5)).isEqualTo("n/a");
        assertThat(ComparePage.ratio(4, 2)).isEqualTo("0.50 \u00d7");
    }
}
