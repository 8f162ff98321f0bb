package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.claim.Claim.Expect;
import io.ycsbdrill.report.claim.Claim.Kind;
import io.ycsbdrill.report.claim.Claim.Range;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the claims of an experiment's file. */
record ClaimParser(List<Axis> axes, LineProblems problems) {
    private static final Pattern EXPECT = Pattern.compile("([<>])\\s*(\\d+(?:\\.\\d+)?)");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
    private static final String OPERAND = "(" + ExperimentParser.COLUMN + "|max\\((" + ExperimentParser.COLUMN + "), ("
            + ExperimentParser.COLUMN + ")\\))";
    private static final String FIGURE = OPERAND + "( / " + OPERAND + ")?";
    private static final String CLAIMED = "a number, or the lowest and the highest: 0.96 or [0.82, 0.91]";

    /** The claims, by their names. */
    List<Claim> claims(Section all) {
        List<Claim> claims = new ArrayList<>();
        all.section("claims").ifPresent(section -> section.names().forEach(id -> {
            if (!id.matches("[\\w][\\w-]{0,39}")) {
                section.problem(id, "expected at most 40 letters, digits, - and _ as the name of a claim");
            }
            section.section(id).ifPresent(one -> claims.add(claim(id, one)));
        }));
        return claims;
    }

    private Claim claim(String id, Section s) {
        s.require("quote", "what the source says, in its words");
        s.require("kind", "one of absolute, ratio, shape");
        Optional<Kind> kind = s.choice("kind", List.of(Kind.values()), Kind::word);
        Optional<Range> claimed = claimed(s);
        Optional<String> recomputed = s.text("recomputed", "arithmetic on the source's numbers: 109 / 168");
        Optional<String> notMeasured = s.text("not_measured", "why there is no such measurement");
        Optional<String> figure = s.text("figure", ExperimentParser.FIGURE);
        figure.filter(column -> !column.matches(FIGURE))
                .ifPresent(column -> s.problem(
                        "figure",
                        "\"" + column + "\"; expected " + ExperimentParser.FIGURE
                                + ", or the quotient of two: drill_out_READ_mean_us / drill_before_READ_mean_us"));
        Map<String, String> of = levels(s, "of", notMeasured.isEmpty());
        Map<String, String> to = levels(s, "to", notMeasured.isEmpty());
        OptionalDouble tolerance = s.percent("tolerance", 0, 100);
        Optional<Expect> expect = s.text("expect", "\"> 1\" or \"< 1\"").flatMap(text -> expect(s, text));
        Claim claim = new Claim(
                id,
                s.text("quote", "what the source says, in its words").orElse(""),
                kind.orElse(Kind.ABSOLUTE),
                claimed,
                recomputed,
                recomputed.flatMap(text -> recomputed(s, text)),
                figure,
                of,
                to,
                tolerance.orElse(0) / 100,
                expect,
                s.text("not_comparable", "why the measurement says nothing about the claim"),
                notMeasured);
        s.rejectOthers();
        if (notMeasured.isEmpty()) {
            check(s, claim, tolerance.isPresent());
        }
        return claim;
    }

    /** What a claim needs that is to be measured. */
    private void check(Section s, Claim claim, boolean hasTolerance) {
        s.require("figure", ExperimentParser.FIGURE);
        for (Axis axis : axes) {
            if (axis.levels().size() > 1 && !claim.of().containsKey(axis.name())) {
                s.missing("of." + axis.name(), "which of its levels the claim is about");
            }
        }
        if (claim.compares() && claim.of().entrySet().containsAll(claim.to().entrySet())) {
            s.problem("to", "is the same variant as \"of\"; name a level that differs");
        }
        if (claim.kind() == Kind.RATIO) {
            if (!hasTolerance) {
                s.missing("tolerance", "by how much a ratio may differ: 20%");
            }
            if (claim.target().isEmpty()) {
                s.missing("claimed", CLAIMED + "; or \"recomputed\"");
            }
        } else if (hasTolerance) {
            s.problem("tolerance", "only ratios have one");
        }
        if (claim.kind() == Kind.SHAPE && claim.expect().isEmpty()) {
            s.missing("expect", "\"> 1\" or \"< 1\"");
        }
        if (claim.kind() != Kind.SHAPE && claim.expect().isPresent()) {
            s.problem("expect", "only shapes expect a side; a ratio has \"claimed\" and \"tolerance\"");
        }
        if (claim.kind() == Kind.ABSOLUTE && claim.compares()) {
            s.problem("to", "an absolute figure is compared with nothing; leave it out, or make it a ratio");
        }
    }

