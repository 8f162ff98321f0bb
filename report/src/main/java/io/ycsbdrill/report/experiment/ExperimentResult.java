package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.page.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Everything that the results of an experiment show, computed once.
 *
 * @param comparisons one for each figure that variants are compared by
 * @param ascents of a sweep; empty when nothing ascends
 */
record ExperimentResult(
        ExperimentData data, MergedLatencies merged, List<Comparisons> comparisons, Optional<Ascents> ascents) {
    ExperimentResult {
        comparisons = List.copyOf(comparisons);
    }

    static ExperimentResult of(ExperimentData data) {
        MergedLatencies merged = MergedLatencies.of(data);
        List<String> asked = new ArrayList<>();
        data.plan().charts().forEach(chart -> asked.add(chart.y()));
        List<Comparisons> comparisons = Figure.of(data.figures(), asked).stream()
                .map(figure -> Comparisons.of(data, merged, figure))
                .toList();
        return new ExperimentResult(data, merged, comparisons, Ascents.of(data, merged));
    }

    PlanData plan() {
        return data.plan();
    }

    /** The table with engine, scale and machine in its caption, when it is one of a suite. */
    Table named(Table table) {
        return plan().setting()
                .map(setting -> new Table(table.caption() + " (" + setting + ")", table.headers(), table.rows()))
                .orElse(table);
    }

    /** What becomes of the claims; empty without any. */
    List<ClaimRow> claims() {
        return ClaimRow.of(data);
    }

    Table claimsTable() {
        return ClaimRow.table("Claims: " + ClaimRow.countText(claims()), claims());
    }

    /** What later levels of an axis gain over its first one; none when it is not asked for. */
    List<Table> gains() {
        return Gains.of(data);
    }

    /** The comparison in pairs that {@code ab} is about; empty of other experiments. */
    Optional<PairedComparison> paired() {
        return plan().kind().equals("ab") ? ExperimentPairs.of(data) : Optional.empty();
    }

    /** {@code 17 of 18 cells count, 1 NA}. */
    String cellsText() {
        long counting = data.counting();
        long missing = data.rows().stream()
                .filter(row -> row.state().equals(CellRow.MISSING))
                .count();
        long na = data.rows().size() - counting - missing;
        return counting + " of " + data.rows().size() + " cells count"
                + (na > 0 ? ", " + na + " NA" : "")
                + (missing > 0 ? ", " + missing + " not run yet" : "");
    }

    /** What reduces the worth of the result, each a sentence. */
    List<String> cautions() {
        List<String> cautions = new ArrayList<>(data.plan().cautions());
        merged.damaged()
                .forEach((variant, reason) -> cautions.add("Latencies of "
                        + data.plan().variants().get(variant - 1).title() + " could not be merged: " + reason));
        differently().ifPresent(cautions::add);
        double firstClusterNew = data.rows().stream()
                .filter(row -> row.value(CellFigures.CLUSTER_NEW).isPresent())
                .min(Comparator.comparing(CellRow::position))
                .map(row -> row.value(CellFigures.CLUSTER_NEW).getAsDouble())
                .orElse(1.0);
        if (firstClusterNew == 0) {
            cautions.add(
                    "It began on the cluster that the experiment before it in the suite had left. Servers can be faster then,"
                            + " JVMs several times, so its figures are not those of the same experiment alone (--only).");
        }
        if (data.rows().stream().anyMatch(row -> row.state().equals(CellRow.MISSING))) {
            cautions.add("The experiment is not complete; continue it: ycsb experiment --resume");
        }
        return cautions;
    }

    /** Whether some variant got its clusters and tables in other ways than another: that may be a part of the difference between them. */
    private Optional<String> differently() {
        Map<String, Set<List<OptionalDouble>>> ways = new LinkedHashMap<>();
        data.rows().stream()
                .filter(CellRow::counts)
                .filter(row -> row.value(CellFigures.CLUSTER_NEW).isPresent())
                .forEach(row -> ways.computeIfAbsent(
                                data.plan()
                                        .variants()
                                        .get(row.cell().variant() - 1)
                                        .title(),
                                none -> new HashSet<>())
                        .add(List.of(row.value(CellFigures.CLUSTER_NEW), row.value(CellFigures.TABLE_NEW))));
        return new HashSet<>(ways.values()).size() <= 1
                ? Optional.empty()
                : Optional.of(
                        "Clusters were not prepared alike for all variants: some cells had one that was started for them,"
                                + " others a table that was loaded for them on one that had been used, or that of an earlier cell"
                                + " (cluster_new, table_new in cells.csv). Servers that were just started can be slower, so that"
                                + " may be a part of the difference between variants; more repeats mix it.");
    }
}
