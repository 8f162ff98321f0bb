package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.rundir.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What users had of the service during one incident: out, degraded and lost seconds, by phase too. Pure. */
final class ServiceFigures {
    /** A latency that is high for less than this is no degradation. */
    private static final double SHORTEST_LATE_SECONDS = 2;

    static final double FIRST_SECONDS = 60;

    /** A smaller share need not be said. */
    private static final double LEAST_UNSEEN = 0.01;

    /** With fewer operations due in a second a stretch without a success says little. */
    static final double FEWEST_PER_SECOND = 10;

    private static final String AFTER = "after";

    private final RunData run;
    private final Incident incident;
    private final Optional<Baseline> baseline;
    private final Slices slices;
    private final int from;
    private final int to;
    private final DueOperations load;
    private final double level;
    private final String restless;
    private final LatencySlo slo;
    private final Reading reading;
    private final boolean[] late;
    private final Optional<ServiceLevels> before;
    private final PhaseTimeline phases;
    private final OperationFigures operations;

    ServiceFigures(RunData run, Incident incident, Optional<Baseline> baseline, int from, int to, Reading reading) {
        this.run = run;
        this.incident = incident;
        this.baseline = baseline;
        this.from = from;
        this.to = to;
        slices = run.slices();
        load = DueOperations.of(run, baseline);
        level = baseline.map(base -> base.degradedLevel(load.atRate())).orElse(Scatter.DEGRADED);
        restless = baseline.map(base -> base.restless(load.atRate())).orElse("");
        this.reading = reading;
        slo = LatencySlo.of(run, baseline, reading);
        late = lateSlices();
        before = baseline.map(base -> levels(slices.at(base.fromSeconds()), slices.at(base.toSeconds()), 0));
        phases = new PhaseTimeline(run, incident);
        operations = new OperationFigures(slices, load, baseline, from, to);
    }

    private ServiceLevels levels(int first, int last, double noise) {
        return new ServiceLevels(
                slices.total().ok(),
                load.due(),
                i -> late[i],
                slices.perSecond(),
                first,
                last,
                noise,
                ServiceLevels.Chance.of(level));
    }

    /** By windows that end before the next fault, as those in which it begins show that one. */
    private boolean[] lateSlices() {
        boolean[] late = new boolean[slices.count()];
        List<Window> stretch = new ArrayList<>();
        for (Window window : run.windows(Slices.TOTAL)) {
            if (!judged(window)) {
                break;
            }
            if (!slo.exceededBy(window.latency())) {
                stretch.clear();
                continue;
            }
            stretch.add(window);
            double from = stretch.get(0).startSeconds();
            if (window.endSeconds() - from > SHORTEST_LATE_SECONDS - slices.seconds()) {
                Arrays.fill(late, middle(from, late.length), middle(window.endSeconds(), late.length), true);
            }
        }
        return late;
    }

    /** The first slice whose middle is at this time or later. */
    private int middle(double seconds, int most) {
        return Math.min(most, (int) Math.ceil(seconds / slices.seconds() - 0.5));
    }

    /** In a closed loop also what nobody knows of its level. */
    private double noise() {
        double chance = load.atRate() ? 0 : baseline.map(Baseline::chance).orElse(0.0);
        return before.map(levels -> levels.noise(load.atRate())).orElse(0.0) + chance;
    }

    /** The share of what is due below which the service is degraded. */
    double level() {
        return level;
    }

    /** Why that cannot be judged in this closed loop; empty when it can. */
    String restless() {
        return restless;
    }

    /** Empty at a rate, where nothing is judged, and where it is next to nothing. */
    Optional<Unseen> unseen() {
        boolean little = noise() < LEAST_UNSEEN && level >= Scatter.DEGRADED;
        return load.atRate() || !restless.isEmpty() || little
                ? Optional.empty()
                : Optional.of(new Unseen(noise(), level));
    }

    OperationFigures operations() {
        return operations;
    }

    /** What of the offered load was served in the baseline; in a closed loop all of it, as what was due is its median. */
    OptionalDouble servedPercent() {
        return baseline.map(base -> {
                    int first = slices.at(base.fromSeconds());
                    int last = slices.at(base.toSeconds());
                    double served = load.atRate() ? base.meanOpsPerSecond(slices) : base.opsPerSecond();
                    return finite(100 * served / load.perSecond(first, last, slices.seconds()));
                })
                .orElse(OptionalDouble.empty());
    }

