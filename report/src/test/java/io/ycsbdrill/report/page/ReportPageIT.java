package io.ycsbdrill.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.Browser;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.history.History;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.print.PrintOptions;

/** The pages in a real browser; skipped where there is none. */
@Tag("process")
class ReportPageIT {
    @TempDir
    static Path directory;

    private static Browser chromium;
    private static ChromeDriver browser;

    @BeforeAll
    static void start() {
        chromium = Browser.start(directory.resolve("profile"));
        browser = chromium.driver();
    }

    @AfterAll
    static void stop() {
        if (chromium != null) {
            chromium.close();
        }
    }

    private static void open(Path page, int width) {
        chromium.open(page.toUri(), width);
    }

    private static Path report(String name, SampleRun run) throws IOException {
        return Report.write(run.writeTo(directory.resolve(name))).page();
    }

    private static long number(String expression) {
        return chromium.number(expression);
    }

    /** Series of a chart by name, as the chart library sees it. */
    private static String series(int chart, String name) {
        return "views[" + chart + "].chart.getOption().series.find(s => s.name === '" + name + "')";
    }

    @Test
    void chartsHaveEveryPointRegionAndLine() throws IOException {
        open(report("restart", SampleRun.nodeRestart()), 1200);

        assertThat(number("views.length")).isEqualTo(4);
        assertThat(number(series(0, "10 s windows") + ".data.length")).isEqualTo(15);
        assertThat(number(series(0, "100 ms slices") + ".data.length")).isEqualTo(1500);
        assertThat(number(series(1, "failed") + ".data.length")).isEqualTo(2);
        assertThat(number(series(1, "unknown outcome") + ".data.length")).isEqualTo(1);
        for (String name : List.of("average", "p95", "p99")) {
            assertThat(number(series(2, name) + ".data.length")).isEqualTo(15);
        }
        for (int chart = 0; chart < 4; chart++) {
            assertThat(number(series(chart, "marks") + ".markArea.data.length")).isEqualTo(6);
            assertThat(browser.executeScript(
                            "return " + series(chart, "marks") + ".markLine.data.map(l => l.label.formatter)"))
                    .isEqualTo(List.of("restart node2", "LRS end", "SS end", "WLCP end"));
            assertThat(number("document.querySelectorAll('.chart')[" + chart + "].querySelectorAll('svg path').length"))
                    .isGreaterThan(5);
        }
        chromium.assertNoErrors();
    }

    @Test
    void zoomingInShowsSlicesAndZoomingOutWindows() throws IOException {
        open(report("zoom", SampleRun.nodeRestart()), 1200);

        browser.findElements(By.cssSelector("button[data-from]")).get(1).click();
        chromium.waitFor("views[0].chart.getOption().dataZoom[0].end < 99 && board.detailed()");
        chromium.waitFor("views[2].chart.getOption().series.some(s => s.name.startsWith('slowest'))");

        long points = number(series(0, "100 ms slices") + ".data.length");
        assertThat(points).isBetween(195L, 205L);
        assertThat(browser.executeScript("return " + series(0, "100 ms slices") + ".data.some(p => p[1] === 0)"))
                .isEqualTo(true);
        assertThat(number("views[3].chart.getOption().dataZoom[0].start * 100"))
                .isEqualTo(number("views[0].chart.getOption().dataZoom[0].start * 100"));

        browser.findElements(By.cssSelector("button[data-from]")).get(0).click();
        chromium.waitFor("!board.detailed()");
        chromium.waitFor("!views[2].chart.getOption().series.some(s => s.name.startsWith('slowest'))");
        chromium.assertNoErrors();
    }

    @Test
    void detailCanBeChosenByHand() throws IOException {
        open(report("detail", SampleRun.nodeKill()), 1200);

        browser.findElement(By.cssSelector("input[value=windows]")).click();
        assertThat(browser.executeScript("return " + series(0, "100 ms slices") + " === undefined"))
                .isEqualTo(true);
        browser.findElement(By.cssSelector("input[value=slices]")).click();
        assertThat(browser.executeScript("return " + series(0, "5 s windows") + " === undefined"))
                .isEqualTo(true);
        assertThat(number(series(0, "100 ms slices") + ".data.length")).isEqualTo(600);
        browser.findElement(By.id("log")).click();
        assertThat(browser.executeScript("return views[2].chart.getOption().yAxis[0].type"))
                .isEqualTo("log");
        chromium.assertNoErrors();
    }

    @Test
    void responseTimesAreDrawnWhenThereAreAny() throws IOException {
        open(report("response", SampleRun.plain().withResponse()), 1200);

        assertThat(number(series(1, "response p99") + ".data.length")).isEqualTo(6);
        // The legend draws a series as its line is: dashed and without the symbols that the line has not.
        assertThat(chromium.value(series(1, "response p99") + ".symbol")).isEqualTo("none");
        assertThat(chromium.value(series(1, "response p99") + ".lineStyle.type"))
                .isEqualTo("dashed");
        String opacity =
                "views[1].chart.getOption().legend[0].data.map(d => d.name + (d.itemStyle ? ' without symbol' : '')).sort()";
        assertThat((List<?>) chromium.value(opacity))
                .isEqualTo(List.of(
                        "average",
                        "p95",
                        "p99",
                        "response average without symbol",
                        "response p95 without symbol",
                        "response p99 without symbol"));
        chromium.assertNoErrors();
    }

