package io.ycsbdrill.report.claim;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A statement of a source that an experiment can check, as it is in plan.json and suite-plan.json. Immutable.
 *
 * @param id its name within the experiment
 * @param quote what the source says, in its words
 * @param kind how it is judged
 * @param claimed the figure that the source states, as a range; empty when it states none
 * @param recomputed the same from the source's own numbers, as arithmetic: {@code 109 / 168}, or {@code 8 / 9 to 3 / 2}; empty for none
 * @param recomputedRange what that is
 * @param figure a column of {@code cells.csv}
 * @param of the levels of the variant that it is about, by axis
 * @param to the levels of the variant that it is compared with, where they differ; empty for a figure by itself
 * @param tolerance by which share a ratio may be off, 0 to 1; ratios only, null for others
 * @param expect what a shape expects; shapes only
 * @param notComparable why the measurement says nothing about the claim, known beforehand; empty for none
 * @param notMeasured why there is no such measurement, known beforehand; empty for none
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Claim(
        String id,
        String quote,
        Kind kind,
        Optional<Range> claimed,
        Optional<String> recomputed,
        @JsonAlias("recomputedValue") Optional<Range> recomputedRange,
        Optional<String> figure,
        Map<String, String> of,
        Map<String, String> to,
        Double tolerance,
        Optional<Expect> expect,
        Optional<String> notComparable,
        Optional<String> notMeasured) {

    /** How a claim is judged. */
    public enum Kind {
        /** Printed, never judged: another machine has other figures. */
        ABSOLUTE,
        /** Within a tolerance of the claimed figure. */
        RATIO,
        /** On one side of a bound: more, less. */
        SHAPE;

        /** As in a file: {@code ratio}. */
        @JsonValue
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** From {@code low} to {@code high}, which may be the same. */
    public record Range(double low, double high) {

        /** Two numbers, or one for both, as before there were ranges. */
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Range of(JsonNode node) {
            return node.isArray()
                    ? new Range(node.path(0).asDouble(), node.path(1).asDouble())
                    : new Range(node.asDouble(), node.asDouble());
        }

        @JsonValue
        double[] ends() {
            return new double[] {low, high};
        }
    }

    /**
     * Which side of a bound is expected.
     *
     * @param more whether above it
     */
    public record Expect(boolean more, double bound) {
        /** As in a file: {@code > 1}. */
        public String text() {
            String number = bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
            return (more ? "> " : "< ") + number;
        }
    }

    public Claim {
        tolerance = kind != Kind.RATIO ? null : tolerance == null ? 0 : tolerance;
        of = of == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(of));
        to = to == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(to));
    }

    /** Whether it compares two variants. */
    public boolean compares() {
        return !to.isEmpty();
    }

    /** What a ratio is judged by: the source's statement, or without one what follows from its numbers. */
    public Optional<Range> target() {
        return claimed.or(() -> recomputedRange);
    }
}
