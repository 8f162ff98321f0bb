package io.ycsbdrill.report.history;

import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.page.Differences;
import io.ycsbdrill.report.page.RunWords;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs that may be compared, oldest first. Immutable.
 *
 * @param apart the names, in {@link HistoryRun#likeness}, of what tells it from other series of the same runs' title
 */
record HistorySeries(List<HistoryRun> runs, List<String> apart) {
    HistorySeries {
        runs = List.copyOf(runs);
        apart = List.copyOf(apart);
    }

    /** A series of each group of like runs; in the title of each is as much as tells it from the others. */
    static List<HistorySeries> of(Collection<List<HistoryRun>> groups) {
        Map<String, List<List<HistoryRun>>> byTitle = groups.stream()
                .collect(Collectors.groupingBy(group -> group.get(0).title()));
        return byTitle.values().stream()
                .flatMap(alike -> alike.stream().map(group -> new HistorySeries(group, apart(alike))))
                .sorted(Comparator.comparing(HistorySeries::title))
                .toList();
    }

    private static List<String> apart(List<List<HistoryRun>> groups) {
        List<String> names = new ArrayList<>();
        for (String name : groups.get(0).get(0).likeness().keySet()) {
            long told = different(groups, names);
            names.add(name);
            if (different(groups, names) == told) {
                names.remove(name);
            }
        }
        return names;
    }

    private static long different(List<List<HistoryRun>> groups, List<String> names) {
        return groups.stream()
                .map(group -> names.stream().map(group.get(0).likeness()::get).toList())
                .distinct()
                .count();
    }

    HistoryRun newest() {
        return runs.get(runs.size() - 1);
    }

    String title() {
        return newest().title()
                + apart.stream()
                        .map(name -> ", "
                                + Differences.words(name, newest().likeness().get(name)))
                        .collect(Collectors.joining());
    }

    /** What was measured, and where. */
    String details() {
        Map<String, String> like = newest().likeness();
        String warmUp = like.get("warmupNanos");
        return Stream.of(
                        RunWords.product(like.get("engine")) + ", " + RunWords.counted(like.get("nodes"), "node"),
                        RunWords.counted(like.get("threads"), "client thread"),
                        like.get("load.kind").equals("share")
                                ? Math.round(100 * Double.parseDouble(like.get("load.share"))) + " % of the maximum"
                                : "",
                        like.get("length"),
                        RunWords.counted(like.get("drill.cycles.count"), "cycle"),
                        RunWords.counted(like.get("recordcount"), "record"),
                        warmUp.matches("[1-9][0-9]{0,17}")
                                ? "warm-up " + NumberText.plain(Long.parseLong(warmUp) / 1e9) + " s"
                                : "",
                        like.get("audit").isEmpty() ? "" : "audited",
                        "host " + like.get("host"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" \u00b7 "));
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

    /** Why the newest run is worse than those before it; empty when it is not. */
    Collection<String> worse() {
        return regressions(runs.size() - 1).values();
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
