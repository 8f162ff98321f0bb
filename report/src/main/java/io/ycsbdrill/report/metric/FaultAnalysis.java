package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Measures one incident; pure. docs/metrics.md has the formulas. */
final class FaultAnalysis {
    static final String NO_BASELINE = "no baseline: less than " + Baseline.SHORTEST_SECONDS
            + " s of throughput before the fault were free of warm-up, earlier faults, and failures that nobody"
            + " injected";

    private final RunData run;
    private final Incident incident;
    private final Optional<Baseline> baseline;
    private final Slices slices;
    private final Rates rates;
    private final ServiceFigures service;
    private final int from;
    private final int to;
    private final Map<Metric, Measure> measures = new EnumMap<>(Metric.class);

    private FaultAnalysis(RunData run, Incident incident, Optional<Baseline> baseline, Reading reading) {
        this.run = run;
        this.incident = incident;
        this.baseline = baseline;
        slices = run.slices();
        rates = new Rates(slices.total().ok(), slices.seconds(), slices.perSecond());
        from = Math.min(slices.at(incident.startSeconds()), slices.whole());
        to = Math.max(from, Math.min((int) Math.ceil(incident.endSeconds() / slices.seconds() - 1e-9), slices.whole()));
        service = new ServiceFigures(run, incident, baseline, from, to, reading);
    }

    /** @param catchUp what was done right before it, as a multiple of what was due, when the baseline is that of an earlier fault for it */
    static FaultMetrics of(
            RunData run, Incident incident, Optional<Baseline> baseline, OptionalDouble catchUp, Reading reading) {
        Map<Metric, Measure> measures = new EnumMap<>(Metric.class);
        Map<String, Gap> gaps = new LinkedHashMap<>();
        Map<String, Gap> before = new LinkedHashMap<>();
        Map<String, Map<Metric, Measure>> operations = Map.of();
        List<String> rare = List.of();
        Optional<Unseen> unseen = Optional.empty();
        List<PhaseImpact> impacts = List.of();
        OptionalDouble served = OptionalDouble.empty();
        String unusable = unusable(run, incident);
        if (unusable.isEmpty()) {
            FaultAnalysis analysis = new FaultAnalysis(run, incident, baseline, reading);
            measures.putAll(analysis.measure());
            analysis.gaps(gaps, before);
            operations = analysis.service.operations().all();
            rare = analysis.service.operations().rare();
            unseen = analysis.service.unseen();
            impacts = incident.number() == 0 ? impacts : analysis.service.impacts();
            served = analysis.service.servedPercent();
        } else {
            for (Metric metric : Metric.values()) {
                measures.put(metric, Measure.absent(unusable));
            }
        }
        measures.put(Metric.DETECT_ENGINE, Detection.byEngine(incident));
        measures.put(Metric.DETECTED, Detection.byAnyone(incident, measures));
        measures.put(Metric.REDUNDANCY_RESTORED, redundancy(incident));
        return new FaultMetrics(
                incident.number(),
                incident.fault(),
                String.join(", ", incident.nodes()),
                incident.title(),
                incident.startSeconds(),
                incident.endSeconds(),
                incident.overlaps(),
                measures,
                gaps,
                before,
                operations,
                rare,
                unseen,
                impacts,
                baseline.isPresent() ? OptionalDouble.of(100 * baseline.get().uncertainty()) : OptionalDouble.empty(),
                served,
                catchUp.isPresent() ? OptionalDouble.of(100 * catchUp.getAsDouble()) : catchUp);
    }

    private static String unusable(RunData run, Incident incident) {
        Slices slices = run.slices();
        if (!slices.present()) {
            return "no slices.csv";
        }
        if (!slices.intact()) {
            return "slices.csv is damaged";
        }
        return slices.at(incident.startSeconds()) >= slices.whole() ? "no data after the fault" : "";
    }

    private static Measure redundancy(Incident incident) {
        if (!incident.unreported().isEmpty() || !incident.redundancyLost()) {
            // A command may have done anything to its node, and of servers that nothing watches no engine says so.
            String never = incident.fault().equals("run")
                    ? "not known: no engine reported a node down, and what the command did to its node is not known"
                    : "never lost, as far as the engine reported";
            return incident.takesNodeDown()
                    ? Measure.absent(String.join(", ", incident.unreported()) + ": " + never)
                    : Measure.notApplicable(never);
        }
        return incident.recovered().isPresent()
                ? Measure.of(incident.recovered().getAsDouble() - incident.startSeconds())
                : Measure.notReached(
                        incident.endSeconds() - incident.startSeconds(), "not restored before the end of the data");
    }