    private static String legend(String chart) {
        return chart + ".chart.getOption().legend[0].data.map(d => d.name)";
    }

    @Test
    void aLegendNamesWhatIsDrawnAndIsShownAsAWhole() throws IOException {
        open(report("legend", SampleRun.plain()), 1200);
        assertThat((List<?>) chromium.value(legend("views[0]"))).isNotEmpty();
        assertThat((List<?>) chromium.value("views.flatMap(v => v.chart.getOption().legend[0].data.filter(d =>"
                        + " !v.chart.getOption().series.some(s => s.name === d.name && s.data.some(drawn))))"))
                .isEmpty();

        assertThat(number("errors(views[0], board.state).yAxis.max"))
                .as("an axis without failures has numbers, too")
                .isEqualTo(1);
        assertThat(chromium.value("axisMillis(0.0001)")).isEqualTo("0.0001");

        open(report("response-phone", SampleRun.plain().withResponse()), 390);
        assertThat((List<?>) chromium.value(legend("views[1]"))).hasSize(6);
        assertThat(
                        number(
                                "[...document.querySelectorAll('.chart')[1].querySelectorAll('text')].filter(t =>"
                                        + " ['p99', 'p95', 'average', 'response p99', 'response p95', 'response average'].includes(t.textContent)).length"))
                .as("no pages to turn")
                .isEqualTo(6);
        chromium.assertNoErrors();
    }

    @Test
    void aHistoryHasTheMedianOnlyWhereThereIsOne() throws IOException {
        Path runs = directory.resolve("history");
        for (int i = 1; i <= 2; i++) {
            SampleRun.nodeRestart().writeTo(runs.resolve("run" + i));
        }
        Path page = runs.resolve("history.html");
        History.read(runs).write(page);
        open(page, 1200);
        assertThat((List<?>) chromium.value(legend("drawings[0]"))).isEqualTo(List.of("runs"));
        chromium.assertNoErrors();
    }

    @Test
    void aChartIsSavedWithOneClick() throws IOException {
        open(report("save", SampleRun.nodeRestart()), 1200);

        assertThat(number("document.querySelectorAll('.save button').length")).isEqualTo(3 * number("views.length"));
        assertThat(chromium.value("csvOf(views[0].build(views[0], board.state)).split('\\n')[0]"))
                .isEqualTo("series,x,y");
        assertThat((String) chromium.value("csvOf(views[0].build(views[0], board.state))"))
                .containsPattern("10 s windows,5,[0-9.]+\n");
        browser.executeScript(
                "URL.createObjectURL = blob => { window.saved = (window.saved || []).concat(blob.type); return 'data:,'; };"
                        + "HTMLAnchorElement.prototype.click = () => {};");
        for (org.openqa.selenium.WebElement button :
                browser.findElements(By.cssSelector(".save button")).subList(0, 3)) {
            button.click();
        }
        chromium.waitFor("window.saved.length === 3");
        assertThat((List<?>) chromium.value("window.saved.sort()"))
                .isEqualTo(List.of("image/png", "image/svg+xml", "text/csv"));
        chromium.assertNoErrors();
    }

    @Test
    void phoneNeedsNoSidewaysScrolling() throws IOException {
        Path page = report("phone", SampleRun.nodeRestart());
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 360, "height", 740, "deviceScaleFactor", 2, "mobile", true));
        try {
            browser.get(page.toUri().toString());

            assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(360);
            assertThat(number("document.querySelector('.chart svg').getBoundingClientRect().width"))
                    .isBetween(300L, 360L);
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
        chromium.assertNoErrors();
    }

    @Test
    void printsOnPaper() throws IOException {
        open(report("print", SampleRun.nodeRestart()), 1200);

        byte[] pdf =
                Base64.getDecoder().decode(browser.print(new PrintOptions()).getContent());

        assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        assertThat(pdf.length).isGreaterThan(20_000);
        chromium.assertNoErrors();
    }

    @Test
    void pagesOfKilledAndOfUnfaultedRunsLoad() throws IOException {
        for (SampleRun run :
                Stream.of(SampleRun.nodeRestart().killed(), SampleRun.plain()).toList()) {
            open(report("other" + System.identityHashCode(run), run), 1200);

            assertThat(number("views.length")).isGreaterThanOrEqualTo(3);
            chromium.assertNoErrors();
        }
    }

    @Test
    void comparisonLaysBothRunsOverEachOther() throws IOException {
        Path a = SampleRun.nodeRestart().writeTo(directory.resolve("a"));
        Path b = SampleRun.nodeRestart().binding("jdbc").writeTo(directory.resolve("b"));
        Path page = directory.resolve("compare.html");
        Report.compare(a, b, page);
        open(page, 1200);

        assertThat(number("views.length")).isEqualTo(3);
        assertThat(number(series(0, "A windows") + ".data.length")).isEqualTo(15);
        assertThat(number(series(0, "B windows") + ".data[0][0]")).isEqualTo(-35);
        browser.findElement(By.cssSelector("input[value=start]")).click();
        assertThat(number(series(0, "B windows") + ".data[0][0]")).isEqualTo(5);
        chromium.assertNoErrors();
    }
}
