package io.ycsbdrill.report.metric;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * What one incident did: a fault, or several that belong together ({@link Incident}).
 *
 * @param number from 1, in order of time
 * @param fault label of the fault
 * @param node where, several separated by commas; empty when it has no node
 * @param title fault, nodes and what brought them back, for tables
 * @param startSeconds when its injection began
 * @param endSeconds end of the stretch that was measured
 * @param overlaps numbers of other faults that were going on at the same time: the figures contain their effects too
 * @param measures every {@link Metric}
 * @param gaps longest gap by operation
 * @param baselineGaps longest gap by operation in the baseline, to compare with: rare operations have natural gaps
 * @param operations out, longest out, lost, gap and restored by operation, TOTAL not among them; empty without slices
 * @param rare which types of operations are too rare to be seen; each a sentence
 * @param unseen which losses of its closed loop may be chance and are in no figure; empty when there are next to none
 * @param impacts what happened in each phase, in order of time, and after the recovery
 * @param uncertainPercent what of an effect on throughput may be chance or drift of the baseline; empty without a baseline
 * @param servedPercent what of the offered load was served before it; empty without a baseline
 * @param catchUpPercent the same right before it, when that was a catch-up and its baseline is that of an earlier fault; else empty
 */
public record FaultMetrics(
        int number,
        String fault,
        String node,
        String title,
        double startSeconds,
        double endSeconds,
        List<Integer> overlaps,
        Map<Metric, Measure> measures,
        Map<String, Gap> gaps,
        Map<String, Gap> baselineGaps,
        Map<String, Map<Metric, Measure>> operations,
        List<String> rare,
        Optional<Unseen> unseen,
        List<PhaseImpact> impacts,
        OptionalDouble uncertainPercent,
        OptionalDouble servedPercent,
        OptionalDouble catchUpPercent) {

    /** The figures of each operation that tables show. */
    public static final List<Metric> BY_OPERATION =
            List.of(Metric.OUT, Metric.LOST_SECONDS, Metric.LONGEST_GAP, Metric.SERVICE_RESTORED);

    /** The same as a fault of a repeated drill, numbered on from the faults of the cycles before. */
    FaultMetrics of(int cycle, int before) {
        return new FaultMetrics(
                before + number,
                fault,
                node,
                title + ", cycle " + cycle,
                startSeconds,
                endSeconds,
                overlaps.stream().map(other -> before + other).toList(),
                measures,
                gaps,
                baselineGaps,
                operations,
                rare,
                unseen,
                impacts,
                uncertainPercent,
                servedPercent,
                catchUpPercent);
    }

    /** When nothing of it was left, as far as it was seen: redundancy, if it was lost, and service. Empty when that was never. */
    public OptionalDouble overSeconds() {
        double over = startSeconds;
        for (Metric metric : List.of(Metric.REDUNDANCY_RESTORED, Metric.SERVICE_RESTORED)) {
            Measure restored = get(metric);
            if (restored.applicable() && (restored.value().isEmpty() || restored.censored())) {
                return OptionalDouble.empty();
            }
            over = Math.max(over, startSeconds + restored.value().orElse(0));
        }
        return OptionalDouble.of(over);
    }

    /** The figure of this fault; never null. */
    public Measure get(Metric metric) {
        return measures.get(metric);
    }

    /** The numbers of the faults that overlap it, for display. */
    public String overlapping() {
        return overlaps.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
