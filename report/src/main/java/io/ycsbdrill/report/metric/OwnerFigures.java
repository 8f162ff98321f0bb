package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.OwnerSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What an incident did to the keys whose primary copies its targets had before it, and to the others; pure. What is a dent in the whole may
 * be an outage for them. docs/metrics.md has the definition.
 */
final class OwnerFigures {
    private final RunData run;
    private final Incident incident;
    private final Baseline baseline;
    private final Slices slices;
    private final OwnerSeries owners;
    private final DueOperations load;
    private final int from;
    private final int to;

    OwnerFigures(RunData run, Incident incident, Baseline baseline, int from, int to) {
        this.run = run;
        this.incident = incident;
        this.baseline = baseline;
        this.from = from;
        this.to = to;
        slices = run.slices();
        owners = OwnerSeries.of(run);
        load = DueOperations.of(run, Optional.of(baseline));
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
        measures.put(Metric.TARGET_KEYS_LOST, target.lost());
        List<String> others = owners.owners(incident.nodes(), false);
        measures.put(
                Metric.OTHER_KEYS_LOST,
                others.isEmpty() ? Measure.notApplicable("every node was a target") : new Keys(others).lost());
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
            levels = levels(from, to, levels(first, last, 0).noise());
        }

        private ServiceLevels levels(int first, int last, double noise) {
            return new ServiceLevels(ok, due, i -> false, slices.perSecond(), first, last, noise);
        }

        Measure out() {
            return measure(levels.count(levels::out), to == slices.whole() && levels.out(to - 1));
        }

        Measure lost() {
            boolean open = incident.over().isEmpty() || to == slices.whole() && levels.degraded(to - 1);
            return measure(levels.lost(i -> true), open);
        }

        private Measure measure(double inSlices, boolean open) {
            double rate = share * load.perSecond(from, to, slices.seconds());
            if (!(rate >= ServiceFigures.FEWEST_PER_SECOND)) {
                return Measure.absent(String.format(
                        Locale.ROOT,
                        "only %.1f operations per second were due on these keys: too few to tell an outage from a pause",
                        rate));
            }
            return Measure.of(
                    inSlices * slices.seconds(),
                    String.format(
                            Locale.ROOT,
                            "keys of %s before the fault, %.0f %% of the operations%s",
                            String.join(", ", nodes),
                            100 * share,
                            open ? "; not over at the end of the data" : ""),
                    open);
        }
    }
}
