package io.ycsbdrill.client.explore;

import io.ycsbdrill.fault.explore.Coverage.Entered;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What came of one drill. Immutable.
 *
 * @param directory of its run; may not be there when it never began
 * @param troubles what it has shown, the worst first; empty when nothing
 * @param invalid why its figures say nothing; empty when they do. What the audit found counts nevertheless
 * @param blocked whether the cluster let it not be run, so that none is possible any more; why is in {@code invalid}
 * @param begun the faults that have begun, in order of time
 * @param phases of the nodes
 * @param rate operations each second that were offered, where they were
 * @param seconds that it took with all that belongs to it
 */
public record Explored(
        Path directory,
        List<Trouble> troubles,
        Optional<String> invalid,
        boolean blocked,
        List<Begun> begun,
        List<Entered> phases,
        OptionalLong rate,
        double seconds) {

    /** A fault of a step that has begun on a node. */
    public record Begun(String step, String node, double atSeconds) {}

    public Explored {
        troubles = troubles.stream().sorted(Comparator.comparing(Trouble::kind)).toList();
        begun = List.copyOf(begun);
        phases = List.copyOf(phases);
    }

    /** One that ended before there were data: it has shown nothing. */
    static Explored without(Path directory, String why, boolean blocked) {
        return new Explored(
                directory, List.of(), Optional.of(why), blocked, List.of(), List.of(), OptionalLong.empty(), 0);
    }

    Explored took(double time) {
        return new Explored(directory, troubles, invalid, blocked, begun, phases, rate, time);
    }

    Optional<Trouble> worst() {
        return troubles.stream().findFirst();
    }

    /** Whether a fault was injected, or what it shows can be judged. */
    boolean hasRun() {
        return invalid.isEmpty() || !begun.isEmpty();
    }

    boolean shows(Trouble.Kind kind) {
        return troubles.stream().anyMatch(trouble -> trouble.kind() == kind);
    }

    String text() {
        return worst().map(trouble -> "FOUND " + trouble.kind().label() + ": " + trouble.text())
                .or(() -> invalid.map(why -> (blocked ? "not begun: " : "not judged: ") + why))
                .orElse("nothing found");
    }
}
