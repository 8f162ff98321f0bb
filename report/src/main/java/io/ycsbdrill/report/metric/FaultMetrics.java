package io.ycsbdrill.report.metric;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one fault did.
 *
 * @param number from 1, in order of time
 * @param fault label of the fault
 * @param node where; empty when it has no node
 * @param startSeconds when its injection began
 * @param endSeconds end of the stretch that was measured
 * @param overlaps numbers of other faults that were going on at the same time: the figures contain their effects too
 * @param measures every {@link Metric}
 * @param gaps longest gap by operation
 * @param baselineGaps longest gap by operation in the baseline, to compare with: rare operations have natural gaps
 */
public record FaultMetrics(
        int number,
        String fault,
        String node,
        double startSeconds,
        double endSeconds,
        List<Integer> overlaps,
        Map<Metric, Measure> measures,
        Map<String, Gap> gaps,
        Map<String, Gap> baselineGaps) {

    /** The figure of this fault; never null. */
    public Measure get(Metric metric) {
        return measures.get(metric);
    }

    /** The numbers of the faults that overlap it, for display. */
    public String overlapping() {
        return overlaps.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Fault and node, for tables. */
    public String title() {
        return fault + (node.isEmpty() ? "" : " " + node);
    }
}
