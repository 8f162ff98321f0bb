package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.rundir.Latency;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The figures by which two variants are compared in pairs. Stateless. */
final class PairedFigures {
    /** Those that are in every table, as ratios. */
    static final List<String> FIRST = List.of(
            CellFigures.THROUGHPUT,
            CellFigures.CLIENT_CPU,
            CellFigures.SERVER_CPU,
            CellFigures.ALL_CPU,
            CellFigures.SERVER_SENT);

    /** Those of checks, which may be 0. */
    static final List<String> LOSSES = List.of(CellFigures.ACKED_LOST, CellFigures.RPO, CellFigures.INCONSISTENT);

    private static final Set<Latency> LATENCIES = EnumSet.of(Latency.P50, Latency.P95, Latency.P99);
    private static final String NOT_OK = "not_ok_ops";
    private static final String DRILL = "drill_";

    /** They describe how steady the run was before the fault; neither more nor less is better. */
    static final Set<Metric> NEITHER = EnumSet.of(
            Metric.SLO_P99,
            Metric.SLO_P50,
            Metric.BASELINE_WORST,
            Metric.BASELINE_VARIATION,
            Metric.BASELINE_SLOPE,
            Metric.BASELINE_CONFIDENCE);

    /** Those among the columns of {@code cells.csv}, the most important ones first. */
    static List<Figure> among(Set<String> columns) {
        List<Figure> figures = new ArrayList<>();
        for (String first : FIRST) {
            if (columns.contains(first)) {
                figures.add(Figure.of(first));
            }
        }
        for (String column : new TreeSet<>(columns)) {
            Figure figure = Figure.of(column);
            // With a rate, latency counts from when an operation was due.
            figure.latency()
                    .filter(latency -> LATENCIES.contains(latency.latency()))
                    .filter(latency -> latency.time().equals("response")
                            || !columns.contains(column.replace("_service_", "_response_")))
                    .ifPresent(latency -> figures.add(figure));
        }
        if (columns.contains(NOT_OK)) {
            figures.add(notOk());
        }
        for (String loss : LOSSES) {
            if (columns.contains(loss)) {
                figures.add(Figure.of(loss));
            }
        }
        for (Metric metric : Metric.values()) {
            if (columns.contains(DRILL + metric.key()) && !NEITHER.contains(metric)) {
                figures.add(Figure.of(DRILL + metric.key()));
            }
        }
        return figures;
    }

    static Figure notOk() {
        return new Figure(NOT_OK, "Failed or unknown operations", "ops", 1);
    }

    /** Whether a figure is compared as a ratio; otherwise, because it may be 0, as a difference. */
    static boolean isRatio(Figure figure) {
        return FIRST.contains(figure.column())
                || figure.latency().isPresent()
                || figure.column().equals(DRILL + Metric.BASELINE.key());
    }
}