    /** Why there are no such figures; empty when there are. */
    private String unusable() {
        double rate = load.perSecond(from, to, slices.seconds());
        return Double.isNaN(rate)
                ? FaultAnalysis.NO_BASELINE + ", and no rate was set"
                : rate < FEWEST_PER_SECOND
                        ? Formatted.of(
                                "only %.1f operations per second were due: too few to tell an outage from a pause",
                                rate)
                        : "";
    }

    /** Adds the headline of the incident, and the share of the first minute. */
    void measure(Map<Metric, Measure> measures) {
        List<Metric> all = List.of(
                Metric.OUT,
                Metric.LONGEST_OUT,
                Metric.WRITE_OUTAGE,
                Metric.READ_OUTAGE,
                Metric.DEGRADED,
                Metric.LONGEST_DEGRADED,
                Metric.LOST_SECONDS,
                Metric.FIRST_MINUTE);
        slo.measure(measures);
        String unusable = unusable();
        if (!unusable.isEmpty()) {
            all.forEach(metric -> measures.put(metric, Measure.absent(unusable)));
            return;
        }
        ServiceLevels levels = levels(from, to, noise());
        boolean atEnd = to == slices.whole();
        measures.put(Metric.OUT, operations.worst(Metric.OUT, seconds(levels, levels::out, atEnd, false, outNote())));
        measures.put(
                Metric.LONGEST_OUT,
                operations.worst(Metric.LONGEST_OUT, seconds(levels, levels::out, atEnd, true, "")));
        operations.kinds(measures);
        IntPredicate degraded = i -> levels.degraded(i) || operations.out(i);
        boolean judged = restless.isEmpty();
        measures.put(
                Metric.DEGRADED,
                judged
                        ? orMore(seconds(levels, degraded, atEnd, false, degradedNote(levels)))
                        : Measure.absent(restless));
        measures.put(
                Metric.LONGEST_DEGRADED,
                judged ? orMore(seconds(levels, degraded, atEnd, true, "")) : Measure.absent(restless));
        boolean open = incident.number() > 0 && incident.over().isEmpty() || atEnd && levels.losing(to - 1);
        measures.put(
                Metric.LOST_SECONDS,
                Measure.of(
                        levels.lost(i -> true) * slices.seconds(),
                        String.join("; ", notEmpty(byPhase(levels), open ? "not over at the end of the data" : "")),
                        open));
        measures.put(Metric.FIRST_MINUTE, firstMinute(levels));
    }

    private Measure seconds(ServiceLevels levels, IntPredicate which, boolean atEnd, boolean longest, String note) {
        boolean open = atEnd && which.test(to - 1);
        int count = longest ? levels.longest(which) : levels.count(which);
        return Measure.of(
                count * slices.seconds(),
                String.join("; ", notEmpty(note, open ? "not over at the end of the data" : "")),
                open);
    }

    private Measure orMore(Measure degraded) {
        return (latencyUnknown() || lateAtLast()) && degraded.value().isPresent()
                ? Measure.atLeast(degraded.value().getAsDouble(), degraded.note())
                : degraded;
    }

    /** Whether a rate was set, so that users wait when the service is slow, and nothing says what is slow. */
    boolean latencyUnknown() {
        return load.atRate() && !slo.known();
    }

    /** Whether a rate was set, and no window says what the latency is from this moment until the next fault, or the end of the data. */
    boolean latencyNotSeenSince(double seconds) {
        return load.atRate()
                && run.windows(Slices.TOTAL).stream()
                        .noneMatch(window -> judged(window) && window.middleSeconds() >= seconds - 1e-9);
    }

    /** Whether no other fault shows in the window: it ends before the next one, or there is none. */
    boolean judged(Window window) {
        return to == slices.whole() || window.endSeconds() <= incident.endSeconds() + 1e-9;
    }

    /** Whether the latency of the last slices is not known, and that before them was above the SLO or is not known either. */
    private boolean lateAtLast() {
        int judged = Math.min(to, middle(lastWindowEnd(), late.length));
        return judged < to && (judged <= from ? load.atRate() : late[judged - 1]);
    }

