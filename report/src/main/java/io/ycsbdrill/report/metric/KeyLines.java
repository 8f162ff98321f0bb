package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.OwnerSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The throughput of the keys of each target, and of all other keys, each relative to its own baseline: lines of a chart. Pure. */
public final class KeyLines {
    private static final double STEP_SECONDS = 0.5;
    private static final int MOST_POINTS = 4000;

    private KeyLines() {}

    /**
     * One line.
     *
     * @param name {@code keys of node2}, or {@code other keys}
     * @param target whether the keys are those of a target
     * @param atSeconds middle of each step, since run start
     * @param percent of the mean of the first fault's baseline
     */
    public record Line(String name, boolean target, double[] atSeconds, double[] percent) {}

    /** Those of a run; empty without a fault, a baseline or known owners, or when all faults hit others than the owners. */
    public static List<Line> of(RunData run) {
        List<Incident> incidents = Incident.of(run);
        OwnerSeries owners = run.owners();
        Optional<Baseline> baseline =
                incidents.isEmpty() ? Optional.empty() : DrillMetrics.baseline(run, incidents.get(0), incidents);
        if (!owners.known() || baseline.isEmpty()) {
            return List.of();
        }
        TreeSet<String> hit = new TreeSet<>();
        incidents.stream()
                .filter(incident -> owners.movedAt(incident.startSeconds()) == 0)
                .forEach(incident -> hit.addAll(owners.owners(incident.nodes(), true)));
        List<Line> lines = new ArrayList<>();
        for (String node : hit) {
            line("keys of " + node, true, owners.ok(List.of(node)), run.slices(), baseline.get())
                    .ifPresent(lines::add);
        }
        List<String> others = owners.owners(List.copyOf(hit), false);
        if (!hit.isEmpty() && !others.isEmpty()) {
            line("other keys", false, owners.ok(others), run.slices(), baseline.get())
                    .ifPresent(lines::add);
        }
        return lines;
    }

    private static Optional<Line> line(String name, boolean target, double[] ok, Slices slices, Baseline baseline) {
        double before = Arrays.stream(ok, slices.at(baseline.fromSeconds()), slices.at(baseline.toSeconds()))
                .average()
                .orElse(0);
        int step = Math.max(Math.max(1, (int) Math.round(STEP_SECONDS / slices.seconds())), (int)
                Math.ceil((double) slices.whole() / MOST_POINTS));
        int points = slices.whole() / step;
        double[] at = new double[points];
        double[] percent = new double[points];
        for (int i = 0; i < points; i++) {
            at[i] = (i + 0.5) * step * slices.seconds();
            percent[i] =
                    100 * Arrays.stream(ok, i * step, (i + 1) * step).average().orElse(0) / before;
        }
        return before > 0 ? Optional.of(new Line(name, target, at, percent)) : Optional.empty();
    }
}
