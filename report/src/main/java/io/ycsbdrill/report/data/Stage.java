package io.ycsbdrill.report.data;

import io.ycsbdrill.base.Phase;
import java.util.OptionalDouble;

/**
 * One row of {@code phases.csv}: a phase of one fault.
 *
 * @param step the drill's step
 * @param occurrence which one of a repeated step
 * @param endSeconds empty when the phase was still open at the end of the data
 */
public record Stage(
        String step,
        String occurrence,
        String fault,
        String node,
        String phase,
        double startSeconds,
        OptionalDouble endSeconds) {

    /** The same in data that end there: open, when it ends later. */
    Stage cutAt(double dataEnd) {
        return endSeconds.orElse(dataEnd) <= dataEnd
                ? this
                : new Stage(step, occurrence, fault, node, phase, startSeconds, OptionalDouble.empty());
    }

    /** Whether it is one of a failure that nobody has injected. */
    public boolean unplanned() {
        return step.isEmpty();
    }

    /** How long it took; empty while it is open. */
    public OptionalDouble seconds() {
        return endSeconds.isPresent()
                ? OptionalDouble.of(endSeconds.getAsDouble() - startSeconds)
                : OptionalDouble.empty();
    }

    /** {@code LRS}, {@code SS} or {@code WLCP}; empty for other phases. */
    public String shortName() {
        return Phase.labelled(phase).map(Phase::stage).orElse("");
    }

    /** A name that is short enough for a label inside a chart. */
    public String brief() {
        return Phase.labelled(phase).map(Phase::brief).orElse(phase);
    }

    /**
     * Whether a phase takes time and so is a stage. One that this program does not know is; {@code recovered} and
     * {@code steady} are states, which have no end.
     */
    static boolean isStage(String phase) {
        return Phase.labelled(phase).map(Phase.unhealthy()::contains).orElse(!phase.isEmpty());
    }

    /** The fault, or the step when an older file does not name the fault. */
    public String cause() {
        return fault.isEmpty() ? step : fault;
    }

    /** Whether both belong to the same recovery: same step, occurrence and node. */
    public boolean belongsWith(Stage other) {
        return step.equals(other.step) && occurrence.equals(other.occurrence) && node.equals(other.node);
    }
}
