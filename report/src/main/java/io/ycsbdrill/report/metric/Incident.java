package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Faults that belong together, and the stretch of the run that is looked at for them: those that hit several nodes at once, and a
 * later start or resume of such a node.
 *
 * @param number from 1, in order of time
 * @param hits in order of time, one for each node and fault; empty only when nothing was injected
 * @param startSeconds when the first injection began
 * @param endSeconds exclusive: the start of the first incident after this one is over, or the end of the data
 * @param overlaps numbers of other incidents that began before this one was over
 */
public record Incident(int number, List<Hit> hits, double startSeconds, double endSeconds, List<Integer> overlaps) {
    /** Faults that begin within this time hit their nodes at once. */
    private static final double AT_ONCE_SECONDS = 0.1;

    public Incident {
        hits = List.copyOf(hits);
        overlaps = List.copyOf(overlaps);
    }

    /** The incidents of a run, in order of time. */
    public static List<Incident> of(RunData run) {
        List<List<Hit>> groups = new ArrayList<>();
        for (Hit hit : Hit.of(run)) {
            groups.stream()
                    .filter(group -> group.stream().anyMatch(earlier -> belongs(hit, earlier)))
                    .reduce((one, later) -> later)
                    .orElseGet(() -> {
                        List<Hit> fresh = new ArrayList<>();
                        groups.add(fresh);
                        return fresh;
                    })
                    .add(hit);
        }
        List<Incident> open = new ArrayList<>();
        for (List<Hit> group : groups) {
            open.add(new Incident(open.size() + 1, group, group.get(0).startSeconds(), Double.NaN, List.of()));
        }
        return open.stream()
                .map(incident -> incident.withEnd(open, run.durationSeconds()))
                .toList();
    }

    private static boolean belongs(Hit hit, Hit earlier) {
        if (hit.bringsBack()) {
            return earlier.node().equals(hit.node())
                    && earlier.recovered().orElse(Double.MAX_VALUE) > hit.startSeconds();
        }
        return hit.sameInjection(earlier)
                || !earlier.bringsBack() && hit.startSeconds() - earlier.startSeconds() <= AT_ONCE_SECONDS;
    }

    /** Everything from the first fault to the end of the data, as if it were one. */
    static Incident whole(RunData run, List<Incident> all) {
        return new Incident(
                0,
                all.stream().flatMap(incident -> incident.hits.stream()).toList(),
                all.get(0).startSeconds,
                run.durationSeconds(),
                List.of());
    }

    /** The same of a drill that injected nothing. */
    static Incident nothing(RunData run, double startSeconds) {
        return new Incident(0, List.of(), startSeconds, run.durationSeconds(), List.of());
    }

    private Incident withEnd(List<Incident> all, double dataEnd) {
        double over = over().orElse(Double.MAX_VALUE);
        double end = dataEnd;
        List<Integer> overlapping = new ArrayList<>();
        for (Incident other : all) {
            if (other.number == number) {
                continue;
            }
            if (other.startSeconds > over) {
                end = Math.min(end, other.startSeconds);
            } else if (other.startSeconds >= startSeconds || other.over().orElse(Double.MAX_VALUE) > startSeconds) {
                overlapping.add(other.number);
            }
        }
        return new Incident(number, hits, startSeconds, end, overlapping);
    }

    /** The faults that began it, without what brought its nodes back. */
    private List<Hit> faults() {
        List<Hit> faults = hits.stream().filter(hit -> !hit.bringsBack()).toList();
        return faults.isEmpty() ? hits : faults;
    }

    /** When the engine had declared every node down that it had to; empty as soon as one is missing. */
    OptionalDouble declaredDown() {
        List<Hit> needed = faults().stream().anyMatch(Hit::takesNodeDown)
                ? which(Hit::takesNodeDown)
                : which(hit -> hit.declaredDown().isPresent());
        OptionalDouble last = last(needed, Hit::declaredDown);
        return last.isPresent() && last.getAsDouble() < endSeconds ? last : OptionalDouble.empty();
    }

