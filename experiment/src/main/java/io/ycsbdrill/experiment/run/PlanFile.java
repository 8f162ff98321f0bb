package io.ycsbdrill.experiment.run;

import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.report.experiment.PlanData;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes the content of {@code plan.json}: everything that reports and {@code --resume} need of an experiment; written once, at its start. */
public final class PlanFile {
    private PlanFile() {}

    /**
     * Describes an experiment that begins now.
     *
     * @param kind what made it: {@code experiment}, {@code sweep} or {@code ab}
     * @param tool name and version, for readers
     * @param commands of the variants, in their order, as they may be shown
     * @param cautions for whoever reads the result, each a sentence
     * @param setting which engine, scale and machine, for every table of a suite; empty for none
     */
    public static PlanData of(
            Experiment experiment,
            Plan plan,
            String kind,
            Path workingDirectory,
            String tool,
            List<String> commands,
            List<String> cautions,
            Optional<String> setting) {
        return new PlanData(
                PlanData.SCHEMA,
                kind,
                experiment.name(),
                experiment.command().word(),
                tool,
                Instant.now().toString(),
                workingDirectory.toString(),
                plan.seed(),
                experiment.ascend().isPresent()
                        ? "ascending"
                        : experiment.order().word(),
                experiment.repeats(),
                experiment.until(),
                experiment.settle().toNanos() / 1e9,
                new PlanData.Success(
                        experiment.success().okShare(), experiment.success().rateHeld()),
                experiment.ascend(),
                experiment.gain(),
                experiment.axes().stream()
                        .map(axis -> new PlanData.Axis(
                                axis.name(),
                                axis.levels().stream()
                                        .map(level -> level.label())
                                        .toList()))
                        .toList(),
                experiment.variants().stream()
                        .map(variant -> new PlanData.Variant(
                                variant.number(), variant.levels(), commands.get(variant.number() - 1)))
                        .toList(),
                experiment.charts().stream()
                        .map(chart -> new PlanData.Chart(chart.x(), chart.y(), chart.by()))
                        .toList(),
                experiment.claims(),
                cautions,
                setting,
                plan.cells().stream()
                        .map(cell -> new PlanData.Cell(cell.id(), cell.variant().number(), cell.repeat(), cell.twin()))
                        .toList());
    }
}
