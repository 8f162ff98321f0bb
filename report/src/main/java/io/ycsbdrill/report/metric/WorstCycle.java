package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures of a repeated drill as a whole: for limits, which every cycle has to keep, those of the worst cycle. Pure. */
final class WorstCycle {
    static DrillMetrics of(RunData run, List<Cycle> cycles, Measure rpo) {
        List<Cycle> injecting = cycles.stream().filter(cycle -> !cycle.isNull()).toList();
        List<FaultMetrics> faults = new ArrayList<>();
        Map<String, Gap> gaps = new LinkedHashMap<>();
        for (Cycle cycle : injecting) {
            int before = faults.size();
            cycle.metrics().faults().forEach(fault -> faults.add(fault.of(cycle.number(), before)));
            cycle.metrics()
                    .gaps()
                    .forEach((operation, gap) ->
                            gaps.merge(operation, gap, (one, other) -> other.seconds() > one.seconds() ? other : one));
        }
        Map<Metric, Measure> overall = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            overall.put(metric, overall(metric, injecting));
        }
        return new DrillMetrics(
                faults,
                overall,
                gaps,
                Map.of(),
                Unseen.sentences(faults),
                run.audit(),
                rpo,
                run.consistency(),
                run.unsound(),
                cycles,
                Optional.empty());
    }

    /** Absent as soon as a cycle that needs it has none: never is worse than any number. */
    private static Measure overall(Metric metric, List<Cycle> cycles) {
        if (metric.worst() == Metric.Worst.FIRST) {
            return cycles.get(0).metrics().get(metric);
        }
        Map<String, Measure> parts = new LinkedHashMap<>();
        cycles.forEach(
                cycle -> parts.put("cycle " + cycle.number(), cycle.metrics().get(metric)));
        return DrillMetrics.whole(metric, parts, "the worst, ")
                .orElseGet(() -> cycles.get(0).metrics().get(metric));
    }
}
