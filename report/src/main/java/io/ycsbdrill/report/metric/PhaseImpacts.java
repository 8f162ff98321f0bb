package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;

/** What happened in the phases of one incident; pure. */
final class PhaseImpacts {
    private final RunData run;
    private final Incident incident;
    private final Optional<Baseline> baseline;
    private final PhaseTimeline phases;
    private final Lateness lateness;
    private final Slices slices;
    private final int from;
    private final int to;

    /**
     * @param from first slice
     * @param to behind the last one
     */
    PhaseImpacts(
            RunData run,
            Incident incident,
            Optional<Baseline> baseline,
            PhaseTimeline phases,
            Lateness lateness,
            int from,
            int to) {
        this.run = run;
        this.incident = incident;
        this.baseline = baseline;
        this.phases = phases;
        this.lateness = lateness;
        this.from = from;
        this.to = to;
        slices = run.slices();
    }

    /**
     * What each phase has cost, and the first minute after them.
     *
     * @param levels empty where nothing says what was lost
     */
    List<PhaseImpact> all(Optional<ServiceLevels> levels) {
        List<PhaseImpact> impacts = new ArrayList<>();
        for (String phase : phases.phases()) {
            impacts.add(impact(phase, phases.seconds(phase), phases.open(phase), levels, i -> phases.at(
                            (i + 0.5) * slices.seconds())
                    .filter(phase::equals)
                    .isPresent()));
        }
        OptionalDouble over = incident.over();
        if (over.isPresent() && over.getAsDouble() < to * slices.seconds()) {
            int first = Math.max(from, (int) Math.ceil(over.getAsDouble() / slices.seconds() - 1e-9));
            int last = Math.min(to, first + minute());
            impacts.add(impact(
                    PhaseImpact.AFTER,
                    (last - first) * slices.seconds(),
                    !isMinute(last - first),
                    levels,
                    i -> i >= first && i < last));
        }
        return impacts;
    }

    private int minute() {
        return (int) Math.round(PhaseImpact.AFTER_SECONDS / slices.seconds());
    }

    /** Whether so many slices are the whole first minute; the one in which redundancy came back may be lacking. */
    private boolean isMinute(int count) {
        return count >= minute() - 1;
    }

    /** The figure for the first minute after the recovery, or for what there is of it. */
    Measure afterDip(Baseline base) {
        if (!incident.redundancyLost()) {
            return Measure.notApplicable("no node went down, as far as the engine reported");
        }
        if (incident.recovered().isEmpty()) {
            return Measure.absent("redundancy was not restored");
        }
        int first = Math.max(from, (int) Math.ceil(incident.recovered().getAsDouble() / slices.seconds() - 1e-9));
        int last = Math.min(to, first + minute());
        OptionalDouble lowest = new Rates(slices.total().ok(), slices.seconds(), slices.perSecond())
                .lowestSecond(first, Math.max(first, last));
        if (lowest.isEmpty()) {
            return Measure.absent("less than 1 s of data after the recovery");
        }
        boolean whole = isMinute(last - first);
        return Measure.of(
                100 * (1 - lowest.getAsDouble() / base.opsPerSecond()),
                whole ? "" : PhaseImpact.ofMinute((last - first) * slices.seconds()),
                !whole);
    }

    private PhaseImpact impact(
            String phase, double seconds, boolean open, Optional<ServiceLevels> levels, IntPredicate inside) {
        double ok = 0;
        double failed = 0;
        double unknown = 0;
        int count = 0;
        int row = 0;
        double worst = Double.NaN;
        Rates rates = new Rates(slices.total().ok(), slices.seconds(), slices.perSecond());
        for (int i = from; i < to; i++) {
            row = inside.test(i) ? row + 1 : 0;
            if (row > 0) {
                count++;
                ok += slices.total().ok()[i];
                failed += slices.total().failed()[i];
                unknown += slices.total().unknown()[i];
            }
            if (row >= slices.perSecond()) {
                double second = rates.second(i - slices.perSecond() + 1);
                worst = Double.isNaN(worst) ? second : Math.min(worst, second);
            }
        }
        double b = baseline.map(Baseline::opsPerSecond).orElse(Double.NaN);
        double p99 = run.windows(Slices.TOTAL).stream()
                .filter(lateness::judged)
                .filter(w -> w.startSeconds() >= incident.startSeconds() - run.windowSeconds())
                .filter(w -> {
                    int middle = slices.at(w.middleSeconds());
                    return middle >= from && middle < to && inside.test(middle);
                })
                .mapToDouble(w -> w.latency().p99())
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
        double base =
                baseline.map(known -> known.p99(run.windows(Slices.TOTAL))).orElse(Double.NaN);
        return new PhaseImpact(
                phase,
                Phase.labelled(phase).map(Phase::stage).orElse(""),
                seconds,
                open,
                ServiceFigures.finite(count == 0 ? Double.NaN : 100 * ok / (count * slices.seconds()) / b),
                ServiceFigures.finite(100 * worst / b),
                ServiceFigures.finite(p99 / base),
                failed,
                unknown,
                levels.map(known -> OptionalDouble.of(known.lost(inside) * slices.seconds()))
                        .orElse(OptionalDouble.empty()));
    }
}