    private Map<Metric, Measure> measure() {
        measures.put(Metric.DETECT_CLIENT, new Detection(incident, baseline, slices, rates).byClient(from, to));
        Gap gap = rates.longestGap(from, to, slices.whole());
        measures.put(
                Metric.LONGEST_GAP,
                service.operations()
                        .worst(
                                Metric.LONGEST_GAP,
                                endsInOutage() || gap.open() && gap.seconds() >= 1
                                        ? Measure.atLeast(gap.seconds(), "no success until the end of the data")
                                        : Measure.of(gap.seconds(), plusMinusSlice())));
        measures.put(
                Metric.ZERO_SECONDS,
                Measure.of(
                        rates.emptySlices(from, to) * slices.seconds(),
                        endsInOutage() ? "no success until the end of the data" : plusMinusSlice(),
                        endsInOutage()));
        new FailureCounts(run, from, to, endsInOutage()).measure(measures);
        service.measure(measures);
        Optional<Measure> restored = baseline.map(this::serviceRestored);
        double back = restored.filter(measure -> measure.value().isPresent())
                .map(measure -> incident.startSeconds() + measure.value().getAsDouble())
                .orElse(Double.MAX_VALUE);
        // The time that has to hold at the end, at least; but nothing of the fault itself, nor of what was before it.
        double since = Math.max(
                Math.min(back, to * slices.seconds() - Rates.HOLD_SECONDS),
                Math.max(incident.startSeconds(), incident.over().orElse(0)));
        Optional<String> longer = service.slowerLatency(since);
        Optional<String> slower = longer.or(() -> service.slowerThroughput(since));
        slower.ifPresent(why -> {
            measures.computeIfPresent(Metric.DEGRADED, (metric, measure) -> orMore(measure, why));
            measures.computeIfPresent(Metric.LONGEST_DEGRADED, (metric, measure) -> orMore(measure, why));
        });
        String late = service.lateness().atEnd() ? "latency above the SLO " + atTheEnd() : slower.orElse("");
        measures.put(
                Metric.NOT_RESTORED,
                ServedAtEnd.of(
                        run,
                        baseline,
                        service,
                        from,
                        to,
                        late,
                        service.latencyUnknown()
                                ? "what latency is slow is not known (" + NO_BASELINE
                                        + "); give the drill a longer steady.window, or an slo"
                                : ""));
        if (baseline.isPresent()) {
            againstBaseline(baseline.get());
            measures.put(
                    Metric.SERVICE_RESTORED,
                    service.operations().worst(Metric.SERVICE_RESTORED, unless(slower, restored.orElseThrow())));
            measures.put(Metric.LATENCY_BACK, unless(longer, service.lateness().back(atTheEnd())));
            measures.put(
                    Metric.LAST_THREAD,
                    incident.number() == 0
                            ? Measure.notApplicable("of single faults")
                            : LastThread.of(run, incident, baseline.get(), measures.get(Metric.SERVICE_RESTORED)));
        } else {
            for (Metric metric : Metric.values()) {
                measures.putIfAbsent(metric, Measure.absent(NO_BASELINE));
            }
        }
        return measures;
    }

    /** Whether the data end in an outage, be it the longest one or not; at low rates a few empty slices are none. */
    private boolean endsInOutage() {
        int second = slices.perSecond();
        return to == slices.whole() && to - from >= second && rates.emptySlices(to - second, to) == second;
    }

    private String plusMinusSlice() {
        return Formatted.of("\u00b1 %.1f s", slices.seconds());
    }

    private void againstBaseline(Baseline base) {
        double b = base.opsPerSecond();
        measures.put(
                Metric.BASELINE, Measure.of(b, Formatted.of("%.1f s to %.1f s", base.fromSeconds(), base.toSeconds())));
        measures.put(Metric.BASELINE_WORST, Measure.of(100 * base.lowest() / b, "of B"));
        measures.put(
                Metric.BASELINE_VARIATION,
                Measure.of(
                        100 * base.variation(),
                        base.unsteady() ? "not steady: figures relative to B are approximate" : ""));
        measures.put(
                Metric.BASELINE_SLOPE,
                Measure.of(
                        100 * base.slope(),
                        base.drifting() ? "still drifting: figures relative to B are approximate" : ""));
        measures.put(
                Metric.BASELINE_CONFIDENCE,
                Double.isNaN(base.confidence())
                        ? Measure.absent(base.tooFew())
                        : Measure.of(100 * base.confidence(), "of the mean of its seconds"));
        OptionalDouble lowest = rates.lowestSecond(from, to);
        measures.put(
                Metric.DIP_DEPTH,
                lowest.isPresent()
                        ? Measure.of(100 * (1 - lowest.getAsDouble() / b))
                        : Measure.absent("less than 1 s of data after the fault"));
        int recovered = recoveryEnd();
        if (recovered > from) {
            double share = rates.mean(from, recovered) / b;
            double seconds = (recovered - from) * slices.seconds();
            boolean open = incident.over().isEmpty();
            String until = open
                    ? "until the end of the data"
                    : incident.redundancyLost() && incident.over().equals(incident.recovered())
                            ? "until redundancy restored"
                            : "until the fault was over";
            measures.put(Metric.THROUGHPUT, Measure.of(100 * share, until, open));
            measures.put(
                    Metric.OPERATIONS_LOST,
                    Measure.of(
                            b * seconds - rates.sum(from, recovered),
                            Formatted.of("%s; %.1f s of B", until, seconds * (1 - share)),
                            open));
        }
        timeTo(Metric.TIME_TO_90, 0.90, base);
        timeTo(Metric.TIME_TO_95, 0.95, base);
        timeTo(Metric.TIME_TO_99, 0.99, base);
        measures.put(Metric.AFTER_DIP, service.afterDip(base));
        new OwnerFigures(run, incident, base, from, to).measure(measures);
    }

