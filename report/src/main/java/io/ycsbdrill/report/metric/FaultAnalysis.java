package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Window;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Measures one fault; pure. docs/metrics.md has the formulas. */
final class FaultAnalysis {
    private static final double LATENCY_FACTOR = 1.1;
    private static final double SLO_SHARE = 0.90;

    private final RunData run;
    private final FaultSpan span;
    private final Optional<Baseline> baseline;
    private final Slices slices;
    private final Rates rates;
    private final int from;
    private final int to;
    private final Map<Metric, Measure> measures = new EnumMap<>(Metric.class);

    private FaultAnalysis(RunData run, FaultSpan span, Optional<Baseline> baseline) {
        this.run = run;
        this.span = span;
        this.baseline = baseline;
        slices = run.slices();
        rates = new Rates(slices.total().ok(), slices.seconds(), slices.perSecond());
        from = Math.min(slices.at(span.startSeconds()), slices.whole());
        to = Math.max(from, Math.min((int) Math.ceil(span.endSeconds() / slices.seconds() - 1e-9), slices.whole()));
    }

    static FaultMetrics of(RunData run, FaultSpan span, Optional<Baseline> baseline) {
        Map<Metric, Measure> measures = new EnumMap<>(Metric.class);
        Map<String, Gap> gaps = new LinkedHashMap<>();
        Map<String, Gap> before = new LinkedHashMap<>();
        String unusable = unusable(run, span);
        if (unusable.isEmpty()) {
            FaultAnalysis analysis = new FaultAnalysis(run, span, baseline);
            measures.putAll(analysis.measure());
            analysis.gaps(gaps, before);
        } else {
            for (Metric metric : Metric.values()) {
                measures.put(metric, Measure.absent(unusable));
            }
        }
        measures.put(Metric.DETECT_ENGINE, detectEngine(span));
        measures.put(Metric.REDUNDANCY_RESTORED, redundancy(span));
        return new FaultMetrics(
                span.number(),
                span.fault(),
                span.node(),
                span.startSeconds(),
                span.endSeconds(),
                span.overlaps(),
                measures,
                gaps,
                before);
    }

    private static String unusable(RunData run, FaultSpan span) {
        Slices slices = run.slices();
        if (!slices.present()) {
            return "no slices.csv";
        }
        if (!slices.intact()) {
            return "slices.csv is damaged";
        }
        return slices.at(span.startSeconds()) >= slices.whole() ? "no data after the fault" : "";
    }

    private static Measure detectEngine(FaultSpan span) {
        if (span.declaredDown().isPresent()) {
            return Measure.of(span.declaredDown().getAsDouble() - span.startSeconds());
        }
        String none = "the engine reported no node down";
        return span.takesNodeDown() ? Measure.absent(none) : Measure.notApplicable(none);
    }

    private static Measure redundancy(FaultSpan span) {
        if (!span.redundancyLost()) {
            String never = "never lost, as far as the engine reported";
            return span.takesNodeDown() ? Measure.absent(never) : Measure.notApplicable(never);
        }
        return span.recovered().isPresent()
                ? Measure.of(span.recovered().getAsDouble() - span.startSeconds())
                : Measure.absent("not restored before the end of the data");
    }

    private Map<Metric, Measure> measure() {
        measures.put(Metric.DETECT_CLIENT, detectClient());
        Gap gap = rates.longestGap(from, to, slices.whole());
        measures.put(
                Metric.LONGEST_GAP,
                endsInOutage() || gap.open() && gap.seconds() >= 1
                        ? Measure.atLeast(gap.seconds(), "no success until the end of the data")
                        : Measure.of(gap.seconds(), plusMinusSlice()));
        measures.put(Metric.ZERO_SECONDS, Measure.of(rates.emptySlices(from, to) * slices.seconds(), plusMinusSlice()));
        measures.put(Metric.FAILED, failed());
        measures.put(Metric.UNKNOWN, Measure.of(count(slices.total().unknown())));
        if (baseline.isPresent()) {
            againstBaseline(baseline.get());
        } else {
            for (Metric metric : Metric.values()) {
                measures.putIfAbsent(
                        metric,
                        Measure.absent("no baseline: less than " + Baseline.SHORTEST_SECONDS
                                + " s of throughput before the fault"));
            }
        }
        return measures;
    }

    /** What was due at the end of the data and not sent was not served either. */
    private Measure failed() {
        double failed = count(slices.total().failed());
        long unsent = to == slices.whole() ? run.unsent() : 0;
        return unsent == 0
                ? Measure.of(failed)
                : Measure.of(failed + unsent, String.format(Locale.ROOT, "%,d of them due and never sent", unsent));
    }

    /** Whether the data end in an outage, be it the longest one or not; at low rates a few empty slices are none. */
    private boolean endsInOutage() {
        int second = slices.perSecond();
        return to == slices.whole() && to - from >= second && rates.emptySlices(to - second, to) == second;
    }

    private String plusMinusSlice() {
        return String.format(Locale.ROOT, "\u00b1 %.1f s", slices.seconds());
    }