    private static Optional<Range> claimed(Section s) {
        Optional<Node> node = s.node("claimed");
        if (node.isEmpty()) {
            return Optional.empty();
        }
        List<Node> nodes = node.get() instanceof SequenceNode list ? list.getValue() : List.of(node.get());
        List<Double> numbers = nodes.stream()
                .flatMap(item -> YamlReader.text(item).stream())
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Double::parseDouble)
                .toList();
        boolean single = !(node.get() instanceof SequenceNode);
        if (numbers.size() != (single ? 1 : 2) || nodes.size() != numbers.size()) {
            s.problem("claimed", YamlReader.what(node.get()) + "; expected " + CLAIMED);
            return Optional.empty();
        }
        double low = numbers.get(0);
        double high = numbers.get(numbers.size() - 1);
        if (low > high) {
            s.problem("claimed", low + " is more than " + high + "; give the lowest first");
            return Optional.empty();
        }
        return Optional.of(new Range(low, high));
    }

    /** A number, or two with {@code to} between them. */
    private static Optional<Range> recomputed(Section s, String text) {
        String[] ends = text.split(" to ", 2);
        try {
            double low = Arithmetic.of(ends[0]);
            double high = Arithmetic.of(ends[ends.length - 1]);
            if (low <= high) {
                return Optional.of(new Range(low, high));
            }
            s.problem("recomputed", "\"" + text + "\": " + low + " is more than " + high + "; give the lowest first");
        } catch (IllegalArgumentException e) {
            s.problem(
                    "recomputed",
                    "\"" + text + "\": " + e.getMessage()
                            + "; expected arithmetic: (32.5 + 36) / 2, or two with \"to\" between them");
        }
        return Optional.empty();
    }

    private static Optional<Expect> expect(Section s, String text) {
        Matcher form = EXPECT.matcher(text);
        if (!form.matches() || Double.parseDouble(form.group(2)) == 0) {
            s.problem("expect", "\"" + text + "\"; expected a side of a bound above 0: \"> 1\" or \"< 1\"");
            return Optional.empty();
        }
        return Optional.of(new Expect(form.group(1).equals(">"), Double.parseDouble(form.group(2))));
    }

    /** @param checked whether such levels must be there; what is not measured may be about others */
    private Map<String, String> levels(Section claim, String key, boolean checked) {
        Map<String, String> levels = new LinkedHashMap<>();
        Optional<Section> section = claim.section(key);
        if (section.isEmpty()) {
            return levels;
        }
        Section s = section.get();
        for (String name : s.names()) {
            Optional<Axis> axis =
                    axes.stream().filter(each -> each.name().equals(name)).findFirst();
            Optional<String> level = s.text(name, "a level of that axis");
            if (!checked) {
                level.ifPresent(label -> levels.put(name, label));
                continue;
            }
            if (axis.isEmpty()) {
                s.problem(
                        name,
                        "is not an axis"
                                + NearestName.hintOf(
                                        name, axes.stream().map(Axis::name).toList()));
                continue;
            }
            List<String> labels = axis.get().levels().stream().map(Level::label).toList();
            level.filter(label -> !labels.contains(label))
                    .ifPresent(label -> s.problem(
                            name, "\"" + label + "\" is not a level of it" + NearestName.hintOf(label, labels)));
            level.ifPresent(label -> levels.put(name, label));
        }
        return levels;
    }
}
