package io.ycsbdrill.report.summary;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.Cycle;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Metric;
import java.util.List;
import java.util.Map;

/** The cycles of a repeated drill in words and for a terminal. */
public final class CycleText {
    /** Short names for the columns of tables. */
    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry(Metric.OUT.key(), "out s"),
            Map.entry(Metric.WRITE_OUTAGE.key(), "no wr. s"),
            Map.entry(Metric.DEGRADED.key(), "degr. s"),
            Map.entry(Metric.LOST_SECONDS.key(), "lost s"),
            Map.entry(Metric.DETECTED.key(), "detect s"),
            Map.entry(Metric.SERVICE_RESTORED.key(), "serv. s"),
            Map.entry(Metric.REDUNDANCY_RESTORED.key(), "redund. s"),
            Map.entry(Metric.LONGEST_GAP.key(), "gap s"),
            Map.entry(Metric.FIRST_MINUTE.key(), "1st min %"),
            Map.entry(Metric.FAILED.key(), "failed"),
            Map.entry(Metric.UNKNOWN.key(), "unknown"),
            Map.entry(Metric.BASELINE.key(), "B ops/s"),
            Map.entry("ackedLost", "lost wr."),
            Map.entry("rpoSeconds", "RPO s"));

    private CycleText() {}

    /** {@code 9 cycles of 41 to 47 s, and 3 null cycles of 44 to 45 s in which nothing was injected}. */
    public static String setting(DrillMetrics metrics) {
        List<Cycle> all = metrics.cycles();
        long nulls = all.stream().filter(Cycle::isNull).count();
        return (all.size() - nulls)
                + (all.size() - nulls == 1 ? " cycle" : " cycles")
                + lengths(all, false)
                + (nulls == 0
                        ? "; no null cycles, so what the same figures show without a fault is not known"
                        : ", and " + nulls + (nulls == 1 ? " null cycle" : " null cycles") + lengths(all, true)
                                + " in which nothing was injected");
    }

    private static String lengths(List<Cycle> all, boolean isNull) {
        double[] seconds = all.stream()
                .filter(cycle -> cycle.isNull() == isNull)
                .mapToDouble(Cycle::seconds)
                .sorted()
                .toArray();
        String from = Formatted.of("%.0f", seconds[0]);
        String to = Formatted.of("%.0f", seconds[seconds.length - 1]);
        return " of " + (from.equals(to) ? from : from + " to " + to) + " s";
    }

    /** A short title for a column. */
    public static String column(CycleFigure figure) {
        return SHORT.get(figure.key());
    }

    public static String of(DrillMetrics metrics) {
        List<CycleFigure> figures = CycleFigures.of(metrics);
        StringBuilder text = new StringBuilder(Formatted.of("%n%s%n", setting(metrics)));
        text.append(Formatted.of("  %5s %8s %-18s", "cycle", "at s", ""));
        figures.forEach(figure -> text.append(Formatted.of(" %9s", column(figure))));
        text.append(Formatted.of("%n"));
        for (int i = 0; i < metrics.cycles().size(); i++) {
            Cycle cycle = metrics.cycles().get(i);
            text.append(Formatted.of(
                    "  %5d %8.1f %-18s",
                    cycle.number(), cycle.startSeconds(), shortened(cycle.isNull() ? "(null cycle)" : cycle.title())));
            for (CycleFigure figure : figures) {
                text.append(Formatted.of(" %9s", figure.text(figure.byCycle().get(i))));
            }
            text.append(Formatted.of("%n"));
        }
        text.append(Formatted.of(
                "%n  %-36s %-24s %-26s %-12s %s%n",
                "Over the cycles", "median [min to max]", "interval of the median", "no fault", "trend"));
        for (CycleFigure figure : figures) {
            text.append(Formatted.of(
                            "  %-36s %-24s %-26s %-12s %s",
                            figure.title(),
                            figure.summary(),
                            figure.intervalText(),
                            figure.noiseText(),
                            figure.trendText())
                    .stripTrailing());
            text.append(Formatted.of("%n"));
            if (!figure.effect().label().isEmpty()) {
                text.append(Formatted.of("  %-36s %s%n", "", figure.effect().label()));
            }
        }
        return text.toString();
    }

    private static String shortened(String title) {
        return title.length() <= 18 ? title : title.substring(0, 17) + "\u2026";
    }
}
