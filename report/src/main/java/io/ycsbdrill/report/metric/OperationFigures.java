package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.report.data.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What users had of each type of operations during one incident, as reads that succeed hide writes that do not. Pure; docs/metrics.md has the
 * rules.
 */
final class OperationFigures {
    /** Fewer operations that were due say nothing: none of them may have succeeded by chance. */
    static final double FEWEST_DUE = 20;

    /** A type of which so many take longer to become due is too rare for short outages to be seen. */
    private static final double RARE_SECONDS = 1;

    private static final double DEVIATIONS = 3;
    private static final String TOO_FEW = "too few in ";
    private static final String CHANCE = "may be chance";

    private static final List<String> READS = List.of("READ", "SCAN");
    private static final List<String> WRITES = List.of("UPDATE", "INSERT", "DELETE");
    /** Those of which is known whether they read or write; a read-modify-write is counted by its parts, too. */
    private static final List<String> TOLD_APART =
            List.of("READ", "SCAN", "UPDATE", "INSERT", "DELETE", "READ-MODIFY-WRITE", "VERIFY");

    /** The longest outage that may go unseen among rare writes or reads; no limit is kept by rarer ones. */
    private static final double MOST_UNSEEN_SECONDS = 5;

    private final Slices slices;
    private final Optional<Baseline> baseline;
    private final double[] due;
    private final ServiceLevels.Chance chance;
    private final int from;
    private final int to;
    private final Map<String, Type> types = new LinkedHashMap<>();

    /**
     * One type.
     *
     * @param share of all operations in the baseline
     * @param levels empty when too few were due, or nobody knows how many
     */
    private record Type(double share, double[] ok, double due, double perSecond, Optional<ServiceLevels> levels) {}

    OperationFigures(Slices slices, DueOperations load, Optional<Baseline> baseline, int from, int to) {
        this.slices = slices;
        this.baseline = baseline;
        this.from = from;
        this.to = to;
        due = load.due();
        chance = new ServiceLevels.Chance(
                baseline.map(base -> base.degradedLevel(load.atRate())).orElse(Scatter.DEGRADED),
                FEWEST_DUE,
                DEVIATIONS);
        slices.byOperation().forEach((operation, columns) -> {
            if (!operation.equals(Slices.TOTAL)) {
                types.put(operation, type(columns.ok()));
            }
        });
    }

    /** What of all operations was of a type in the baseline; 0 for one that nobody knows of before the fault. */
    static double share(Slices slices, double[] ok, Optional<Baseline> baseline) {
        return baseline.map(base -> {
                    int first = slices.at(base.fromSeconds());
                    int last = slices.at(base.toSeconds());
                    return sum(ok, first, last) / sum(slices.total().ok(), first, last);
                })
                .orElse(0.0);
    }

    private Type type(double[] ok) {
        double share = share(slices, ok, baseline);
        double[] wanted = Arrays.stream(due).map(all -> share * all).toArray();
        double count = sum(wanted, from, to);
        Optional<ServiceLevels> levels = baseline.filter(base -> count >= FEWEST_DUE)
                .map(base -> {
                    int first = slices.at(base.fromSeconds());
                    int last = slices.at(base.toSeconds());
                    double noise = levels(ok, wanted, first, last, 0).noise(false);
                    return levels(ok, wanted, from, to, noise);
                });
        return new Type(share, ok, count, count / ((to - from) * slices.seconds()), levels);
    }

    private ServiceLevels levels(double[] ok, double[] wanted, int first, int last, double noise) {
        return new ServiceLevels(ok, wanted, i -> false, slices.perSecond(), first, last, noise, chance);
    }

    private static double sum(double[] column, int from, int to) {
        return Arrays.stream(column, from, to).sum();
    }

    /** Whether a type is out of service in a slice. */
    boolean out(int slice) {
        return types.values().stream()
                .anyMatch(
                        type -> type.levels.filter(levels -> levels.out(slice)).isPresent());
    }

