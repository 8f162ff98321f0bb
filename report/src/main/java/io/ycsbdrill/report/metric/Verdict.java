package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
        /** The drill set no limits and the run is sound. */
        NO_LIMITS("no limits");

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

    /**
     * Compares each limit with what was measured. A limit that this program does not know, or that is not a number, is not
     * measurable and so counts as missed.
     *
     * @param limits object of {@code drill.limits} in {@code run.json}; null or missing means no limits
     */
    public static Verdict of(DrillMetrics metrics, JsonNode limits) {
        List<Check> checks = new ArrayList<>();
        if (limits != null) {
            limits.properties().forEach(field -> {
                if (!field.getValue().isNull()) {
                    checks.add(check(metrics, field.getKey(), field.getValue()));
                }
            });
        }
        Outcome outcome;
        if (!metrics.unsound().isEmpty()) {
            outcome = Outcome.INVALID;
        } else if (checks.isEmpty()) {
            outcome = Outcome.NO_LIMITS;
        } else {
            outcome = checks.stream().noneMatch(Check::missed) ? Outcome.PASS : Outcome.FAIL;
        }
        return new Verdict(outcome, checks, metrics.unsound());
    }

    private static Check check(DrillMetrics metrics, String key, JsonNode value) {
        Optional<Limit> limit = Limit.of(key);
        if (limit.isEmpty() || !value.isNumber()) {
            return new Check(
                    key,
                    key,
                    "",
                    Double.NaN,
                    "",
                    OptionalDouble.empty(),
                    Check.Result.NOT_MEASURABLE,
                    limit.isEmpty()
                            ? "this version does not know the limit"
                            : "the limit " + value + " is not a number");
        }
        Measure measure = limit.get().measured(metrics);
        double allowed = value.asDouble();
        Check.Result result = result(limit.get(), measure, allowed);
        return new Check(
                key,
                limit.get().title(),
                limit.get().relation(),
                allowed,
                limit.get().unit(),
                measure.value(),
                result,
                measure.note());
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

    /** One line for the terminal: {@code PASS: 4 of 4 limits kept}. */
    public String line() {
        long kept = checks.stream()
                .filter(check -> check.result() == Check.Result.PASS)
                .count();
        return switch (outcome) {
            case INVALID -> "INVALID: do not rely on the figures of this run: " + String.join("; ", unsound);
            case NO_LIMITS -> "NO LIMITS: the drill sets none, so there is nothing to pass or fail";
            case PASS -> "PASS: " + counted(kept);
            case FAIL ->
                "FAIL: " + counted(kept) + "; missed: "
                        + String.join(
                                "; ",
                                checks.stream()
                                        .filter(Check::missed)
                                        .map(Check::sentence)
                                        .toList());
        };
    }

    private String counted(long kept) {
        long none = checks.stream()
                .filter(check -> check.result() == Check.Result.NOT_APPLICABLE)
                .count();
        return kept + " of " + checks.size() + " limits kept" + (none == 0 ? "" : ", " + none + " not applicable");
    }
}
