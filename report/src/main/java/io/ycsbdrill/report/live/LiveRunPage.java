package io.ycsbdrill.report.live;

import io.ycsbdrill.report.page.Palette;
import io.ycsbdrill.report.page.Template;
import java.util.List;
import java.util.Map;

/** The page of a run that goes on; it fills itself from the events of the server it came from. */
final class LiveRunPage {
    private static final String BODY = """
            <h1 id="title">ycsb-drill</h1>
            <p class="soft" id="subtitle">Nothing runs yet.</p>
            <div class="verdict" id="state" role="status"><strong>Connecting</strong><span></span></div>
            <noscript><p><strong>This page needs JavaScript.</strong> The run directory has everything it shows.</p></noscript>
            <h2 id="now">Now</h2>
            <dl class="figures" id="figures"></dl>
            <h2>Over time</h2>
            <div id="over-time" hidden>
            <div class="controls"><fieldset><legend>Detail</legend>\
            <label><input type="radio" name="detail" value="auto" checked> automatic</label>\
            <label><input type="radio" name="detail" value="windows"> windows</label>\
            <label><input type="radio" name="detail" value="slices"> slices</label></fieldset>\
            <label><input type="checkbox" id="log"> latency on a logarithmic scale</label>\
            <button type="button" id="whole">Whole run</button>\
            <button type="button" id="newest">Newest minute</button></div>
            <p class="soft">Drag the handles below the first chart, pinch, or turn the wheel with Ctrl held. \
            Zoomed in to a minute or less, 100 ms slices replace the windows.<span id="kept"></span></p>
            <ul class="key" id="key" aria-label="Shading and lines"></ul>
            <h3>Throughput</h3>
            <div class="chart throughput main" data-kind="throughput" role="img" \
            aria-label="Successful operations per second, all operations together"></div>
            <h3>Failed operations and unknown outcomes, per slice</h3>
            <div class="chart small" data-kind="errors" role="img" \
            aria-label="Failed operations and operations with unknown outcome over time"></div>
            <div id="latencies"></div>
            </div>
            <p class="soft" id="waiting">The charts begin with the first window.</p>
            <div id="happened" hidden>
            <h2>What happened</h2>
            <div class="scroll" tabindex="0" role="region" aria-label="Faults, phases and events, newest first"><table>\
            <caption>Faults, phases and events of the engine, newest first</caption>\
            <thead><tr><th scope="col">Time</th><th scope="col">Event</th></tr></thead><tbody id="events"></tbody></table></div></div>
            <footer>Made by ycsb-drill while the run goes on; its report, made at the end, has the verdict and all figures.</footer>
            """;
    private static final String NOTHING = """
            {"title":"","duration":0,"windowSeconds":10,"sliceSeconds":0.1,"shade":%s,"windows":{},"slices":{},"phases":[],"lines":[]}""";

    private LiveRunPage() {}

    static String html() {
        return Template.page(
                List.of("run.js", "live.js"),
                Map.of(
                        "title",
                        "ycsb-drill: live",
                        "body",
                        BODY,
                        "data",
                        NOTHING.formatted(Palette.SHADE),
                        // Only this page asks its server for anything.
                        "connect",
                        "'self'"));
    }
}
