package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What the faults of a run did, one by one and together. Immutable.
 *
 * @param faults in order of time; empty for a run without faults
 * @param overall the worst, the sum or the whole of them, as docs/metrics.md says for each
 * @param gaps longest gap by operation from the first fault to the end of the data
 * @param ackedLost acknowledged writes that were lost, of the whole run
 * @param unsound why these figures are invalid; empty when they are valid
 */
public record DrillMetrics(
        List<FaultMetrics> faults,
        Map<Metric, Measure> overall,
        Map<String, Gap> gaps,
        Measure ackedLost,
        List<String> unsound) {
    /** A later fault's baseline below this share of the first one's hides what the faults before it cost. */
    private static final double LOWEST_LEVEL_PERCENT = 90;

    public DrillMetrics {
        faults = List.copyOf(faults);
        unsound = List.copyOf(unsound);
    }

    /** Measures a run; pure. */
    public static DrillMetrics of(RunData run) {
        List<FaultSpan> spans = FaultSpan.of(run);
        if (spans.isEmpty() && run.isPlacebo()) {
            double start =
                    steady(run, Double.MAX_VALUE).mapToDouble(Marker::atSeconds).reduce(run.warmupSeconds(), Math::max);
            double since = Math.max(run.warmupSeconds(), steadySince(run, Double.MAX_VALUE));
            FaultMetrics nothing =
                    FaultAnalysis.of(run, wholeDrill(run, start), Baseline.before(start, since, run.slices()));
            return new DrillMetrics(List.of(), nothing.measures(), nothing.gaps(), ackedLost(run), run.unsound());
        }
        if (spans.isEmpty()) {
            Map<Metric, Measure> none = new EnumMap<>(Metric.class);
            for (Metric metric : Metric.values()) {
                none.put(metric, Measure.absent("no fault was injected"));
            }
            return new DrillMetrics(List.of(), none, Map.of(), ackedLost(run), run.unsound());
        }
        List<FaultMetrics> faults = new ArrayList<>();
        Optional<Baseline> first = Optional.empty();
        Optional<Baseline> known = Optional.empty();
        for (FaultSpan span : spans) {
            Optional<Baseline> own = baseline(run, span, spans);
            known = own.isPresent() ? own : known;
            first = first.isPresent() ? first : known;
            faults.add(FaultAnalysis.of(run, span, known));
        }
        FaultMetrics drill = FaultAnalysis.of(run, wholeDrill(run, spans.get(0).startSeconds()), first);
        Map<Metric, Measure> overall = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            overall.put(metric, overall(metric, faults, drill));
        }
        return new DrillMetrics(faults, overall, new LinkedHashMap<>(drill.gaps()), ackedLost(run), run.unsound());
    }

    private static Measure ackedLost(RunData run) {
        return run.audit()
                .map(DrillMetrics::ackedLost)
                .orElseGet(() -> Measure.absent("the run was not audited (--audit)"));
    }

    /** The lost writes that an audit found; absent when there may be more and it found none. */
    public static Measure ackedLost(AuditData audit) {
        String doubts = String.join("; ", audit.doubts());
        return audit.ackedLost() > 0 || doubts.isEmpty()
                ? (doubts.isEmpty() ? Measure.of(audit.ackedLost()) : Measure.atLeast(audit.ackedLost(), doubts))
                : Measure.absent(doubts);
    }

    /** The figure of the entire drill; never null. */
    public Measure get(Metric metric) {
        return overall.get(metric);
    }

    /** Cautions about these figures, each a sentence; empty when there are none. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>();
        for (FaultMetrics fault : faults) {
            String name = "Fault " + fault.number() + " (" + fault.title() + "): ";
            double variation = fault.get(Metric.BASELINE_VARIATION).value().orElse(0);
            double slope = fault.get(Metric.BASELINE_SLOPE).value().orElse(0);
            double level = 100
                    * fault.get(Metric.BASELINE).value().orElse(Double.NaN)
                    / faults.get(0).get(Metric.BASELINE).value().orElse(Double.NaN);
            if (variation > 100 * Baseline.MOST_VARIATION) {
                cautions.add(name
                        + String.format(
                                Locale.ROOT,
                                "throughput varied by %.0f %% before it, so there was no steady state to measure against; give the drill"
                                        + " a longer warm-up or more operations.",
                                variation));
            } else if (Math.abs(slope) > 100 * Baseline.MOST_SLOPE) {
                cautions.add(name
                        + String.format(
                                Locale.ROOT,
                                "throughput drifted by %+.0f %% over the baseline, so effects of that size cannot be distinguished from drift; give the drill a"
                                        + " longer warm-up.",
                                slope));
            }
            if (level < LOWEST_LEVEL_PERCENT) {
                cautions.add(name
                        + String.format(
                                Locale.ROOT,
                                "its baseline is %.0f %% of the first fault's, so its figures do not show what earlier faults cost.",
                                level));
            }
        }
        return cautions;
    }

    /** Its own steady state, if the faults before it are over; else empty and the baseline of an earlier fault is used. */
    private static Optional<Baseline> baseline(RunData run, FaultSpan span, List<FaultSpan> all) {
        if (!run.slices().intact()) {
            return Optional.empty();
        }
        double notBefore = Math.max(run.warmupSeconds(), run.loadSinceSeconds());
        for (FaultSpan other : all) {
            if (other.number() < span.number()) {
                notBefore = Math.max(notBefore, other.over().orElse(Double.MAX_VALUE));
            }
        }
        notBefore = Math.max(notBefore, steadySince(run, span.startSeconds()));
        return notBefore >= span.startSeconds()
                ? Optional.empty()
                : Baseline.before(span.startSeconds(), notBefore, run.slices());
    }

    /** Start of the stretch that the drill itself judged to be steady last before the fault; 0 when it judged none. */
    private static double steadySince(RunData run, double faultSeconds) {
        return steady(run, faultSeconds)
                .filter(m -> m.field("since_ns").matches("\\d{1,18}"))
                .mapToDouble(m -> Long.parseLong(m.field("since_ns")) / 1e9)
                .reduce(0, (earlier, later) -> later);
    }

    private static Stream<Marker> steady(RunData run, double untilSeconds) {
        return run.markers().stream().filter(m -> m.kind().equals("steady") && m.atSeconds() <= untilSeconds);
    }

    private static FaultSpan wholeDrill(RunData run, double startSeconds) {
        return new FaultSpan(
                0,
                "",
                "",
                "",
                startSeconds,
                run.durationSeconds(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                false,
                false,
                List.of());
    }

    private static Measure overall(Metric metric, List<FaultMetrics> faults, FaultMetrics drill) {
        if (metric.worst() == Metric.Worst.WHOLE) {
            return drill.get(metric);
        }
        if (metric.worst() == Metric.Worst.FIRST || faults.size() == 1) {
            return faults.get(0).get(metric);
        }
        Measure worst = null;
        for (FaultMetrics fault : faults) {
            Measure measure = fault.get(metric);
            String where = "fault " + fault.number() + " (" + fault.title() + ")";
            if (measure.value().isEmpty()) {
                if (measure.applicable() && metric.worst() != Metric.Worst.LARGEST_SEEN) {
                    return Measure.absent(where + ": " + measure.note());
                }
                continue;
            }
            double value = measure.value().getAsDouble();
            if (metric.worst() == Metric.Worst.SUM) {
                if (!fault.overlaps().isEmpty()) {
                    return Measure.absent("faults overlap, their sums would count operations twice");
                }
                worst = Measure.of(value + (worst == null ? 0 : worst.value().getAsDouble()), "all faults together");
            } else if (worst == null || worse(metric, value, worst.value().getAsDouble())) {
                worst = new Measure(measure.value(), where, measure.censored(), true);
            }
        }
        if (worst != null) {
            return worst;
        }
        // One that is missing says more than one that does not apply.
        return faults.stream()
                .map(fault -> fault.get(metric))
                .filter(Measure::applicable)
                .findFirst()
                .orElse(faults.get(0).get(metric));
    }

    private static boolean worse(Metric metric, double value, double known) {
        return metric.worst() == Metric.Worst.SMALLEST ? value < known : value > known;
    }
}
