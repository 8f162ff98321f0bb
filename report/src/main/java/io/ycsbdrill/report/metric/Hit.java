package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One fault on one node, as the markers have it.
 *
 * @param fault the fault's label: {@code R}, {@code init}, {@code kill}, ...
 * @param node empty when it has none
 * @param startSeconds when its injection began
 * @param injected when its effect was confirmed
 * @param declaredDown when the engine said that the node is down
 * @param recovered when the engine reported the node as recovered
 * @param ended when it was healed or its last step was done
 * @param takesNodeDown whether the injector saw the node go down, so that an engine that reports nothing is blind, not unharmed
 * @param redundancyLost whether the node was down at all, as far as the engine reported
 * @param bringsBack whether it continues the recovery of a node, as a start or a resume does
 * @param leavesNodeDown whether it is a fault that leaves its node down
 * @param releases whether it is in force until it has ended, be the node recovered or not
 */
public record Hit(
        String step,
        String occurrence,
        String fault,
        String node,
        double startSeconds,
        OptionalDouble injected,
        OptionalDouble declaredDown,
        OptionalDouble recovered,
        OptionalDouble ended,
        boolean takesNodeDown,
        boolean redundancyLost,
        boolean bringsBack,
        boolean leavesNodeDown,
        boolean releases) {

    /** Times of one moment in two files differ by less. */
    private static final double SAME_SECONDS = 0.001;

    /** A fault in words where its label is an abbreviation. */
    public static String called(String label) {
        return label.equals("R") ? "restart" : label.equals("init") ? "initial restart" : label;
    }

    /** In order of time. */
    static List<Hit> of(RunData run) {
        return run.markers().stream()
                .filter(marker -> marker.kind().equals("fault-started"))
                .map(start -> of(start, run))
                .toList();
    }

    private static Hit of(Marker start, RunData run) {
        String node = start.node();
        String name = start.field("fault").isEmpty() ? start.label() : start.field("fault");
        boolean bringsBack = start.field("brings_back").equals("true")
                || List.of("start", "resume").contains(name);
        OptionalDouble injected = OptionalDouble.empty();
        OptionalDouble down = OptionalDouble.empty();
        OptionalDouble recovered = OptionalDouble.empty();
        OptionalDouble ended = OptionalDouble.empty();
        boolean takesNodeDown = false;
        boolean over = false;
        for (Marker marker : run.markers()) {
            if (marker.atSeconds() < start.atSeconds() || !marker.node().equals(node)) {
                continue;
            }
            boolean own = marker.field("step").equals(start.field("step"))
                    && marker.field("occurrence").equals(start.field("occurrence"));
            takesNodeDown |= own && marker.field("effect").equals("node-down");
            if (own && marker.kind().equals("fault-injected")) {
                injected = first(injected, marker);
            } else if (own && marker.kind().equals("fault-ended")) {
                ended = first(ended, marker);
            }
            over |= recovered.isPresent()
                    && (marker.kind().equals("fault-started") && marker != start
                            || marker.isEvent("node-down") && isUnplanned(marker, recovered.getAsDouble(), run));
            if (over) {
                continue;
            }
            if (marker.isEvent("node-down")) {
                down = first(down, marker);
            }
            // The recovery of a node is that of the fault that began it, also when another step brings the node back.
            boolean phase = marker.kind().equals("phase") && (own || bringsBack);
            if (marker.isEvent("recovered") || phase && marker.phase().equals(Phase.RECOVERED.label())) {
                recovered = first(recovered, marker);
            } else if (marker.isEvent("node-down") && marker.atSeconds() > recovered.orElse(Double.MAX_VALUE)) {
                // Reported too early: the engine took it back.
                recovered = OptionalDouble.empty();
            }
        }
        OptionalDouble restored = recovered;
        boolean lost = down.isPresent() && (restored.isEmpty() || down.getAsDouble() <= restored.getAsDouble())
                || run.stages().stream()
                        .anyMatch(stage -> stage.node().equals(node)
                                && !stage.phase().equals("fault")
                                && stage.endSeconds().orElse(Double.MAX_VALUE) > start.atSeconds()
                                && stage.startSeconds() <= restored.orElse(Double.MAX_VALUE));
        return new Hit(
                start.field("step"),
                start.field("occurrence"),
                start.label().isEmpty() ? name : start.label(),
                node,
                start.atSeconds(),
                injected,
                down,
                recovered,
                ended,
                takesNodeDown,
                lost,
                bringsBack,
                List.of("kill", "stop", "remove-node").contains(name),
                start.field("releases").equals("true"));
    }

    /** Whether the injector took a failure after the recovery for one that nobody injected, with a recovery of its own. */
    private static boolean isUnplanned(Marker failure, double recovered, RunData run) {
        return run.stages().stream()
                .anyMatch(stage -> stage.node().equals(failure.node())
                        && stage.unplanned()
                        && stage.startSeconds() > recovered
                        && stage.startSeconds() <= failure.atSeconds() + SAME_SECONDS);
    }

    private static OptionalDouble first(OptionalDouble known, Marker marker) {
        return known.isPresent() ? known : OptionalDouble.of(marker.atSeconds());
    }

    /** Whether a phase belongs to this injection. */
    boolean began(Stage stage) {
        return step.equals(stage.step()) && (occurrence.isEmpty() || occurrence.equals(stage.occurrence()));
    }

    /** Whether one injection of a step hit both of their nodes. */
    boolean sameInjection(Hit other) {
        return !occurrence.isEmpty() && occurrence.equals(other.occurrence) && step.equals(other.step);
    }
}
