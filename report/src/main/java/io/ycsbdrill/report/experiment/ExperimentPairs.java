package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.experiment.PairedComparison.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The pairs of an experiment with two variants, whose first one is A. Stateless. */
public final class ExperimentPairs {
    private ExperimentPairs() {}

    /** The comparison of its two variants; empty of an experiment with more, or with one. */
    public static Optional<PairedComparison> of(ExperimentData data) {
        if (data.plan().variants().size() != 2) {
            return Optional.empty();
        }
        PlanData.Variant a = data.plan().variants().get(0);
        PlanData.Variant b = data.plan().variants().get(1);
        List<Block> blocks = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (int repeat = 1; repeat <= data.plan().repeats(); repeat++) {
            List<CellRow> ofA = cells(data, a.number(), repeat, false);
            List<CellRow> ofB = cells(data, b.number(), repeat, false);
            List<CellRow> again = cells(data, a.number(), repeat, true);
            Stream.of(ofA, ofB, again)
                    .flatMap(List::stream)
                    .filter(row -> !row.counts() && !row.state().equals(CellRow.MISSING))
                    .forEach(row -> missing.add(row.cell().id() + ": " + row.reason()));
            if (Stream.of(ofA, ofB, again)
                    .allMatch(rows -> rows.size() == 1 && rows.get(0).counts())) {
                blocks.add(new Block(
                        ofA.get(0).values(), ofB.get(0).values(), again.get(0).values()));
            }
        }
        return Optional.of(PairedComparison.of(
                what(a, "A"), what(b, "B"), data.plan().repeats(), data.pairCount(), blocks, missing));
    }

    private static List<CellRow> cells(ExperimentData data, int variant, int repeat, boolean twin) {
        return data.rows().stream()
                .filter(row -> row.cell().variant() == variant
                        && row.cell().repeat() == repeat
                        && row.cell().twin() == twin)
                .toList();
    }

    /** What a variant is called and runs; the side is not said twice. */
    private static String what(PlanData.Variant variant, String side) {
        String label = variant.levels().values().stream().findFirst().orElse("");
        String name = label.equals(side) ? "" : label.startsWith(side + " ") ? label.substring(2) : label;
        return name.isEmpty() ? variant.command() : name + ": " + variant.command();
    }
}
