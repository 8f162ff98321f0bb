package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.OwnerSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.ThreadGaps;
import io.ycsbdrill.report.data.ThreadGaps.Gap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * What an incident did to the keys whose primary copies its targets had before it, and to the others; pure. What is a dent in the whole may
 * be an outage for them. docs/metrics.md has the definition.
 */
final class OwnerFigures {
    /** A shorter wait of a client thread is not recorded. */
    private static final double SHORTEST_GAP_SECONDS = 1;

    private static final String NOBODY_ASKED =
            "all client threads were blocked for 1 s or more, so these keys may not have been requested";

    private final RunData run;
    private final Incident incident;
    private final Baseline baseline;
    private final Slices slices;
    private final OwnerSeries owners;
    private final DueOperations load;
    private final ServiceLevels whole;
    private final int from;
    private final int to;

    OwnerFigures(RunData run, Incident incident, Baseline baseline, int from, int to) {
        this.run = run;
        this.incident = incident;
        this.baseline = baseline;
        this.from = from;
        this.to = to;
        slices = run.slices();
        owners = run.owners();
        load = DueOperations.of(run, Optional.of(baseline));
        whole = new ServiceLevels(
                slices.total().ok(), load.due(), i -> false, slices.perSecond(), from, to, 0, chance());
    }

    private ServiceLevels.Chance chance() {
        return ServiceLevels.Chance.of(baseline.degradedLevel(load.atRate()));
    }

    void measure(Map<Metric, Measure> measures) {
        Measure none = none();
        if (none != null) {
            for (Metric metric : List.of(Metric.TARGET_KEYS_OUT, Metric.TARGET_KEYS_LOST, Metric.OTHER_KEYS_LOST)) {
                measures.put(metric, none);
            }
            return;
        }
        Keys target = new Keys(owners.owners(incident.nodes(), true));
        measures.put(Metric.TARGET_KEYS_OUT, target.out());
        measures.put(Metric.TARGET_KEYS_LOST, target.lost(""));
        List<String> others = owners.owners(incident.nodes(), false);
        measures.put(
                Metric.OTHER_KEYS_LOST,
                others.isEmpty()
                        ? Measure.notApplicable("every node was a target")
                        : new Keys(others).lost(allThreadsWaited() ? NOBODY_ASKED : ""));
    }

    /** Whether each client thread was served nothing for a while, as when all wait for keys of the target, and none was before. */
    private boolean allThreadsWaited() {
        List<Gap> gaps = run.threads().map(ThreadGaps::gaps).orElse(List.of());
        long waited = threads(gaps, incident.startSeconds(), incident.endSeconds());
        return waited > 0
                && waited >= run.run().path("threads").asLong(Long.MAX_VALUE)
                && threads(gaps, baseline.fromSeconds(), incident.startSeconds() - SHORTEST_GAP_SECONDS) == 0;
    }

    private static long threads(List<Gap> gaps, double from, double to) {
        return gaps.stream()
                .filter(gap -> gap.fromSeconds() < to && gap.untilSeconds() > from)
                .map(Gap::thread)
                .distinct()
                .count();
    }

    /** Why there are no such figures; null when there are. */
    private Measure none() {
        if (incident.number() == 0) {
            return Measure.notApplicable("of single faults");
        }
        if (!owners.known()) {
            return run.run().path("keyOwners").isObject()
                    ? Measure.absent(owners.reason())
                    : Measure.notApplicable(owners.reason());
        }
        if (owners.owners(incident.nodes(), true).isEmpty()) {
            return Measure.notApplicable((incident.nodes().isEmpty() ? "no node" : String.join(", ", incident.nodes()))
                    + " had no primary copies");
        }
        long moved = owners.movedAt(incident.startSeconds());
        return moved == 0
                ? null
                : Measure.absent(moved + (moved == 1 ? " partition has" : " partitions have")
                        + " moved to another node between the start of the run and the fault");
    }

    /** The keys of some nodes, as a service of its own. */
    private final class Keys {
        private final List<String> nodes;
        private final double[] ok;
        private final double[] due;
        private final double share;
        private final ServiceLevels levels;

        Keys(List<String> nodes) {
            this.nodes = nodes;
            ok = owners.ok(nodes);
            int first = slices.at(baseline.fromSeconds());
            int last = slices.at(baseline.toSeconds());
            share = Arrays.stream(ok, first, last).sum()
                    / Arrays.stream(slices.total().ok(), first, last).sum();
            due = Arrays.stream(load.due()).map(all -> share * all).toArray();
            levels = levels(from, to, levels(first, last, 0).noise(false));
        }

        private ServiceLevels levels(int first, int last, double noise) {
            return new ServiceLevels(ok, due, i -> false, slices.perSecond(), first, last, noise, chance());
        }

        /** Two successes in the whole are nothing, and may be much of a third of it: where the whole is out, no keys are served. */
        Measure out() {
            IntPredicate out = i -> levels.out(i) || whole.out(i);
            return measure(levels.count(out), to == slices.whole() && out.test(to - 1), "");
        }

        /** @param more to be said about it; empty when nothing is */
        Measure lost(String more) {
            boolean open = incident.over().isEmpty() || to == slices.whole() && levels.degraded(to - 1);
            return measure(levels.lost(i -> true), open, more);
        }

        private Measure measure(double inSlices, boolean open, String more) {
            double rate = share * load.perSecond(from, to, slices.seconds());
            if (!(rate >= ServiceFigures.FEWEST_PER_SECOND)) {
                return Measure.absent(Formatted.of(
                        "only %.1f operations per second were due on these keys: too few to tell an outage from a pause",
                        rate));
            }
            return Measure.of(
                    inSlices * slices.seconds(),
                    Formatted.of(
                            "keys of %s before the fault, %.0f %% of the operations%s%s",
                            String.join(", ", nodes),
                            100 * share,
                            open ? "; not over at the end of the data" : "",
                            more.isEmpty() ? "" : "; " + more),
                    open);
        }
    }
}
