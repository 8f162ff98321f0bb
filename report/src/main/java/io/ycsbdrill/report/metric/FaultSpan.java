package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One injected fault and the stretch of the run that is looked at for it.
 *
 * @param number from 1, in order of time
 * @param fault the fault's label: {@code R}, {@code init}, {@code kill}, ...
 * @param startSeconds when its injection began
 * @param endSeconds exclusive: the start of the first fault after its recovery, or the end of the data
 * @param declaredDown when the engine said that the node is down
 * @param recovered when the engine reported the node as recovered
 * @param ended when it was healed or its last step was done
 * @param takesNodeDown whether the injector saw the node go down, so that an engine that reports nothing is blind, not unharmed
 * @param redundancyLost whether the node was down at all, as far as the engine reported
 * @param overlaps numbers of other faults that began before this one was over
 */
public record FaultSpan(
        int number,
        String step,
        String fault,
        String node,
        double startSeconds,
        double endSeconds,
        OptionalDouble declaredDown,
        OptionalDouble recovered,
        OptionalDouble ended,
        boolean takesNodeDown,
        boolean redundancyLost,
        List<Integer> overlaps) {

    public static List<FaultSpan> of(RunData run) {
        List<FaultSpan> open = new ArrayList<>();
        for (Marker marker : run.markers()) {
            if (marker.kind().equals("fault-started")) {
                open.add(begin(open.size() + 1, marker, run));
            }
        }
        return open.stream()
                .map(span -> span.withEnd(open, run.durationSeconds()))
                .toList();
    }

    private static FaultSpan begin(int number, Marker start, RunData run) {
        String node = start.node();
        OptionalDouble down = OptionalDouble.empty();
        OptionalDouble recovered = OptionalDouble.empty();
        OptionalDouble ended = OptionalDouble.empty();
        boolean takesNodeDown = false;
        for (Marker marker : run.markers()) {
            if (marker.atSeconds() < start.atSeconds() || !marker.node().equals(node)) {
                continue;
            }
            if (recovered.isPresent() && marker.kind().equals("fault-started") && marker != start) {
                break;
            }
            boolean phase = marker.kind().equals("phase");
            if (marker.isEvent("node-down")) {
                down = first(down, marker);
            }
            if (marker.isEvent("recovered") || phase && marker.phase().equals(Phase.RECOVERED.label())) {
                recovered = first(recovered, marker);
            } else if (marker.isEvent("node-down") && marker.atSeconds() > recovered.orElse(Double.MAX_VALUE)) {
                // Reported too early: the engine took it back.
                recovered = OptionalDouble.empty();
            }
            boolean own = marker.field("step").equals(start.field("step"))
                    && marker.field("occurrence").equals(start.field("occurrence"));
            takesNodeDown |= own && marker.field("effect").equals("node-down");
            if (own && marker.kind().equals("fault-ended")) {
                ended = first(ended, marker);
            }
        }
        OptionalDouble restored = recovered;
        boolean lost = down.isPresent() && (restored.isEmpty() || down.getAsDouble() <= restored.getAsDouble())
                || run.stages().stream()
                        .anyMatch(stage -> stage.node().equals(node)
                                && !stage.phase().equals("fault")
                                && stage.endSeconds().orElse(Double.MAX_VALUE) > start.atSeconds()
                                && stage.startSeconds() <= restored.orElse(Double.MAX_VALUE));
        return new FaultSpan(
                number,
                start.field("step"),
                start.label().isEmpty() ? start.field("fault") : start.label(),
                node,
                start.atSeconds(),
                Double.NaN,
                down,
                recovered,
                ended,
                takesNodeDown,
                lost,
                List.of());
    }

    private static OptionalDouble first(OptionalDouble known, Marker marker) {
        return known.isPresent() ? known : OptionalDouble.of(marker.atSeconds());
    }

    /** When its effect on the engine is over; empty when the data do not show that. */
    OptionalDouble over() {
        return redundancyLost || recovered.isPresent() ? recovered : ended;
    }

    private FaultSpan withEnd(List<FaultSpan> all, double dataEnd) {
        double over = over().orElse(Double.MAX_VALUE);
        double end = dataEnd;
        List<Integer> overlapping = new ArrayList<>();
        for (FaultSpan other : all) {
            if (other.number == number) {
                continue;
            }
            if (other.startSeconds > over) {
                end = Math.min(end, other.startSeconds);
            } else if (other.startSeconds >= startSeconds || other.over().orElse(Double.MAX_VALUE) > startSeconds) {
                overlapping.add(other.number);
            }
        }
        return new FaultSpan(
                number,
                step,
                fault,
                node,
                startSeconds,
                end,
                declaredDown.isPresent() && declaredDown.getAsDouble() < end ? declaredDown : OptionalDouble.empty(),
                recovered,
                ended,
                takesNodeDown,
                redundancyLost,
                overlapping);
    }

    String title() {
        return fault + (node.isEmpty() ? "" : " " + node);
    }
}