    /** The figures of each type; those of one that cannot be judged are absent, with the reason. */
    Map<String, Map<Metric, Measure>> all() {
        Map<String, Map<Metric, Measure>> all = new LinkedHashMap<>();
        types.forEach((operation, type) -> {
            Map<Metric, Measure> measures = new EnumMap<>(Metric.class);
            if (type.levels.isEmpty()) {
                Measure none = Measure.absent(why(type));
                FaultMetrics.BY_OPERATION.forEach(metric -> measures.put(metric, none));
            } else {
                measures.put(Metric.OUT, out(type, false));
                measures.put(Metric.LONGEST_OUT, out(type, true));
                measures.put(
                        Metric.LOST_SECONDS,
                        Measure.of(type.levels.get().lost(i -> true) * slices.seconds(), "", open(type)));
                measures.put(Metric.LONGEST_GAP, gap(type));
                measures.put(Metric.SERVICE_RESTORED, restored(type));
            }
            all.put(operation, measures);
        });
        return all;
    }

    private String why(Type type) {
        return baseline.isEmpty()
                ? FaultAnalysis.NO_BASELINE
                : type.share == 0
                        ? "none before the fault"
                        : Formatted.of("%.0f were due after the fault, %.0f are needed", type.due, FEWEST_DUE);
    }

    private boolean atEnd(boolean inside) {
        return inside && to == slices.whole();
    }

    private boolean open(Type type) {
        return atEnd(type.levels.orElseThrow().losing(to - 1));
    }

    /** The last slice in which it is out of service; the one before the fault when there is none. */
    private int lastOut(Type type) {
        ServiceLevels levels = type.levels.orElseThrow();
        int last = to - 1;
        while (last >= from && !levels.out(last)) {
            last--;
        }
        return last;
    }

    private Measure out(Type type, boolean longest) {
        ServiceLevels levels = type.levels.orElseThrow();
        int count = longest ? levels.longest(levels::out) : levels.count(levels::out);
        return Measure.of(count * slices.seconds(), "", atEnd(levels.out(to - 1)));
    }

    /** One in which so few were due that chance explains it is judged by nothing. */
    private Measure gap(Type type) {
        Gap gap = rates(type).longestGap(from, to, slices.whole());
        boolean open = gap.open() && gap.seconds() >= 1;
        int first = slices.at(gap.startSeconds());
        int last = Math.min(due.length, first + slices.at(gap.seconds()) - 1);
        if (type.share * sum(due, first, last) < FEWEST_DUE) {
            return Measure.of(
                    gap.seconds(),
                    Formatted.of(CHANCE + ", as below %.1f s", FEWEST_DUE / type.perSecond + gap.plusMinusSeconds()),
                    open);
        }
        return Measure.of(gap.seconds(), "", open);
    }

    private Rates rates(Type type) {
        return new Rates(type.ok, slices.seconds(), slices.perSecond());
    }

    /** As of all operations together, but for what chance takes from a second, and from the five that have to hold. */
    private Measure restored(Type type) {
        Baseline base = baseline.orElseThrow();
        double rate = type.share * base.opsPerSecond();
        double level = chance.least(rate * Rates.HOLD_SECONDS) / Rates.HOLD_SECONDS;
        double lowest = Arrays.stream(
                        rates(type).secondsBefore(slices.at(base.fromSeconds()), slices.at(base.toSeconds())))
                .min()
                .orElse(0);
        if (level <= 0) {
            return Measure.absent(TOO_FEW + Rates.HOLD_SECONDS + " s to tell");
        }
        return rates(type)
                .backAt(level, Math.min(lowest, chance.least(rate)), from, to)
                .map(back -> back.forGood() < 0
                        ? Measure.absent(Formatted.of("not at %.0f %% of its share of B for ", 100 * chance.level())
                                + Rates.HOLD_SECONDS + " s at the end")
                        : Measure.of(back.never() ? 0 : (back.forGood() - from) * slices.seconds()))
                .orElse(Measure.absent("less than " + Rates.HOLD_SECONDS + " s of data after the fault"));
    }

