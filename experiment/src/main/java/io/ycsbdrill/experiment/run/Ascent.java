package io.ycsbdrill.experiment.run;

import io.ycsbdrill.experiment.spec.Axis;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** When to stop the ascent of an axis: after two levels in a row that do not count. Used by one thread. */
final class Ascent {
    private final Optional<Axis> axis;
    private final Set<Map<String, String>> failed = new HashSet<>();

    Ascent(Experiment experiment) {
        axis = experiment.ascend().flatMap(name -> experiment.axes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst());
    }

    /** A cell has ended, now or in an earlier part of the experiment. */
    void ended(Cell cell, boolean counts) {
        if (!counts) {
            failed.add(cell.variant().levels());
        }
    }

    /** Why a cell is not to be run; empty when it is. */
    Optional<String> objection(Cell cell) {
        if (axis.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> levels = cell.variant().levels();
        if (failed.contains(levels)) {
            return Optional.of("another repeat of this level does not count, so the level does not");
        }
        List<String> below = new ArrayList<>();
        for (Level level : axis.get().levels()) {
            if (level.label().equals(levels.get(axis.get().name()))) {
                return Optional.empty();
            }
            below.add(level.label());
            int n = below.size();
            if (n >= 2 && failedAt(levels, below.get(n - 1)) && failedAt(levels, below.get(n - 2))) {
                return Optional.of(axis.get().name() + " " + below.get(n - 2) + " and " + below.get(n - 1)
                        + " do not count, so the ascent ended there");
            }
        }
        return Optional.empty();
    }

    private boolean failedAt(Map<String, String> levels, String label) {
        Map<String, String> there = new TreeMap<>(levels);
        there.put(axis.orElseThrow().name(), label);
        return failed.contains(there);
    }
}
