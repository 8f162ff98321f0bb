package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** What users had of the service during one incident: out, degraded and lost seconds, by phase too. Pure. */
final class ServiceFigures {
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
    private final Lateness lateness;
    private final Optional<ServiceLevels> before;
    private final PhaseTimeline phases;
    private final PhaseImpacts impacts;
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
        lateness = new Lateness(run, incident, slo, from, to);
        before = baseline.map(base -> levels(slices.at(base.fromSeconds()), slices.at(base.toSeconds()), 0));
        phases = new PhaseTimeline(run, incident);
        impacts = new PhaseImpacts(run, incident, baseline, phases, lateness, from, to);
        operations = new OperationFigures(slices, load, baseline, from, to);
    }

    private ServiceLevels levels(int first, int last, double noise) {
        return new ServiceLevels(
                slices.total().ok(),
                load.due(),
                lateness::at,
                slices.perSecond(),
                first,
                last,
                noise,
                ServiceLevels.Chance.of(level));
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
        return (latencyUnknown() || lateness.mayBeAtLast(load.atRate()))
                        && degraded.value().isPresent()
                ? Measure.atLeast(degraded.value().getAsDouble(), degraded.note())
                : degraded;
    }

    /** Whether a rate was set, so that users wait when the service is slow, and nothing says what is slow. */
    boolean latencyUnknown() {
        return load.atRate() && !slo.known();
    }

    /** The same when no window says what the latency is from this moment until the next fault, or the end of the data. */
    boolean latencyNotSeenSince(double seconds) {
        return load.atRate() && !lateness.isSeenSince(seconds);
    }

    Lateness lateness() {
        return lateness;
    }

    List<PhaseImpact> impacts() {
        return impacts.all(unusable().isEmpty() ? Optional.of(levels(from, to, noise())) : Optional.empty());
    }

    Measure afterDip(Baseline base) {
        return impacts.afterDip(base);
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

    /** Empty when it is not. */
    static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