    private static Measure orMore(Measure measure, String why) {
        return measure.value().isPresent()
                ? Measure.atLeast(
                        measure.value().getAsDouble(), measure.note().isEmpty() ? why : measure.note() + "; " + why)
                : measure;
    }

    /** A service that is slower than it was has not been restored. */
    private Measure unless(Optional<String> slower, Measure back) {
        return slower.isPresent() && back.value().isPresent()
                ? Measure.notReached(incident.endSeconds() - Rates.HOLD_SECONDS - incident.startSeconds(), slower.get())
                : back;
    }

    private int recoveryEnd() {
        double end = Math.min(incident.endSeconds(), incident.over().orElse(incident.endSeconds()));
        return Math.min(to, Math.max(from + 1, (int) Math.ceil(end / slices.seconds() - 1e-9)));
    }

    private double since(int slice) {
        return Math.max(0, slice * slices.seconds() - incident.startSeconds());
    }

    private void timeTo(Metric metric, double share, Baseline base) {
        Optional<Rates.Return> back = rates.backAt(share * base.opsPerSecond(), base.lowest(), from, to);
        measures.put(metric, back.map(r -> first(r)).orElse(tooShort()));
    }

    private Measure first(Rates.Return back) {
        if (back.never()) {
            return Measure.of(0, "never below");
        }
        if (back.first() < 0) {
            return Measure.absent("not reached for " + Rates.HOLD_SECONDS + " s before the end of the data");
        }
        String note = back.forGood() < 0
                ? "not sustained"
                : back.forGood() > back.first()
                        ? Formatted.of("for good after %.1f s", since(back.forGood()))
                        : plusMinusSlice();
        return Measure.of(since(back.first()), note);
    }

    private Measure serviceRestored(Baseline base) {
        if (!service.restless().isEmpty()) {
            return Measure.absent(service.restless());
        }
        String level = Formatted.of("%.0f %% of B", 100 * service.level());
        Optional<Rates.Return> back = rates.backAt(service.level() * base.opsPerSecond(), base.lowest(), from, to);
        if (back.isEmpty()) {
            return tooShort();
        }
        if (back.get().forGood() < 0) {
            return Measure.notReached(
                    incident.endSeconds() - Rates.HOLD_SECONDS - incident.startSeconds(),
                    "not at " + level + " for the last " + Rates.HOLD_SECONDS + " s "
                            + (to == slices.whole() ? "of the data" : "before the next fault"));
        }
        double late = service.lateness().until();
        if (Double.isInfinite(late)) {
            return Measure.notReached(
                    service.lateness().lastWindowEnd() - incident.startSeconds(),
                    "latency above the SLO " + atTheEnd());
        }
        double throughput = back.get().never() ? 0 : since(back.get().forGood());
        if (service.latencyUnknown()) {
            return Measure.atLeast(throughput, "at " + level + "; no p99 in the baseline to judge the latency by");
        }
        if (service.latencyNotSeenSince(incident.startSeconds() + throughput)) {
            return Measure.atLeast(throughput, "at " + level + "; no window from then on to judge the latency by");
        }
        if (late - incident.startSeconds() > throughput) {
            return Measure.of(late - incident.startSeconds(), "at " + level + " and latency within the SLO for good");
        }
        return Measure.of(throughput, back.get().never() ? "never below " + level : "at " + level + " for good");
    }

    private String atTheEnd() {
        return to == slices.whole() ? "at the end of the data" : "when the next fault began";
    }

    private static Measure tooShort() {
        return Measure.absent("less than " + Rates.HOLD_SECONDS + " s of data after the fault");
    }

    private void gaps(Map<String, Gap> gaps, Map<String, Gap> before) {
        slices.byOperation().forEach((operation, columns) -> {
            Rates column = new Rates(columns.ok(), slices.seconds(), slices.perSecond());
            gaps.put(operation, column.longestGap(from, to, slices.whole()));
            baseline.ifPresent(base -> {
                int end = slices.at(base.toSeconds());
                before.put(operation, column.longestGap(slices.at(base.fromSeconds()), end, end));
            });
        });
    }
}
