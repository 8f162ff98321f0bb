package io.ycsbdrill.report.data;

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

    /** How long it took; empty while it is open. */
    public OptionalDouble seconds() {
        return endSeconds.isPresent()
                ? OptionalDouble.of(endSeconds.getAsDouble() - startSeconds)
                : OptionalDouble.empty();
    }

    /** Fault, or the step when an older file does not name it. */
    public String cause() {
        return fault.isEmpty() ? step : fault;
    }

    /** Same recovery: same step, occurrence and node. */
    public boolean belongsWith(Stage other) {
        return step.equals(other.step) && occurrence.equals(other.occurrence) && node.equals(other.node);
    }
}
