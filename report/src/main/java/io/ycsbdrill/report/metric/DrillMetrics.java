package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.ConsistencyData;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the faults of a run did, one by one and together. Immutable.
 *
 * @param faults in order of time; empty for a run without faults
 * @param overall the worst, the sum or the whole of them, as docs/metrics.md says for each
 * @param gaps longest gap by operation from the first fault to the end of the data
 * @param operations out, lost, gap and restored by operation, of the same time; empty for a repeated drill
 * @param rare what cannot be seen: types of operations that are too rare, losses of a closed loop that may be chance; each a sentence, of all faults and cycles together
 * @param audit what became of the writes of the whole run; empty when it was not audited
 * @param rpo age of the oldest lost write at the fault, in seconds, see docs/metrics.md
 * @param consistency of the workload's data after the run; empty when the workload cannot tell
 * @param unsound why these figures are invalid; empty when they are valid
 * @param cycles of a repeated drill, in order of time: then {@code overall} is the worst of those with faults
 * @param lenient the same where what may be chance is taken for it, as far as that may make a difference; empty for a repeated drill, whose
 *     cycles have their own
 */
public record DrillMetrics(
        List<FaultMetrics> faults,
        Map<Metric, Measure> overall,
        Map<String, Gap> gaps,
        Map<String, Map<Metric, Measure>> operations,
        List<String> rare,
        Optional<AuditData> audit,
        Measure rpo,
        Optional<ConsistencyData> consistency,
        List<String> unsound,
        List<Cycle> cycles,
        Optional<DrillMetrics> lenient) {
    private static final String NOT_AUDITED = "the run was not audited (--audit)";

    public DrillMetrics {
        faults = List.copyOf(faults);
        unsound = List.copyOf(unsound);
        cycles = List.copyOf(cycles);
    }

    /** Measures a run; pure. */
    public static DrillMetrics of(RunData run) {
        return of(run, Optional.empty());
    }

    /**
     * Measures a run or a cycle.
     *
     * @param earlier the first steady state of all, when this is a later cycle: it tells whether the clients were catching up, and is the
     *     baseline of a fault that has no other
     */
    static DrillMetrics of(RunData run, Optional<Baseline> earlier) {
        return read(reading -> of(run, earlier, reading));
    }

    /** In both ways, but where nothing is late or missing at the end, so that chance could not be to blame. */
    private static DrillMetrics read(Function<Reading, DrillMetrics> measured) {
        DrillMetrics strict = measured.apply(Reading.STRICT);
        boolean healthy = Stream.of(Metric.NOT_RESTORED, Metric.LATENCY_BACK)
                .allMatch(metric -> strict.get(metric).value().orElse(1) == 0);
        return healthy || !strict.cycles.isEmpty() ? strict : strict.with(measured.apply(Reading.LENIENT));
    }

    private DrillMetrics with(DrillMetrics lenient) {
        return new DrillMetrics(
                faults,
                overall,
                gaps,
                operations,
                rare,
                audit,
                rpo,
                consistency,
                unsound,
                cycles,
                Optional.of(lenient));
    }

    private static DrillMetrics of(RunData run, Optional<Baseline> earlier, Reading reading) {
        List<Incident> incidents = Incident.of(run);
        Measure rpo = rpo(run, incidents);
        if (Cycle.repeated(run)) {
            return WorstCycle.of(run, Cycle.of(run), rpo);
        }
        if (incidents.isEmpty() && run.isPlacebo()) {
            double start =
                    steady(run, Double.MAX_VALUE).mapToDouble(Marker::atSeconds).reduce(run.warmupSeconds(), Math::max);
            return ofNothing(run, start, before(run, start), reading);
        }
        if (incidents.isEmpty()) {
            Map<Metric, Measure> none = new EnumMap<>(Metric.class);
            for (Metric metric : Metric.values()) {
                none.put(metric, Measure.absent("no fault was injected"));
            }
            none.put(Metric.NOT_RESTORED, Measure.notApplicable("no fault was injected"));
            return of(run, rpo, List.of(), none, Optional.empty());
        }
        List<FaultMetrics> faults = new ArrayList<>();
        Optional<Baseline> first = Optional.empty();
        Optional<Baseline> known = Optional.empty();
        for (Incident incident : incidents) {
            Optional<Baseline> own = baseline(run, incident, incidents);
            Optional<Baseline> calm = earlier.isPresent() ? earlier : first;
            OptionalDouble catchUp = DueOperations.catchUp(run, own, calm);
            if (catchUp.isPresent()) {
                known = known.isPresent() ? known : calm;
            } else {
                known = own.isPresent() ? own : known.isPresent() ? known : earlier;
            }
            first = first.isPresent() ? first : known;
            faults.add(FaultAnalysis.of(run, incident, known, catchUp, reading));
        }
        FaultMetrics drill =
                FaultAnalysis.of(run, Incident.whole(run, incidents), first, OptionalDouble.empty(), reading);
        Map<Metric, Measure> overall = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            overall.put(metric, overall(metric, faults, drill));
        }
        return of(run, rpo, faults, overall, Optional.of(drill));
    }

    private static Measure rpo(RunData run, List<Incident> incidents) {
        return run.audit()
                .map(audit -> Rpo.of(audit, incidents, run.stages()))
                .orElseGet(() -> Measure.absent(NOT_AUDITED));
    }

    /** @param whole everything from the first fault on, as if it were one */
    private static DrillMetrics of(
            RunData run,
            Measure rpo,
            List<FaultMetrics> faults,
            Map<Metric, Measure> overall,
            Optional<FaultMetrics> whole) {
        List<FaultMetrics> seen = new ArrayList<>(faults);
        whole.ifPresent(seen::add);
        return new DrillMetrics(
                faults,
                overall,
                whole.map(FaultMetrics::gaps).orElse(Map.of()),
                whole.map(FaultMetrics::operations).orElse(Map.of()),
                Unseen.sentences(seen),
                run.audit(),
                rpo,
                run.consistency(),
                run.unsound(),
                List.of(),
                Optional.empty());
    }

    /** Measures a run of a drill that injected nothing, from the moment when it would have. */
    static DrillMetrics ofNothing(RunData run, double startSeconds, Optional<Baseline> baseline) {
        return read(reading -> ofNothing(run, startSeconds, baseline, reading));
    }

    private static DrillMetrics ofNothing(
            RunData run, double startSeconds, Optional<Baseline> baseline, Reading reading) {
        FaultMetrics nothing =
                FaultAnalysis.of(run, Incident.nothing(run, startSeconds), baseline, OptionalDouble.empty(), reading);
        return of(run, rpo(run, List.of()), List.of(), nothing.measures(), Optional.of(nothing));
    }

    /** Acknowledged writes that were lost, of the whole run; absent when there may be more than the audit found, and it found none. */
    public Measure ackedLost() {
        return audit.map(DrillMetrics::ackedLost).orElseGet(() -> Measure.absent(NOT_AUDITED));
    }

    /** The lost writes that an audit found; absent when there may be more and it found none. */
    public static Measure ackedLost(AuditData audit) {
        String doubts = String.join("; ", audit.doubts());
        if (audit.ackedLost() > 0) {
            return Measure.of(audit.ackedLost(), doubts, !doubts.isEmpty());
        }
        if (!doubts.isEmpty()) {
            return Measure.absent(doubts);
        }
        return audit.acknowledged() == 0
                ? Measure.notApplicable(Rpo.noneLost(audit))
                : Measure.of(0, Rpo.noneLost(audit));
    }

    /** Where the workload's data are inconsistent after the run; absent when that is not known. */
    public Measure inconsistent() {
        if (consistency.isEmpty()) {
            return Measure.absent("the data were not checked: the workload cannot, or the run ended before");
        }
        return consistency.get().unreadable() > 0
                ? Measure.absent(consistency.get().lines().get(0))
                : Measure.of(consistency.get().violated(), "");
    }

    /** The figure of the entire drill; never null. */
    public Measure get(Metric metric) {
        return overall.get(metric);
    }

    /** Cautions about these figures, each a sentence; empty when there are none. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>(cycles.isEmpty() ? FaultCautions.of(faults) : CycleCautions.of(this));
        rare.forEach(sentence -> cautions.add(sentence + "."));
        return cautions;
    }

    /** The steady state before a moment at which nothing needs to have been injected. */
    static Optional<Baseline> before(RunData run, double startSeconds) {
        OptionalDouble steady = steadySince(run, startSeconds);
        double since = Math.max(run.warmupSeconds(), steady.orElse(0));
        since = Math.max(since, failedUntil(run, startSeconds));
        return Baseline.before(startSeconds, since, steady.isPresent(), run.slices());
    }

    /**
     * Its own steady state, if the faults before it are over, and failures that nobody injected; else empty and the
     * baseline of an earlier fault is used.
     */
    static Optional<Baseline> baseline(RunData run, Incident span, List<Incident> all) {
        if (!run.slices().intact()) {
            return Optional.empty();
        }
        double notBefore = Math.max(run.warmupSeconds(), run.loadSinceSeconds());
        double judgedAt = steady(run, span.startSeconds())
                .mapToDouble(Marker::atSeconds)
                .max()
                .orElse(-1);
        for (Incident other : all) {
            if (other.number() < span.number()) {
                notBefore = Math.max(notBefore, other.over().orElse(Double.MAX_VALUE));
            }
        }
        notBefore = Math.max(notBefore, failedUntil(run, span.startSeconds()));
        // What was judged to be steady before an earlier fault says nothing of the time after it.
        boolean judged = judgedAt >= notBefore;
        OptionalDouble steady = steadySince(run, span.startSeconds());
        notBefore = Math.max(notBefore, steady.orElse(0));
        return notBefore >= span.startSeconds()
                ? Optional.empty()
                : Baseline.before(span.startSeconds(), notBefore, judged && steady.isPresent(), run.slices());
    }

    /** End of the failures that nobody injected and that began before this moment; 0 without one, never while one goes on. */
    private static double failedUntil(RunData run, double startSeconds) {
        return run.stages().stream()
                .filter(stage -> stage.unplanned() && stage.startSeconds() < startSeconds)
                .mapToDouble(stage -> stage.endSeconds().orElse(Double.MAX_VALUE))
                .max()
                .orElse(0);
    }

    /** Start of the stretch that the drill itself judged to be steady last before the fault; empty when it judged none. */
    private static OptionalDouble steadySince(RunData run, double faultSeconds) {
        return steady(run, faultSeconds)
                .filter(m -> m.field("since_ns").matches("\\d{1,18}"))
                .mapToDouble(m -> Long.parseLong(m.field("since_ns")) / 1e9)
                .reduce((earlier, later) -> later);
    }

    private static Stream<Marker> steady(RunData run, double untilSeconds) {
        return run.markers().stream().filter(m -> m.kind().equals("steady") && m.atSeconds() <= untilSeconds);
    }

    /**
     * That of a whole. Where a part lacks a figure that it needs, that of one in which it was not reached, else of the first: it is at least
     * the largest of what is known of the parts, unless it is the smallest of them, or their sum. Otherwise the worst.
     *
     * @param parts by what they are called
     * @return empty when no part needs it
     */
    static Optional<Measure> whole(Metric metric, Map<String, Measure> parts, String prefix) {
        double least = parts.values().stream()
                .filter(part -> metric.worst() != Metric.Worst.SMALLEST && metric.worst() != Metric.Worst.SUM)
                .mapToDouble(part -> part.value().orElse(part.least()))
                .max()
                .orElse(0);
        boolean open = parts.values().stream().anyMatch(Measure::censored);
        return parts.entrySet().stream()
                .filter(part ->
                        part.getValue().value().isEmpty() && part.getValue().applicable())
                .max(Comparator.comparing(part -> part.getValue().unreached()))
                .map(part -> part.getValue().absentIn(part.getKey(), least))
                .or(() -> parts.entrySet().stream()
                        .filter(part -> part.getValue().value().isPresent())
                        .reduce((one, other) -> worse(metric, value(other), value(one)) ? other : one)
                        .map(worst -> Measure.of(value(worst), prefix + worst.getKey(), open)));
    }

    private static double value(Map.Entry<String, Measure> part) {
        return part.getValue().value().orElseThrow();
    }

    private static Measure overall(Metric metric, List<FaultMetrics> faults, FaultMetrics drill) {
        if (metric.worst() == Metric.Worst.FIRST || faults.size() == 1) {
            return faults.get(0).get(metric);
        }
        boolean censored = faults.stream().anyMatch(fault -> fault.get(metric).censored());
        if (metric.worst() == Metric.Worst.WHOLE) {
            Measure whole = drill.get(metric);
            boolean open = metric == Metric.LOST_SECONDS && censored;
            return open && whole.value().isPresent()
                    ? Measure.of(whole.value().getAsDouble(), whole.note(), true)
                    : whole;
        }
        Map<String, Measure> parts = new LinkedHashMap<>();
        faults.forEach(fault -> parts.put("fault " + fault.number() + " (" + fault.title() + ")", fault.get(metric)));
        Measure whole = whole(metric, parts, "").orElse(faults.get(0).get(metric));
        if (metric.worst() != Metric.Worst.SUM || whole.value().isEmpty()) {
            return whole;
        }
        return faults.stream().anyMatch(fault -> !fault.overlaps().isEmpty())
                ? Measure.absent("faults overlap, their sums would count operations twice")
                : Measure.of(
                        parts.values().stream()
                                .mapToDouble(part -> part.value().orElse(0))
                                .sum(),
                        "all faults together",
                        censored);
    }

    private static boolean worse(Metric metric, double value, double known) {
        return metric.worst() == Metric.Worst.SMALLEST ? value < known : value > known;
    }
}