    /** The figure of all operations together, or of the type that has it worst: then the note names it. */
    Measure worst(Metric metric, Measure total) {
        if (total.value().isEmpty()) {
            return total;
        }
        Measure worst = total;
        boolean censored = total.censored();
        for (Map.Entry<String, Map<Metric, Measure>> type : all().entrySet()) {
            Measure measure = type.getValue().getOrDefault(metric, total);
            String together = type.getKey() + "; all operations together "
                    + NumberText.seconds(total.value().getAsDouble()) + " s";
            boolean judged = types.get(type.getKey()).levels.isPresent()
                    && !measure.note().startsWith(CHANCE);
            if (!judged) {
                continue;
            }
            if (metric == Metric.SERVICE_RESTORED && measure.note().startsWith(TOO_FEW)) {
                // At least as long as it is seen to be out.
                double seen = (lastOut(types.get(type.getKey())) + 1 - from) * slices.seconds();
                if (seen > worst.value().getAsDouble() + slices.seconds() / 2) {
                    worst = Measure.of(seen, together);
                }
                continue;
            }
            if (measure.value().isEmpty()) {
                return Measure.notReached(
                        total.value().getAsDouble(), type.getKey() + " " + measure.note() + "; " + together);
            }
            censored |= measure.censored();
            // Slices say no more than this.
            if (measure.value().getAsDouble() > worst.value().getAsDouble() + slices.seconds() / 2) {
                worst = Measure.of(measure.value().getAsDouble(), together);
            }
        }
        return Measure.of(
                worst.value().getAsDouble(),
                worst == total || total.note().isEmpty() ? worst.note() : worst.note() + "; " + total.note(),
                censored);
    }

    /** Without a successful write, and without a successful read: as out of service, of all types of that kind together. */
    void kinds(Map<Metric, Measure> measures) {
        measures.put(Metric.WRITE_OUTAGE, kind(WRITES, "writes"));
        measures.put(Metric.READ_OUTAGE, kind(READS, "reads"));
    }

    private Measure kind(List<String> members, String name) {
        List<double[]> columns = members.stream()
                .filter(slices.byOperation()::containsKey)
                .map(member -> slices.byOperation().get(member).ok())
                .toList();
        if (baseline.isEmpty()) {
            return columns.isEmpty() ? Measure.notApplicable("no " + name) : Measure.absent(FaultAnalysis.NO_BASELINE);
        }
        double[] ok = new double[slices.count()];
        columns.forEach(column -> Arrays.setAll(ok, i -> ok[i] + column[i]));
        Type all = type(ok);
        if (all.share == 0) {
            return types.keySet().stream().allMatch(TOLD_APART::contains)
                    ? Measure.notApplicable("no " + name + " before the fault")
                    : Measure.absent("operations of this workload are not known to be reads or writes");
        }
        if (all.levels.isEmpty()) {
            return Measure.absent(name + ": " + why(all));
        }
        Measure out = out(all, false);
        double shortest = FEWEST_DUE / all.perSecond;
        return shortest <= MOST_UNSEEN_SECONDS
                ? out
                : Measure.atLeast(
                        out.value().orElse(0),
                        Formatted.of(
                                "only %.1f %s per second were due: up to %.0f s without one may be chance",
                                all.perSecond, name, shortest));
    }

    /** The types of which too few are due to judge them by themselves, or to see short outages; empty when there are none. */
    List<String> rare() {
        List<String> rare = new ArrayList<>();
        if (baseline.isEmpty()) {
            return rare;
        }
        types.forEach((operation, type) -> {
            double shortest = FEWEST_DUE / type.perSecond;
            if (type.levels.isEmpty()) {
                rare.add(operation + " is not judged by itself: " + why(type));
            } else if (shortest > RARE_SECONDS) {
                rare.add(Formatted.of(
                        "%s is judged by itself only where it has no success for %.1f s or more: it is too rare for less",
                        operation, shortest));
            }
        });
        return rare;
    }
}
