package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.Occurrence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one node went through because of one fault.
 *
 * @param node the node
 * @param of the fault that began it
 * @param spans its phases, in order and without gap; never empty. A phase appears twice when the node died again on its way, or
 *     because of the same fault
 */
public record Recovery(String node, Occurrence of, List<PhaseSpan> spans) {
    public Recovery {
        spans = List.copyOf(spans);
    }

    /** The phase that it is in, or in which it ended. */
    public Phase phase() {
        return last().phase();
    }

    /** Whether the node is still on its way: neither recovered nor overtaken by a further fault. */
    public boolean active() {
        return last().endNanos().isEmpty() && last().phase() != Phase.RECOVERED;
    }

    /** When the fault began, since run start. */
    public long startNanos() {
        return spans.get(0).startNanos();
    }

    /** When the node was last reported down, since run start; the start of the fault when it was not. */
    public long downNanos() {
        return spans.stream()
                .filter(span -> span.phase() == Phase.FAILURE_HANDLING)
                .mapToLong(PhaseSpan::startNanos)
                .max()
                .orElse(startNanos());
    }

    /** When the phase, or a later one if the engine skipped it, was reached for the last time; empty when it was not. */
    public OptionalLong reachedNanos(Phase wanted) {
        Optional<PhaseSpan> found = Optional.empty();
        for (PhaseSpan span : spans) {
            if (span.phase().compareTo(wanted) < 0) {
                found = Optional.empty();
            } else if (found.isEmpty()) {
                found = Optional.of(span);
            }
        }
        return found.map(s -> OptionalLong.of(s.startNanos())).orElse(OptionalLong.empty());
    }

    /** When the phase, or a later one if the engine skipped it, was reached for the first time; empty when it was not. */
    public OptionalLong firstReachedNanos(Phase wanted) {
        return spans.stream()
                .filter(span -> span.phase().compareTo(wanted) >= 0)
                .mapToLong(PhaseSpan::startNanos)
                .findFirst();
    }

    /** Whether the node was out of the cluster, or not back in it for good, at any time after this one. */
    public boolean outAfter(long nanos) {
        return spans.stream()
                .filter(span -> span.phase() != Phase.FAULT && span.phase() != Phase.RECOVERED)
                .anyMatch(span -> span.endNanos().orElse(Long.MAX_VALUE) > nanos);
    }

    private PhaseSpan last() {
        return spans.get(spans.size() - 1);
    }
}
