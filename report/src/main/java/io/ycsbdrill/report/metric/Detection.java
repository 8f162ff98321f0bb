package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.Slices;
import java.util.Map;
import java.util.Optional;

/** When a fault was noticed, in seconds after its begin; pure. */
final class Detection {
    /** As many failures as chance brings about in one of a hundred such baselines are no sign of a fault. */
    private static final double CHANCE = 0.01;

    /** Users who wait for so long without an answer know that something is wrong. */
    private static final double SILENT_SECONDS = 1;

    private final Incident incident;
    private final Optional<Baseline> baseline;
    private final Slices slices;
    private final Rates rates;

    Detection(Incident incident, Optional<Baseline> baseline, Slices slices, Rates rates) {
        this.incident = incident;
        this.baseline = baseline;
        this.slices = slices;
        this.rates = rates;
    }

    /** When the engine reported its nodes down. */
    static Measure byEngine(Incident incident) {
        if (incident.declaredDown().isPresent()) {
            return Measure.of(incident.declaredDown().getAsDouble() - incident.startSeconds());
        }
        String none = "the engine reported no node down";
        return !incident.undeclared().isEmpty()
                ? Measure.absent("the engine did not report " + String.join(", ", incident.undeclared()) + " down")
                : incident.takesNodeDown() ? Measure.absent(none) : Measure.notApplicable(none);
    }

    /** What a client saw is a sign of the incident, but not of a node that the engine left out while it reported others. */
    static Measure byAnyone(Incident incident, Map<Metric, Measure> measures) {
        Measure engine = measures.get(Metric.DETECT_ENGINE);
        Measure client = measures.get(Metric.DETECT_CLIENT);
        boolean sooner = client.value().isPresent()
                && client.value().getAsDouble() < engine.value().orElse(Double.MAX_VALUE);
        if (sooner && incident.undeclared().isEmpty()) {
            return Measure.of(client.value().getAsDouble(), "seen by a client");
        }
        boolean clientUnknown = client.applicable() && client.value().isEmpty();
        return engine.value().isEmpty() && !engine.applicable() && clientUnknown
                ? Measure.absent(client.note())
                : engine;
    }

    /** Since the fault, by what failed or by silence; absent when nobody could tell. */
    Measure byClient(int from, int to) {
        double failures = 0;
        int silent = 0;
        int silence = silence();
        for (int i = from; i < to; i++) {
            silent = slices.total().ok()[i] > 0 ? 0 : silent + 1;
            if (silent > silence) {
                return Measure.of(
                        (i + 1) * slices.seconds() - incident.startSeconds(),
                        Formatted.of("no success for more than %.1f s", silence * slices.seconds()));
            }
            double failed = slices.total().failed()[i] + slices.total().unknown()[i];
            failures += failed;
            double seconds = (i + 1) * slices.seconds() - incident.startSeconds();
            if (failed > 0 && isSign(failed, failures, seconds)) {
                return Measure.of(seconds, Formatted.of("\u00b1 %.1f s", slices.seconds()));
            }
        }
        return failures == 0
                ? Measure.notApplicable("no operation failed")
                : Measure.absent("no more operations failed than without a fault, or by chance");
    }

    /** More slices than these without a success are a sign, too: a second, or twice the longest natural gap. */
    private int silence() {
        double natural = baseline.map(base -> rates.longestGap(
                                slices.at(base.fromSeconds()), slices.at(base.toSeconds()), slices.at(base.toSeconds()))
                        .seconds())
                .orElse(0.0);
        return (int) Math.round(Math.max(SILENT_SECONDS, 2 * natural) / slices.seconds());
    }

    private boolean isSign(double failed, double failures, double seconds) {
        return baseline.map(base -> failed > base.mostFailures() && base.chanceOf(failures, seconds) < CHANCE)
                .orElse(true);
    }
}