    /** Nodes that went down without a word of the engine, which had one for others. */
    List<String> undeclared() {
        boolean some = hits.stream().anyMatch(hit -> hit.declaredDown().isPresent());
        return some
                ? nodes(which(hit -> hit.takesNodeDown() && hit.declaredDown().isEmpty()))
                : List.of();
    }

    /** Nodes that the injector saw go down and of which the engine reported nothing. */
    List<String> unreported() {
        return nodes(which(hit -> hit.takesNodeDown() && !hit.redundancyLost()));
    }

    /** When every node that was down had recovered; without one, when each was reported as recovered nevertheless. */
    OptionalDouble recovered() {
        return last(redundancyLost() ? which(Hit::redundancyLost) : faults(), Hit::recovered);
    }

    boolean takesNodeDown() {
        return faults().stream().anyMatch(Hit::takesNodeDown);
    }

    boolean redundancyLost() {
        return faults().stream().anyMatch(Hit::redundancyLost);
    }

    /** Whether it was meant to leave a node down: killed, stopped or removed, and not started again. */
    boolean leftDown() {
        return faults().stream()
                .anyMatch(hit -> hit.leavesNodeDown()
                        && hits.stream()
                                .noneMatch(
                                        back -> back.bringsBack() && back.node().equals(hit.node())));
    }

    /** When its effect on the engine is over; empty when the data do not show that. A node may be back before the fault has ended. */
    OptionalDouble over() {
        OptionalDouble recovered = recovered();
        if (!redundancyLost() && recovered.isEmpty()) {
            return last(hits, Hit::ended);
        }
        List<Hit> released = which(Hit::releases);
        OptionalDouble ended = last(released, Hit::ended);
        return released.isEmpty() || recovered.isEmpty()
                ? recovered
                : ended.isEmpty() ? ended : OptionalDouble.of(Math.max(recovered.getAsDouble(), ended.getAsDouble()));
    }

    /** Whether a phase is one of its nodes, because of its faults or of a failure that nobody has injected. */
    boolean has(Stage stage) {
        return nodes().contains(stage.node())
                && (stage.unplanned() || hits.stream().anyMatch(hit -> hit.began(stage)));
    }

    /** When the last of its faults had taken effect. */
    double effectiveSeconds() {
        return faults().stream()
                .mapToDouble(hit -> hit.injected().orElse(hit.startSeconds()))
                .max()
                .orElse(startSeconds);
    }

    /** The nodes it hit, in order of time. */
    public List<String> nodes() {
        return nodes(faults());
    }

    /** The labels of its faults: {@code kill}. */
    public String fault() {
        return faults().stream().map(Hit::fault).distinct().collect(Collectors.joining(", "));
    }

    /** Faults, nodes and what followed: {@code kill node1, node2, then start}. */
    public String title() {
        String back = hits.stream()
                .filter(hit -> !faults().contains(hit))
                .map(Hit::fault)
                .map(Hit::called)
                .distinct()
                .collect(Collectors.joining(", "));
        return (Hit.called(fault()) + " " + String.join(", ", nodes())).strip()
                + (back.isEmpty() ? "" : ", then " + back);
    }

    private List<Hit> which(Predicate<Hit> wanted) {
        return faults().stream().filter(wanted).toList();
    }

    private static List<String> nodes(List<Hit> hits) {
        return hits.stream()
                .map(Hit::node)
                .filter(node -> !node.isEmpty())
                .distinct()
                .toList();
    }

    /** The latest of them; empty when there is none, or one is missing. */
    private static OptionalDouble last(List<Hit> hits, Function<Hit, OptionalDouble> time) {
        return hits.stream().map(time).anyMatch(OptionalDouble::isEmpty)
                ? OptionalDouble.empty()
                : hits.stream()
                        .mapToDouble(hit -> time.apply(hit).getAsDouble())
                        .max();
    }
}
