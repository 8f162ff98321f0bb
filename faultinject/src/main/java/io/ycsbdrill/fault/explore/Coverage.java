package io.ycsbdrill.fault.explore;

import io.ycsbdrill.base.Phase;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Counts in which phase of the first fault's node each second fault has really hit. Not thread-safe. */
public final class Coverage {
    private final Map<Cell, Integer> counts = new TreeMap<>(
            Comparator.comparing(Cell::first).thenComparing(Cell::second).thenComparing(Cell::phase));

    /** A kind, another kind, and the phase of the node of the first one when the second was injected. */
    public record Cell(String first, String second, Phase phase) {}

    /** A phase, and a kind of second fault that is aimed at it. */
    public record Pair(Phase phase, String second) {}

    /** A fault that has begun. */
    public record Hit(String kind, String node, double atSeconds) {}

    /** A node that has come into a phase. */
    public record Entered(String node, Phase phase, double atSeconds) {}

    /**
     * Takes one drill.
     *
     * @param hits in order of time; each is a second fault to all before it
     */
    public void add(List<Hit> hits, List<Entered> phases) {
        for (int i = 1; i < hits.size(); i++) {
            Hit second = hits.get(i);
            for (Hit first : hits.subList(0, i)) {
                Phase phase = phaseOf(first.node(), second.atSeconds(), first, phases);
                counts.merge(new Cell(first.kind(), second.kind(), phase), 1, Integer::sum);
            }
        }
    }

    /** The phase that a second fault itself begins is not the one that it was injected in. */
    private static Phase phaseOf(String node, double at, Hit first, List<Entered> phases) {
        Optional<Entered> last = phases.stream()
                .filter(entered -> entered.node().equals(node))
                .filter(entered -> entered.atSeconds() >= first.atSeconds() && entered.atSeconds() < at)
                .reduce((earlier, later) -> later);
        return last.map(Entered::phase).orElse(Phase.FAULT);
    }

    /** How often each was hit, at least once, in order. */
    public Map<Cell, Integer> counts() {
        return Collections.unmodifiableMap(counts);
    }

    /** How many of these were hit. A fault may hit in a phase that it was not aimed at. */
    public int hit(Set<Pair> pairs) {
        return (int) counts.keySet().stream()
                .map(cell -> new Pair(cell.phase(), cell.second()))
                .distinct()
                .filter(pairs::contains)
                .count();
    }
}
