package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.report.Browser;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live page in a real browser, from before the fault to after the end; skipped where there is none. */
@Tag("process")
@Timeout(300)
class LivePageIT {
    private static final String ROWS = "document.querySelectorAll('#events tr')";

    @TempDir
    private Path root;

    @Test
    void aRestartIsSeenAsItHappensAfterAReloadAndInTheEnd() throws Exception {
        World world = new World(root).with(new ScriptedEngine(root.toString()));
        LiveDrill live = new LiveDrill(world);
        try (Browser browser = Browser.start(root.resolve("profile"))) {
            CompletableFuture<Integer> running = live.start();
            URI address = live.address();

            browser.open(address, 500);
            browser.waitFor("[..." + ROWS + "].some(r => r.textContent.includes('fault restart of node2 begins'))");
            browser.open(address, 1200); // from here on, a page that came late
            browser.waitFor("[..." + ROWS + "].some(r => r.textContent.includes('node2 recovered'))");
            browser.waitFor("over");

            assertThat(running.get(120, TimeUnit.SECONDS)).as(world.err()).isZero();
            JsonNode operations = new ObjectMapper()
                    .readTree(world.directory().resolve("r/summary.json").toFile())
                    .path("operations");
            long ok = operations.path("READ").path("ok").asLong()
                    + operations.path("UPDATE").path("ok").asLong();
            assertThat(browser.number("totals.ok")).isEqualTo(ok);
            assertThat(browser.number("data.phases.length")).isEqualTo(6);
            assertThat(browser.number("views.length")).isGreaterThanOrEqualTo(3);
            assertThat(browser.number(
                            "views[0].chart.getOption().series.find(s => s.name === 'marks').markArea.data.length"))
                    .isEqualTo(6);
            assertThat(browser.value("document.getElementById('state').textContent"))
                    .asString()
                    .contains("report.html");
            assertThat(browser.value("document.documentElement.scrollWidth <= window.innerWidth"))
                    .isEqualTo(true);
            browser.assertNoErrors();
            windowsWithoutResponseTimeAreGaps(browser);
            afterAnotherRunTheChartsAreItsOwn(browser);
        }
    }

    /** As those of a calibration, and those in which nothing succeeded. */
    private static void windowsWithoutResponseTimeAreGaps(Browser browser) {
        assertThat(browser.value("(() => { const all = {};"
                        + " append(all, { READ: { at: [1, 2], p99: [5, 5] } });"
                        + " append(all, { READ: { at: [3], p99: [5], responseP99: [9] } });"
                        + " append(all, { READ: { at: [4], p99: [5] } });"
                        + " append(all, { READ: { at: [5], p99: [5], responseP99: [8] } });"
                        + " return JSON.stringify(all.READ.responseP99); })()"))
                .isEqualTo("[null,null,9,null,8]");
    }

    /** As when a page was opened during the load before a run. */
    private static void afterAnotherRunTheChartsAreItsOwn(Browser browser) {
        assertThat(browser.value("views.map(v => v.operation).join()")).isEqualTo(",,READ,UPDATE");

        browser.value(
                "take({ state: 'running', headline: '', text: '', feed: Object.assign({}, data, { anew: true, totals, nodes,"
                        + " events: [], mostWindows: 100, mostSlices: 100, subtitle: '',"
                        + " windows: { TOTAL: data.windows.TOTAL, INSERT: data.windows.READ },"
                        + " slices: { TOTAL: data.slices.TOTAL, INSERT: data.slices.READ } }) })");

        assertThat(browser.value("views.map(v => v.operation).join()")).isEqualTo(",,INSERT");
        assertThat(browser.number("document.querySelectorAll('.chart.latency').length"))
                .isEqualTo(1);
        assertThat(browser.value("document.getElementById('latencies').textContent"))
                .asString()
                .contains("Latency of INSERT")
                .doesNotContain("Latency of READ");
        browser.assertNoErrors();
    }
}
