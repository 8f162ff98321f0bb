package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.ThreadGaps;
import io.ycsbdrill.report.data.ThreadGaps.Gap;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** When the last of the client threads that a fault had stopped was served again; pure. docs/metrics.md has the definition. */
final class LastThread {
    /** A thread meets its fault by then, even when service as a whole was never below the level. */
    private static final double MEETS_SECONDS = 5;

    /** Threads that pause for longer without any fault have too little to do for their pauses to say anything. */
    private static final double LONGEST_NATURAL_SECONDS = 5;

    private static final double SHORTEST_SECONDS = 1;

    /** @param restored service restored, for the time until which a thread's gap may have begun */
    static Measure of(RunData run, Incident incident, Baseline base, Measure restored) {
        Optional<ThreadGaps> threads = run.threads();
        if (threads.isEmpty()) {
            return Measure.absent("no intact threads.csv");
        }
        double natural = threads.get().gaps().stream()
                .filter(gap -> gap.fromSeconds() < base.toSeconds() && gap.untilSeconds() > base.fromSeconds())
                .filter(gap -> gap.untilSeconds() <= incident.startSeconds())
                .mapToDouble(Gap::seconds)
                .max()
                .orElse(0);
        if (natural > LONGEST_NATURAL_SECONDS) {
            return Measure.absent(
                    Formatted.of("client threads had pauses of up to %.1f s before the fault, too", natural));
        }
        double least = Math.max(SHORTEST_SECONDS, 2 * natural);
        double until = run.slices().whole() * run.slices().seconds();
        double begins = incident.startSeconds()
                + Math.max(MEETS_SECONDS, restored.value().orElse(Double.POSITIVE_INFINITY));
        List<Gap> stuck = threads.get().gaps().stream()
                .filter(gap -> gap.fromSeconds() > incident.startSeconds() - least && gap.fromSeconds() < begins)
                .filter(gap -> gap.fromSeconds() < incident.endSeconds())
                .filter(gap -> gap.untilSeconds() > incident.startSeconds())
                .filter(gap -> Math.min(until, gap.untilSeconds()) - gap.fromSeconds() >= least)
                .toList();
        if (stuck.isEmpty()) {
            return Measure.of(0, Formatted.of("no client thread without a success for %.1f s or more", least));
        }
        Gap last = stuck.stream()
                .max(Comparator.comparingDouble(Gap::untilSeconds))
                .orElseThrow();
        double end = Math.min(Math.min(until, incident.endSeconds()), last.untilSeconds());
        long threadsStuck = stuck.stream().map(Gap::thread).distinct().count();
        return Measure.of(
                end - incident.startSeconds(),
                Formatted.of(
                        "%s; %d client threads without a success for %.1f s or more",
                        last.thread(), threadsStuck, least),
                last.untilSeconds() > end);
    }
}
