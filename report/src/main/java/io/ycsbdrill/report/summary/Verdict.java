package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.ConsistencyData;
import io.ycsbdrill.report.metric.Cycle;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether a drill kept its limits.
 *
 * @param outcome of all checks together
 * @param checks one per limit, in the order of the drill file
 * @param unsound why the run's figures are invalid; empty when they are valid
 */
public record Verdict(Outcome outcome, List<Check> checks, List<String> unsound) {

    /** The verdict on a drill. */
    public enum Outcome {
        PASS("pass"),
        FAIL("fail"),
        /** The run's figures are invalid, whatever they are. */
        INVALID("invalid"),
        /** The run is sound, and nobody can say whether it kept its limits: what would have missed them may be chance. */
        UNDECIDED("undecided"),
        /** The run is sound, and there was nothing to judge: no limit, or none that applies. */
        NOT_JUDGED("not judged");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public Verdict {
        checks = List.copyOf(checks);
        unsound = List.copyOf(unsound);
    }

    private static final String ACKED_LOST = "ackedLost";

    /** The check that every drill has: whether its service was back at the end of its data. */
    public static final String SERVICE_RESTORED = "serviceRestored";

    private static final String AUDIT = "audit";

    /** What is judged whether a limit names it or not. */
    private static final Set<String> ALWAYS =
            Set.of(SERVICE_RESTORED, AUDIT, ACKED_LOST, Limit.MAX_RPO.key(), Limit.INCONSISTENT.key());

    /** As a limit: not judged. */
    private static final String ANY = "any";

    /**
     * Compares each limit with what was measured. A limit that this program does not know, or that is not a number, is not
     * measurable and so counts as missed. That the service is restored at the end of the data is judged in every drill, unless
     * {@code serviceRestored} is {@code "any"}. Of an audited run lost writes are judged also when no limit says how many are allowed,
     * and so is what else the audit found; and so is the consistency of the data where the way the run was made promises it.
     *
     * @param limits object of {@code drill.limits} in {@code run.json}; null or missing means no limits
     */
    public static Verdict of(DrillMetrics metrics, JsonNode limits) {
        List<Check> checks = new ArrayList<>();
        boolean lossesAllowed = lossesAllowed(limits);
        if (limits != null) {
            limits.properties().forEach(field -> {
                boolean any = field.getKey().equals(ACKED_LOST)
                        && field.getValue().asText().equals(ANY);
                if (!field.getValue().isNull() && !any && !field.getKey().equals(SERVICE_RESTORED)) {
                    checks.add(check(metrics, field.getKey(), field.getValue()));
                }
            });
        }
        Measure unserved = metrics.get(Metric.NOT_RESTORED);
        boolean anyService =
                limits != null && limits.path(SERVICE_RESTORED).asText().equals(ANY);
        boolean nothing = metrics.faults().isEmpty() && !unserved.applicable();
        if (!nothing && !anyService) {
            checks.add(serviceRestored(metrics, unserved));
        }
        if (metrics.audit().isPresent()) {
            if (!lossesAllowed) {
                checks.add(check(metrics, ACKED_LOST, IntNode.valueOf(0)));
            }
            checks.add(otherFindings(metrics.audit().get(), lossesAllowed));
        }
        boolean limited = limits != null && limits.hasNonNull(Limit.INCONSISTENT.key());
        if (!limited && metrics.consistency().filter(ConsistencyData::promised).isPresent()) {
            checks.add(check(metrics, Limit.INCONSISTENT.key(), IntNode.valueOf(0)));
        }
        Outcome outcome;
        if (!metrics.unsound().isEmpty()) {
            outcome = Outcome.INVALID;
        } else if (checks.stream().anyMatch(Check::missed)) {
            outcome = Outcome.FAIL;
        } else if (checks.stream().anyMatch(Check::undecided)) {
            outcome = Outcome.UNDECIDED;
        } else {
            outcome = named(checks).stream().anyMatch(check -> check.result() == Check.Result.PASS)
                    ? Outcome.PASS
                    : Outcome.NOT_JUDGED;
        }
        return new Verdict(outcome, checks, metrics.unsound());
    }

    /** Whether a limit says how many acknowledged writes may be lost. */
    public static boolean lossesAllowed(JsonNode limits) {
        return limits != null && (limits.hasNonNull(ACKED_LOST) || limits.hasNonNull(Limit.MAX_RPO.key()));
    }

