package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One cycle of a repeated drill, measured as if it were a drill of its own whose data end with its cool-down.
 *
 * @param number from 1, in order of time
 * @param isNull whether nothing was injected, so that its figures are noise
 * @param startSeconds what times of its steps count from
 * @param endSeconds end of its cool-down, or of the data
 * @param metrics its figures, but for those of an audit
 * @param losses what it cost of the acknowledged writes; empty for a null cycle and without an audit
 * @param catchesUp whether the clients were catching up with what had not been served before, so that an earlier steady state is its baseline
 */
public record Cycle(
        int number,
        boolean isNull,
        double startSeconds,
        double endSeconds,
        DrillMetrics metrics,
        Optional<CycleLosses> losses,
        boolean catchesUp) {
    private static final String BEGUN = "cycle-begun";
    private static final String ENDED = "cycle-ended";

    /** Whether the drill of this run was repeated. */
    static boolean repeated(RunData run) {
        return run.markers().stream().anyMatch(marker -> marker.kind().equals(BEGUN));
    }

    /** In order of time; empty when the drill was not repeated. */
    static List<Cycle> of(RunData run) {
        List<Cycle> cycles = new ArrayList<>();
        double before = 0;
        double calm = 0;
        Optional<Baseline> first = Optional.empty();
        for (Marker begun : run.markers()) {
            if (!begun.kind().equals(BEGUN)) {
                continue;
            }
            String number = begun.field("cycle");
            double end = run.markers().stream()
                    .filter(m -> m.kind().equals(ENDED) && m.field("cycle").equals(number))
                    .mapToDouble(Marker::atSeconds)
                    .findFirst()
                    .orElse(run.durationSeconds());
            boolean isNull = begun.field("null").equals("true");
            RunData own = run.stretch(begun.atSeconds(), end, calm);
            boolean nothing = isNull || run.isPlacebo();
            Optional<Baseline> steady = DrillMetrics.before(own, begun.atSeconds());
            boolean behind =
                    nothing && DueOperations.catchUp(own, steady, first).isPresent();
            DrillMetrics metrics = nothing
                    ? DrillMetrics.ofNothing(own, begun.atSeconds(), behind || steady.isEmpty() ? first : steady)
                    : DrillMetrics.of(own, first);
            first = first.isPresent() ? first : steady;
            double since = before;
            Optional<CycleLosses> losses =
                    run.audit().filter(audit -> !isNull).map(audit -> CycleLosses.of(audit, own, since, end));
            before = isNull ? before : end;
            calm = metrics.faults().stream()
                    .mapToDouble(fault -> fault.overSeconds().orElse(end))
                    .reduce(calm, Math::max);
            boolean catchesUp = behind
                    || metrics.faults().stream()
                            .anyMatch(fault -> fault.catchUpPercent().isPresent());
            cycles.add(new Cycle(cycles.size() + 1, isNull, begun.atSeconds(), end, metrics, losses, catchesUp));
        }
        return cycles;
    }

    /** What was done in it: {@code restart node2}, {@code nothing}. */
    public String title() {
        return metrics.faults().isEmpty()
                ? "nothing"
                : metrics.faults().stream().map(FaultMetrics::title).collect(Collectors.joining("; "));
    }

    /** From its beginning to its end. */
    public double seconds() {
        return endSeconds - startSeconds;
    }
}
