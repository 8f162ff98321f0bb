package io.ycsbdrill.report.page;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.PhaseImpact;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.StageSum;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What the faults did and how long each stage of the recovery took, as tables of {@code report.html}. */
record FaultSection(DrillSummary summary) {
    List<FaultMetrics> all() {
        return summary.metrics().faults();
    }

    /** The figures of the only fault with their notes, or those of several, a column for each. */
    FigureTable figures() {
        if (all().size() == 1) {
            FaultMetrics fault = all().get(0);
            return new FigureTable(
                    Formatted.of(
                            "%s, started at %.1f s; times are measured from there",
                            fault.title(), fault.startSeconds()),
                    List.of("Figure", "Value", "Note"),
                    metric -> List.of(
                            NumberText.measure(metric, fault.get(metric)),
                            fault.get(metric).note()));
        }
        List<String> headers = new ArrayList<>(List.of("Figure", "Drill"));
        all().forEach(fault -> headers.add(fault.number() + ". " + fault.title()));
        return new FigureTable(
                "Each fault and the drill as a whole; times are measured from the start of the fault",
                headers,
                metric -> {
                    List<String> row = new ArrayList<>();
                    row.add(NumberText.measure(metric, summary.metrics().get(metric)));
                    all().forEach(fault -> row.add(NumberText.measure(metric, fault.get(metric))));
                    return row;
                });
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (FaultMetrics fault : all()) {
            fault.measures().forEach((metric, measure) -> {
                if (!measure.note().isEmpty()) {
                    notes.add(fault.number() + ". " + fault.title() + ", " + metric.title() + ": " + measure.note());
                }
            });
        }
        return notes;
    }

    /** What users had of each type of operations. */
    Table operations() {
        List<String> headers = new ArrayList<>(List.of("Operation", "Fault"));
        FaultMetrics.BY_OPERATION.forEach(metric -> headers.add(metric.title()));
        headers.addAll(List.of("Gap from", "Gap before the fault", "Note"));
        List<List<String>> rows = new ArrayList<>();
        for (FaultMetrics fault : all()) {
            fault.operations().forEach((operation, measures) -> {
                Gap gap = fault.gaps().get(operation);
                Gap before = fault.baselineGaps().get(operation);
                List<String> row = new ArrayList<>(List.of(operation, fault.title()));
                FaultMetrics.BY_OPERATION.forEach(metric -> row.add(NumberText.measure(metric, measures.get(metric))));
                row.add(NumberText.seconds(gap.startSeconds()) + " s");
                row.add(before == null ? NumberText.ABSENT : NumberText.seconds(before.seconds()) + " s");
                row.add(FaultMetrics.BY_OPERATION.stream()
                        .map(metric -> measures.get(metric).note())
                        .filter(note -> !note.isEmpty())
                        .distinct()
                        .collect(Collectors.joining("; ")));
                rows.add(row);
            });
        }
        return new Table("Each type of operations by itself", headers, rows);
    }

    /** What clients had in each phase, one table for each incident. */
    List<Table> impacts() {
        return all().stream().map(this::impacts).toList();
    }

    private Table impacts(FaultMetrics fault) {
        List<List<String>> rows = fault.impacts().stream()
                .map(impact -> List.of(
                        impact.phase(),
                        impact.stage(),
                        impact.duration(),
                        PhaseImpact.text(impact.lostSeconds(), "%.1f s"),
                        PhaseImpact.text(impact.meanPercent(), "%.0f %%"),
                        PhaseImpact.text(impact.worstPercent(), "%.0f %%"),
                        PhaseImpact.text(impact.p99Factor(), "%.1f \u00d7"),
                        NumberText.plain(impact.failed()),
                        NumberText.plain(impact.unknown())))
                .toList();
        return new Table(
                "Impact by phase: " + fault.title()
                        + "; throughput and p99 relative to the baseline, whose worst second was "
                        + NumberText.measure(Metric.BASELINE_WORST, fault.get(Metric.BASELINE_WORST)),
                List.of("Phase", "Stage", "Duration", "Lost", "Mean", "Worst second", "p99", "Failed", "Unknown"),
                rows);
    }

    /** The stages of the recoveries, one table for each injection, with a column for each of its nodes. */
    List<Table> stages() {
        return StageSum.together(StageSum.of(summary.run().stages())).stream()
                .map(FaultSection::stages)
                .toList();
    }

    private static Table stages(List<StageSum> together) {
        List<String> headers = new ArrayList<>(List.of("Phase", "Stage"));
        together.forEach(sum -> headers.add(sum.stages().get(0).node()));
        return new Table("Recovery after " + together.get(0).stages().get(0).cause(), headers, StageSum.rows(together));
    }
}