    /** Judged in every drill: a service that is not back when the data end has kept nothing, whatever its other figures are. */
    private static Check serviceRestored(DrillMetrics metrics, Measure unserved) {
        List<Cycle> injecting =
                metrics.cycles().stream().filter(cycle -> !cycle.isNull()).toList();
        List<Cycle> open = injecting.stream()
                .filter(cycle ->
                        cycle.metrics().get(Metric.NOT_RESTORED).value().orElse(1) > 0)
                .toList();
        Check.Result result = injecting.isEmpty()
                ? restored(metrics)
                : worst(injecting.stream().map(Cycle::metrics).map(Verdict::restored));
        String reasons = open.stream()
                .map(cycle -> "cycle " + cycle.number() + ": "
                        + cycle.metrics().get(Metric.NOT_RESTORED).note())
                .collect(Collectors.joining("; "));
        return new Check(
                SERVICE_RESTORED,
                "Service restored at the end of the data, judged in every drill",
                result,
                open.isEmpty() ? unserved.note() : reasons);
    }

    private static Check.Result restored(DrillMetrics metrics) {
        return decided(metrics, known -> {
            Measure unserved = known.get(Metric.NOT_RESTORED);
            return unserved.value().isEmpty()
                    ? unserved.applicable() ? Check.Result.NOT_MEASURABLE : Check.Result.NOT_APPLICABLE
                    : unserved.value().getAsDouble() > 0 ? Check.Result.FAIL : Check.Result.PASS;
        });
    }

    /** Missed only where it is missed even when what may be chance is; where only that says so, nobody can say. */
    private static Check.Result decided(DrillMetrics metrics, Function<DrillMetrics, Check.Result> judge) {
        Check.Result strict = judge.apply(metrics);
        boolean chance = Check.missed(strict)
                && metrics.lenient()
                        .filter(known -> !Check.missed(judge.apply(known)))
                        .isPresent();
        return chance ? Check.Result.UNDECIDED : strict;
    }

    private static Check otherFindings(AuditData audit, boolean lossesAllowed) {
        List<String> others = audit.otherFindings(lossesAllowed);
        Check.Result result = others.isEmpty()
                ? Check.Result.PASS
                : audit.foundOthers(lossesAllowed) ? Check.Result.FAIL : Check.Result.NOT_MEASURABLE;
        return new Check(
                AUDIT,
                "Audit: no phantom, every write judged" + (audit.replicas().there() ? ", replicas agree" : ""),
                result,
                others.isEmpty() && !audit.replicas().there()
                        ? "replicas were not compared"
                        : String.join("; ", others));
    }

    private static Check check(DrillMetrics metrics, String key, JsonNode value) {
        Optional<Limit> limit = Limit.of(key);
        if (limit.isEmpty() || !value.isNumber()) {
            return new Check(
                    key,
                    key,
                    Check.Result.NOT_MEASURABLE,
                    limit.isEmpty()
                            ? "this version does not know the limit"
                            : "the limit " + value + " is not a number");
        }
        Measure measure = limit.get().measured(metrics);
        double allowed = value.asDouble();
        List<Cycle> cycles = limit.get().ofEachCycle()
                ? metrics.cycles().stream().filter(cycle -> !cycle.isNull()).toList()
                : List.of();
        return new Check(
                key,
                limit.get().title(),
                limit.get().relation(),
                allowed,
                limit.get().unit(),
                measure.value(),
                limit.get().bound(measure),
                cycles.isEmpty() ? result(limit.get(), metrics, allowed) : result(limit.get(), cycles, allowed),
                measure.note(),
                missedIn(limit.get(), cycles, allowed));
    }

    /** Every cycle has to keep the limit. */
    private static Check.Result result(Limit limit, List<Cycle> cycles, double allowed) {
        return worst(cycles.stream().map(cycle -> result(limit, cycle.metrics(), allowed)));
    }

    private static Check.Result worst(Stream<Check.Result> each) {
        List<Check.Result> results = each.toList();
        return Stream.of(Check.Result.FAIL, Check.Result.NOT_MEASURABLE, Check.Result.UNDECIDED, Check.Result.PASS)
                .filter(results::contains)
                .findFirst()
                .orElse(Check.Result.NOT_APPLICABLE);
    }