    private double count(double[] column) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += column[i];
        }
        return sum;
    }

    private Measure detectClient() {
        if (baseline.isPresent() && baseline.get().failures() > 0) {
            return Measure.absent("operations were already failing before the fault");
        }
        for (int i = from; i < to; i++) {
            if (slices.total().failed()[i] + slices.total().unknown()[i] > 0) {
                return Measure.of((i + 1) * slices.seconds() - span.startSeconds(), plusMinusSlice());
            }
        }
        return Measure.notApplicable("no operation failed");
    }

    private void againstBaseline(Baseline base) {
        double b = base.opsPerSecond();
        measures.put(
                Metric.BASELINE,
                Measure.of(b, String.format(Locale.ROOT, "%.1f s to %.1f s", base.fromSeconds(), base.toSeconds())));
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
            String until = span.recovered().isEmpty()
                    ? "until the end of the data"
                    : span.redundancyLost() ? "until redundancy restored" : "until the fault was over";
            measures.put(Metric.THROUGHPUT, Measure.of(100 * share, until));
            measures.put(
                    Metric.OPERATIONS_LOST,
                    Measure.of(
                            b * seconds - rates.sum(from, recovered),
                            String.format(Locale.ROOT, "%s; %.1f s of B", until, seconds * (1 - share))));
        }
        timeTo(Metric.TIME_TO_90, 0.90, base);
        timeTo(Metric.TIME_TO_95, 0.95, base);
        timeTo(Metric.TIME_TO_99, 0.99, base);
        measures.put(Metric.SERVICE_RESTORED, serviceRestored(base));
        double p99 = base.p99(run.windows(Slices.TOTAL));
        measures.put(Metric.TIME_TO_P99, timeToP99(p99));
        measures.put(Metric.BELOW_SLO, belowSlo(b, p99));
    }

    private int recoveryEnd() {
        double end = span.recovered().orElse(span.endSeconds());
        return Math.min(to, Math.max(from + 1, (int) Math.ceil(end / slices.seconds() - 1e-9)));
    }

    private double since(int slice) {
        return Math.max(0, slice * slices.seconds() - span.startSeconds());
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
                        ? String.format(Locale.ROOT, "for good after %.1f s", since(back.forGood()))
                        : plusMinusSlice();
        return Measure.of(since(back.first()), note);
    }

    private Measure serviceRestored(Baseline base) {
        Optional<Rates.Return> back = rates.backAt(SLO_SHARE * base.opsPerSecond(), base.lowest(), from, to);
        if (back.isEmpty()) {
            return tooShort();
        }
        if (back.get().never()) {
            return Measure.of(0, "never below 90 % of B");
        }
        return back.get().forGood() < 0
                ? Measure.absent("below 90 % of B at the end of the data")
                : Measure.of(since(back.get().forGood()), "at 90 % of B for good");
    }

    private static Measure tooShort() {
        return Measure.absent("less than " + Rates.HOLD_SECONDS + " s of data after the fault");
    }

    private static boolean slow(Window window, double p99) {
        return !(window.latency().p99() <= LATENCY_FACTOR * p99);
    }

    private Measure timeToP99(double p99) {
        if (Double.isNaN(p99)) {
            return Measure.absent("no window lies in the baseline");
        }
        double end = Double.NaN;
        Window last = null;
        for (Window window : run.windows(Slices.TOTAL)) {
            boolean within = window.endSeconds() > span.startSeconds() && window.startSeconds() < span.endSeconds();
            if (within && window.seconds() >= run.windowSeconds() / 2) {
                last = window;
                end = slow(window, p99) ? window.endSeconds() : end;
            }
        }
        if (last == null) {
            return Measure.absent("no window after the fault");
        }
        if (Double.isNaN(end)) {
            return Measure.of(0, "never above");
        }
        return end == last.endSeconds()
                ? Measure.absent("still above at the end of the data")
                : Measure.of(
                        end - span.startSeconds(), String.format(Locale.ROOT, "\u00b1 %.1f s", run.windowSeconds()));
    }

    private Measure belowSlo(double b, double p99) {
        int per = slices.perSecond();
        int throughput = 0;
        int latency = 0;
        int either = 0;
        for (int i = from; i + per <= to; i += per) {
            boolean few = rates.second(i) < SLO_SHARE * b;
            double middle = (i + per / 2.0) * slices.seconds();
            boolean late = !Double.isNaN(p99)
                    && run.windows(Slices.TOTAL).stream()
                            .anyMatch(w -> w.startSeconds() <= middle && middle < w.endSeconds() && slow(w, p99));
            throughput += few ? 1 : 0;
            latency += late ? 1 : 0;
            either += few || late ? 1 : 0;
        }
        double second = per * slices.seconds();
        return Measure.of(
                either * second,
                Double.isNaN(p99)
                        ? "throughput only; no p99 in the baseline"
                        : String.format(
                                Locale.ROOT, "throughput %.0f s, p99 %.0f s", throughput * second, latency * second));
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