    private static List<String> notEmpty(String... notes) {
        return Arrays.stream(notes).filter(note -> !note.isEmpty()).toList();
    }

    private String outNote() {
        return Formatted.of(
                "below 1 %% of the %s, %,.0f operations per second",
                load.atRate() ? "offered load" : "baseline (closed loop)", load.perSecond(from, to, slices.seconds()));
    }

    private String degradedNote(ServiceLevels levels) {
        String latency = !slo.known()
                ? "throughput only: no p99 in the baseline"
                : Formatted.of("%s for %s s", slo, NumberText.seconds(levels.count(levels::late) * slices.seconds()));
        return (level < Scatter.DEGRADED
                        ? Formatted.of("below %.0f %% of B, as this closed loop falls so far by itself; ", 100 * level)
                        : "")
                + latency
                + before.map(b -> Formatted.of(
                                "; before the fault %s of %s s",
                                NumberText.seconds(b.count(b::degraded) * slices.seconds()),
                                NumberText.seconds(b.count(i -> true) * slices.seconds())))
                        .orElse("");
    }

    private String phaseAt(int slice) {
        return phases.at((slice + 0.5) * slices.seconds()).orElse(AFTER);
    }

    private String byPhase(ServiceLevels levels) {
        if (phases.phases().isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>(phases.phases());
        parts.add(AFTER);
        return parts.stream()
                .map(phase -> Map.entry(phase, levels.lost(i -> phaseAt(i).equals(phase)) * slices.seconds()))
                .filter(part -> part.getValue() >= 0.05)
                .map(part -> part.getKey() + " " + NumberText.seconds(part.getValue()) + " s")
                .collect(Collectors.joining(", "));
    }

    /**
     * Over a fixed time, so that neither a slow recovery nor a short cool-down changes it. Not known for a node that never came back, nor
     * when the data end or the next fault begins before: what that one costs is not counted here, and it would have been lost to users all the
     * same.
     */
    private Measure firstMinute(ServiceLevels levels) {
        int end = Math.min(to, from + (int) Math.round(FIRST_SECONDS / slices.seconds()));
        double length = (end - from) * slices.seconds();
        boolean whole = length >= FIRST_SECONDS - slices.seconds();
        boolean missing = incident.redundancyLost() && incident.recovered().isEmpty();
        boolean cut = !whole && end == slices.whole();
        boolean open = !whole || missing && !incident.leftDown() || end == slices.whole() && levels.losing(end - 1);
        return Measure.of(
                100 * (1 - levels.lost(i -> i < end) * slices.seconds() / FIRST_SECONDS),
                String.join(
                        "; ",
                        notEmpty(
                                whole
                                        ? ""
                                        : cut
                                                ? "at most: the data end after " + NumberText.seconds(length)
                                                        + " s of them; give the drill a cooldown of 65s"
                                                : "at most: the next fault began after " + NumberText.seconds(length)
                                                        + " s of them",
                                open && whole
                                        ? (missing ? "redundancy was not restored" : "still losing service at the end")
                                        : "")),
                open);
    }

    /**
     * Whether most of the time that has to hold at the end is above the SLO: one late stretch among windows in time is chance, as is one window in
     * time among late ones.
     */
    boolean lateAtEnd() {
        int judged = Math.min(to, middle(lastWindowEnd(), late.length));
        // As long as the fault lasts its latency is no end.
        int over = (int) Math.ceil(incident.over().orElse(0) / slices.seconds() - 1e-9);
        int first =
                Math.max(from, Math.max(judged - Rates.HOLD_SECONDS * slices.perSecond(), Math.min(over, judged - 1)));
        return judged > from
                && 2 * IntStream.range(first, judged).filter(i -> late[i]).count() > judged - first;
    }

    /**
     * End of the last slice above the SLO; 0 when none is, infinite when it is the last that can be judged. A window in which the next fault
     * begins shows that fault, too, so it says nothing.
     */
    double lateUntil() {
        // As throughput has to be held, so has latency.
        if (lateAtEnd()) {
            return Double.POSITIVE_INFINITY;
        }
        int judged = Math.min(to, middle(lastWindowEnd(), late.length));
        for (int i = judged - 1; i >= from; i--) {
            if (late[i]) {
                return i == judged - 1 ? Double.POSITIVE_INFINITY : (i + 1) * slices.seconds();
            }
        }
        return 0;
    }

    /**
     * Why a service that counts as back is slower than it was, all in all; empty when it is not, or nobody knows.
     *
     * @param restored since when it counts as back
     */
    Optional<String> slowerLatency(double restored) {
        return waited() ? change(restored).ofLatency(run, slo) : Optional.empty();
    }

    /** The same of the throughput of a closed loop; of a load at a rate all figures say it. */
    Optional<String> slowerThroughput(double restored) {
        return load.atRate() || !restless.isEmpty() || !waited()
                ? Optional.empty()
                : baseline.flatMap(base -> change(restored).ofThroughput(slices, base));
    }

    /** A drill that waits for no steady state asks for no comparison with it. */
    boolean waited() {
        return run.markers().stream().anyMatch(marker -> marker.kind().equals("steady"));
    }

    private LastingChange change(double restored) {
        return new LastingChange(reading, restored, to * slices.seconds());
    }

    /** Until the latency is within the SLO for good: the part of "service restored" that is not throughput. */
    Measure latencyBack(String atTheEnd) {
        if (!slo.known()) {
            return Measure.absent("no window lies in the baseline");
        }
        boolean seen = run.windows(Slices.TOTAL).stream()
                .anyMatch(window -> judged(window)
                        && window.middleSeconds() >= incident.startSeconds()
                        && Double.isFinite(window.latency().p99()));
        if (!seen) {
            return Measure.absent("no window with a success after the fault");
        }
        double until = lateUntil();
        if (Double.isInfinite(until)) {
            return Measure.notReached(lastWindowEnd() - incident.startSeconds(), "still above the SLO " + atTheEnd);
        }
        return until == 0
                ? Measure.of(0, "never above")
                : Measure.of(
                        Math.max(0, until - incident.startSeconds()),
                        Formatted.of("\u00b1 %.1f s", run.windowSeconds()));
    }

    /** The end of the last window that ends before the next fault; 0 without one. */
    double lastWindowEnd() {
        return run.windows(Slices.TOTAL).stream()
                .filter(this::judged)
                .mapToDouble(Window::endSeconds)
                .max()
                .orElse(0);
    }

    /** What happened in each phase and in the first minute after them. */
    List<PhaseImpact> impacts() {
        Optional<ServiceLevels> levels =
                unusable().isEmpty() ? Optional.of(levels(from, to, noise())) : Optional.empty();
        List<PhaseImpact> impacts = new ArrayList<>();
        for (String phase : phases.phases()) {
            impacts.add(impact(phase, phases.seconds(phase), phases.open(phase), levels, i -> phaseAt(i)
                    .equals(phase)));
        }
        OptionalDouble over = incident.over();
        if (over.isPresent() && over.getAsDouble() < to * slices.seconds()) {
            int first = Math.max(from, (int) Math.ceil(over.getAsDouble() / slices.seconds() - 1e-9));
            int last = Math.min(to, first + (int) Math.round(PhaseImpact.AFTER_SECONDS / slices.seconds()));
            impacts.add(impact(
                    PhaseImpact.AFTER, (last - first) * slices.seconds(), false, levels, i -> i >= first && i < last));
        }
        return impacts;
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
        int last = Math.min(to, first + (int) Math.round(PhaseImpact.AFTER_SECONDS / slices.seconds()));
        OptionalDouble lowest = new Rates(slices.total().ok(), slices.seconds(), slices.perSecond())
                .lowestSecond(first, Math.max(first, last));
        if (lowest.isEmpty()) {
            return Measure.absent("less than 1 s of data after the recovery");
        }
        double length = (last - first) * slices.seconds();
        boolean whole = length >= PhaseImpact.AFTER_SECONDS - slices.seconds();
        return Measure.of(
                100 * (1 - lowest.getAsDouble() / base.opsPerSecond()),
                whole ? "" : Formatted.of("%.0f of 60 s", length),
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
                .filter(this::judged)
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
                finite(count == 0 ? Double.NaN : 100 * ok / (count * slices.seconds()) / b),
                finite(100 * worst / b),
                finite(p99 / base),
                failed,
                unknown,
                levels.map(known -> OptionalDouble.of(known.lost(inside) * slices.seconds()))
                        .orElse(OptionalDouble.empty()));
    }

    private static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
