package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.CycleFigure;
import io.ycsbdrill.report.summary.CycleFigures;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.ServerUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * {@code report.html}: verdict first, then the figures, the charts, the tables and what was run.
 *
 * @param totals of the run in the summary
 */
record ReportPage(DrillSummary summary, Totals totals) {
    /** One of the few figures at the top. */
    record Figure(String title, String value, String note) {}

    static String of(DrillSummary summary) {
        return Pages.render("page/report.jte", new ReportPage(summary, Totals.of(summary.run())));
    }

    RunData run() {
        return summary.run();
    }

    String title() {
        return RunWords.title(run());
    }

    String data() {
        return ChartData.of(run()).toString();
    }

    String subtitle() {
        return RunWords.subtitle(run());
    }

    ChartSection charts() {
        return new ChartSection(summary);
    }

    Optional<ClientPanel> client() {
        return ClientPanel.of(run().clients());
    }

    Optional<ServerUse> servers() {
        return ServerUse.of(run());
    }

    List<String> story() {
        return Story.of(summary.metrics());
    }

    DrillMetrics metrics() {
        return summary.metrics();
    }

    FaultSection faults() {
        return new FaultSection(summary);
    }

    RunSection runSection() {
        return new RunSection(run(), totals);
    }

    /** The condition of a run whose figures are invalid, in a word. */
    String condition() {
        return run().state().equals("complete") ? "damaged" : run().state();
    }

    String outcome() {
        return summary.verdict().outcome().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The outcome, and the rest of the sentence with its colon. */
    String[] verdictLine() {
        return summary.verdict().line().split("(?=:)", 2);
    }

    Table limits() {
        List<List<String>> rows = new ArrayList<>();
        for (Check check : summary.verdict().checks()) {
            // One whose title says it all has no numbers, which is not that they are lacking.
            boolean numbers = !Double.isNaN(check.allowed());
            rows.add(List.of(
                    check.title(),
                    numbers ? check.measuredText() : "",
                    numbers ? check.relation() + " " + NumberText.exact(check.allowed()) + "\u00a0" + check.unit() : "",
                    check.result().label(),
                    check.missedIn().isEmpty() ? check.reason() : check.missedIn()));
        }
        return new Table("Limits of the drill", List.of("Limit", "Measured", "Allowed", "Result", "Note"), rows);
    }

    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(summary.metrics().faults().isEmpty() ? List.of() : headline());
        figures.add(new Figure("Throughput", NumberText.plain(totals.opsPerSecond()), "ops/s, whole run"));
        if (figures.size() == 1) {
            for (OperationTotal total : totals.operations()) {
                figures.add(new Figure(
                        total.operation() + " p99",
                        NumberText.millis(total.service().p99()),
                        "ms, average " + NumberText.millis(total.service().mean()) + " ms"));
            }
        }
        figures.add(new Figure("Failed", sum(OperationTotal::failed), "definitely not applied"));
        figures.add(new Figure("Unknown outcome", sum(OperationTotal::unknown), "may have been applied"));
        return figures;
    }

    private List<Figure> headline() {
        DrillMetrics metrics = summary.metrics();
        if (!metrics.cycles().isEmpty()) {
            return CycleFigures.of(metrics).stream()
                    .map(figure -> new Figure(figure.title(), figure.middle(), over(figure)))
                    .toList();
        }
        List<Figure> figures = new ArrayList<>();
        figures.add(Story.tile(metrics));
        figures.add(figure(Metric.OUT, longest(Metric.LONGEST_OUT)));
        figures.add(figure(Metric.DEGRADED, longest(Metric.LONGEST_DEGRADED)));
        for (Metric metric : List.of(Metric.WRITE_OUTAGE, Metric.READ_OUTAGE)) {
            if (metrics.get(metric).applicable()) {
                figures.add(figure(metric, metrics.get(metric).note()));
            }
        }
        figures.add(figure(Metric.LOST_SECONDS, metrics.get(Metric.LOST_SECONDS).note()));
        if (metrics.audit().isPresent()) {
            Measure lost = metrics.ackedLost();
            figures.add(new Figure("Acknowledged writes lost", NumberText.ackedLost(metrics), lost.note()));
            figures.add(new Figure(
                    "RPO",
                    NumberText.rpo(metrics),
                    NumberText.noneLost(metrics) ? "" : metrics.rpo().note()));
        }
        for (Metric metric : List.of(Metric.LONGEST_GAP, Metric.BASELINE)) {
            figures.add(figure(metric, metrics.get(metric).note()));
        }
        return figures;
    }

    private static String over(CycleFigure figure) {
        return figure.n() == 0
                ? "in no cycle"
                : "median of " + figure.n()
                        + (figure.effect().label().isEmpty()
                                ? ", " + figure.intervalText()
                                : "; " + figure.effect().label());
    }

    private String longest(Metric metric) {
        Measure measure = summary.metrics().get(metric);
        return (measure.value().isPresent() ? "longest " + NumberText.measure(metric, measure) : "")
                + (measure.value().isPresent() && !measure.note().isEmpty() ? "; " : "")
                + measure.note();
    }

    private Figure figure(Metric metric, String note) {
        return new Figure(
                metric.title(), NumberText.measure(metric, summary.metrics().get(metric)), note);
    }

    private String sum(ToDoubleFunction<OperationTotal> count) {
        return totals.operations().isEmpty()
                ? NumberText.ABSENT
                : NumberText.plain(totals.operations().stream()
                        .filter(OperationTotal::counted)
                        .mapToDouble(count)
                        .sum());
    }
}