    private static Check.Result result(Limit limit, DrillMetrics metrics, double allowed) {
        return decided(metrics, known -> {
            Check.Result result = result(limit, limit.measured(known), allowed);
            return Check.missed(result) && limit.mayBeKept(known, allowed) ? Check.Result.NOT_MEASURABLE : result;
        });
    }

    private static String missedIn(Limit limit, List<Cycle> cycles, double allowed) {
        List<String> missed = new ArrayList<>();
        for (Cycle cycle : cycles) {
            Measure measure = limit.measured(cycle.metrics());
            Check.Result result = result(limit, cycle.metrics(), allowed);
            if (result == Check.Result.FAIL) {
                missed.add(cycle.number() + " (" + limit.bound(measure)
                        + Check.shown(measure.value().getAsDouble(), allowed) + " " + limit.unit() + ")");
            } else if (result == Check.Result.NOT_MEASURABLE) {
                missed.add(cycle.number() + " (not measurable: " + measure.note() + ")");
            } else if (result == Check.Result.UNDECIDED) {
                missed.add(cycle.number() + " (cannot be said: " + measure.note() + ")");
            }
        }
        return missed.isEmpty()
                ? ""
                : "missed in " + missed.size() + " of " + Counted.of(cycles.size(), "cycle") + ": "
                        + String.join(", ", missed);
    }

    private static Check.Result result(Limit limit, Measure measure, double allowed) {
        if (measure.value().isEmpty()) {
            return measure.applicable() ? Check.Result.NOT_MEASURABLE : Check.Result.NOT_APPLICABLE;
        }
        if (!limit.keptBy(measure.value().getAsDouble(), allowed)) {
            return Check.Result.FAIL;
        }
        return measure.censored() ? Check.Result.NOT_MEASURABLE : Check.Result.PASS;
    }

    /** Those but for the one that every drill has: by itself that one makes no pass, it can only be missed. */
    private static List<Check> named(List<Check> checks) {
        return checks.stream()
                .filter(check -> !check.key().equals(SERVICE_RESTORED))
                .toList();
    }

    /** The checks of what is judged in every drill that were missed, or of which nobody can say whether they were. */
    public List<Check> brokenPromises() {
        return checks.stream()
                .filter(check -> ALWAYS.contains(check.key()) && (check.missed() || check.undecided()))
                .toList();
    }

    /**
     * Whether it was asked for and cannot be given. That is no success of a gate.
     *
     * @param gate whether it is asked for without limits, too; else there have to be limits of which none applies
     */
    public boolean asksInVain(boolean gate) {
        return outcome == Outcome.UNDECIDED
                || outcome == Outcome.NOT_JUDGED && (gate || !named(checks).isEmpty());
    }

    /** One line for the terminal: {@code PASS: 4 of 4 limits kept}, of all checks, as they are listed. */
    public String line() {
        List<Check> limits = named(checks);
        long kept = checks.stream()
                .filter(check -> check.result() == Check.Result.PASS)
                .count();
        return switch (outcome) {
            case INVALID ->
                "INVALID: do not rely on the figures of this run: "
                        + String.join("; ", unsound).replace("invalid: ", "");
            case NOT_JUDGED ->
                "NOT JUDGED: "
                        + (limits.isEmpty()
                                ? "the drill sets no limits"
                                : limits.size() == 1
                                        ? "its only limit does not apply"
                                        : "none of its " + limits.size() + " limits applies");
            case PASS -> "PASS: " + counted(kept);
            case FAIL ->
                "FAIL: " + counted(kept) + sentences("; missed: ", Check.Result.FAIL)
                        + sentences("; not measurable, which counts as missed: ", Check.Result.NOT_MEASURABLE);
            case UNDECIDED ->
                "UNDECIDED: " + counted(kept) + sentences("; nobody can say: ", Check.Result.UNDECIDED)
                        + "; the service scattered too much before the fault to tell that from chance: give the drill an slo, a"
                        + " rate, or a longer steady.window";
        };
    }

    private String sentences(String title, Check.Result result) {
        String all = checks.stream()
                .filter(check -> check.result() == result)
                .map(Check::sentence)
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "" : title + all;
    }

    private String counted(long kept) {
        long none = checks.stream()
                .filter(check -> check.result() == Check.Result.NOT_APPLICABLE)
                .count();
        return Formatted.of("%d of %d {limit|limits} kept", kept, checks.size())
                + (none == 0 ? "" : ", " + none + " not applicable");
    }
}
