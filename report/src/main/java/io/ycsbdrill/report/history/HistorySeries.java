package io.ycsbdrill.report.history;

import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.page.RunWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Runs that may be compared, oldest first. Immutable. */
record HistorySeries(List<HistoryRun> runs) {
    HistorySeries {
        runs = List.copyOf(runs);
    }

    HistoryRun newest() {
        return runs.get(runs.size() - 1);
    }

    String title() {
        return newest().title();
    }

    /** What distinguishes the series from others of the same title. */
    String details() {
        Map<String, String> likeness = newest().likeness();
        List<String> parts = new ArrayList<>();
        parts.add(RunWords.product(likeness.get("engine")) + ", " + RunWords.counted(likeness.get("nodes"), "node"));
        parts.add(RunWords.counted(likeness.get("threads"), "client thread"));
        if (likeness.get("load.kind").equals("share")) {
            parts.add(Math.round(100 * Double.parseDouble(likeness.get("load.share"))) + " % of the maximum");
        }
        if (!likeness.get("length").isEmpty()) {
            parts.add(likeness.get("length"));
        }
        String cycles = likeness.get("drill.cycles.count");
        if (!cycles.isEmpty()) {
            parts.add(RunWords.counted(cycles, "cycle"));
        }
        parts.add(RunWords.counted(likeness.get("recordcount"), "record"));
        String warmUp = likeness.get("warmupNanos");
        if (warmUp.matches("[1-9][0-9]{0,17}")) {
            parts.add("warm-up " + NumberText.plain(Long.parseLong(warmUp) / 1e9) + " s");
        }
        if (!likeness.get("audit").isEmpty()) {
            parts.add("audited");
        }
        parts.add("host " + likeness.get("host"));
        return String.join(" \u00b7 ", parts);
    }

    /** The metrics of which at least one run has a value. */
    List<HistoryMetric> metrics() {
        return List.of(HistoryMetric.values()).stream()
                .filter(metric -> runs.stream()
                        .anyMatch(run -> run.figures().get(metric).value().isPresent()))
                .toList();
    }

    /** The figure of each run before this one; empty where it is not known. */
    List<OptionalDouble> earlier(int run, HistoryMetric metric) {
        return runs.subList(0, run).stream().map(r -> r.known(metric)).toList();
    }

    /** Where figures changed lastingly, by metric, oldest first. */
    List<Change> changes() {
        return metrics().stream()
                .flatMap(metric -> Change.of(metric, earlier(runs.size(), metric)).stream())
                .toList();
    }

    /** The change that a run is the first after, in words; null when there is none. For the page. */
    static String changeText(List<Change> changes, int run, HistoryMetric metric) {
        return changes.stream()
                .filter(change -> change.run() == run && change.metric() == metric)
                .map(Change::text)
                .findFirst()
                .orElse(null);
    }

    /** Whether any figure of the newest run can be judged. */
    boolean judged() {
        int newest = runs.size() - 1;
        return metrics().stream()
                .anyMatch(metric -> Regression.judges(runs.get(newest).figures().get(metric), earlier(newest, metric)));
    }

    /** Why it is not {@link #judged}, in words. */
    String unjudged() {
        int earlier = runs.size() - 1;
        return earlier < Regression.LEAST_RUNS
                ? "too few runs to judge the newest one: " + earlier + " earlier, " + Regression.LEAST_RUNS + " needed"
                : "the newest run cannot be judged: no figure is known of it and of " + Regression.LEAST_RUNS
                        + " of the " + earlier + " earlier ones";
    }

    /** Why a run is worse than those before it, by metric; empty when it is not. */
    Map<HistoryMetric, String> regressions(int run) {
        Map<HistoryMetric, String> worse = new LinkedHashMap<>();
        for (HistoryMetric metric : metrics()) {
            Regression.of(metric, runs.get(run).figures().get(metric), earlier(run, metric))
                    .ifPresent(why -> worse.put(metric, why));
        }
        return worse;
    }
}
