package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeSelector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Turns the document of a drill file into its load and schedule, collecting everything that is wrong with it. */
record DrillParser(String file, String text, LineProblems problems) {
    private static final Duration DAY = FaultParser.DAY;
    /** A phase of a node; no time has a letter after its point. */
    private static final Pattern AIM = Pattern.compile("\\s*(\\S+)\\.([a-z][a-z-]*)\\s*(?:\\+\\s*(.+))?");

    private static final String AT = "at: 20s, or <node>.<phase> + 0.5s";

    Optional<DrillFile> parse(Node root) {
        return Section.of(root, "the keys of a drill: steps, limits, ...", problems)
                .flatMap(this::parse);
    }

    private Optional<DrillFile> parse(Section drill) {
        String name = drill.text("name", "a name").orElse(defaultName());
        if (!Rules.validName(name)) {
            drill.problem("name", "\"" + name + "\"; expected " + Rules.STEP_NAME);
        }
        OptionalLong seed = drill.count("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        OfferedLoad load = load(drill);
        Optional<SteadyState> steady = steady(drill);
        Duration cooldown = drill.duration("cooldown", Duration.ZERO, DAY).orElse(FaultSchedule.DEFAULT_COOLDOWN);
        Duration bound = drill.duration("recovery_timeout", Duration.ofSeconds(1), DAY)
                .orElse(FaultSchedule.DEFAULT_RECOVERY_BOUND);
        Limits limits = limits(drill);
        Slo slo = slo(drill);
        Optional<Cycles> cycles = cycles(drill, steady.isPresent());
        List<ScheduledFault> steps = steps(drill, steady.isPresent());
        drill.rejectOthers();
        if (!problems.any()) {
            unjudged(drill, limits, steps, steady, cooldown);
        }
        return problems.any()
                ? Optional.empty()
                : Optional.of(new DrillFile(
                        file,
                        text,
                        new FaultSchedule(name, seed, steady, steps, cooldown, bound, limits, slo, cycles),
                        load));
    }

    private String defaultName() {
        String last = Path.of(file).getFileName().toString();
        return last.replaceFirst("\\.ya?ml$", "");
    }

    private OfferedLoad load(Section drill) {
        Optional<Node> node = drill.node("load");
        if (node.isPresent() && node.get() instanceof MappingNode) {
            Section s = drill.section("load").orElseThrow();
            OptionalDouble share = s.percent("share", 1, 100);
            Optional<Duration> calibration =
                    s.duration("calibration", OfferedLoad.SHORTEST_CALIBRATION, OfferedLoad.LONGEST_CALIBRATION);
            if (!s.has("share")) {
                s.missing("share", "a share of the maximum: 60%");
            }
            s.rejectOthers();
            return share.isPresent()
                    ? new OfferedLoad.Share(share.getAsDouble() / 100, calibration)
                    : OfferedLoad.STANDARD;
        }
        return drill.text("load", OfferedLoad.EXPECTED)
                .flatMap(given -> {
                    try {
                        return Optional.of(OfferedLoad.parse(given));
                    } catch (IllegalArgumentException e) {
                        drill.problem("load", e.getMessage());
                        return Optional.empty();
                    }
                })
                .orElse(OfferedLoad.STANDARD);
    }

    private Optional<SteadyState> steady(Section drill) {
        if (!drill.has("steady")) {
            return Optional.of(SteadyState.DEFAULT);
        }
        // YAML 1.1 calls a bare "off" a boolean; its node has it as it was written.
        if (drill.node("steady").flatMap(YamlReader::text).filter("off"::equals).isPresent()) {
            return Optional.empty();
        }
        Optional<Section> section = drill.section("steady");
        if (section.isEmpty()) {
            return Optional.of(SteadyState.DEFAULT);
        }
        Section s = section.get();
        SteadyState d = SteadyState.DEFAULT;
        Duration after = s.duration("after", Duration.ZERO, DAY).orElse(d.after());
        Duration window = s.duration("window", Duration.ofSeconds(2), Duration.ofMinutes(10))
                .orElse(d.window());
        double slope = s.percent("slope", 0.1, 1000).orElse(d.slope() * 100) / 100;
        double variation = s.percent("variation", 0.1, 1000).orElse(d.variation() * 100) / 100;
        Duration within = s.duration("within", Duration.ofSeconds(2), DAY).orElse(d.within());
        Health health = new Health(
                s.percent("failed", 0, 100).orElse(d.health().failed() * 100) / 100,
                s.percent("served", 1, 100).orElse(d.health().served() * 100) / 100,
                s.percent("swing", 110, 9_999).orElse(d.health().swing() * 100) / 100);
        s.rejectOthers();
        if (within.compareTo(after) < 0 || within.compareTo(window.multipliedBy(2)) < 0) {
            s.problem("within", "is shorter than after or two windows, so it could never be steady in time");
            return Optional.of(d);
        }
        return Optional.of(new SteadyState(after, window, slope, variation, within, health));
    }

    private Optional<Cycles> cycles(Section drill, boolean gate) {
        if (!drill.has("cycles")) {
            return Optional.empty();
        }
        if (!gate) {
            drill.problem("cycles", "each of them " + FaultSchedule.NEEDS_STEADY + "; remove steady: off");
        }
        if (!(drill.node("cycles").orElseThrow() instanceof MappingNode)) {
            return drill.count("cycles", 1, Cycles.MOST).stream()
                    .mapToObj(faults -> Cycles.of((int) faults))
                    .findFirst();
        }
        Section s = drill.section("cycles").orElseThrow();
        s.require("count", "a whole number, 1 to " + Cycles.MOST);
        int faults = (int) s.count("count", 1, Cycles.MOST).orElse(1);
        OptionalLong nulls = s.count("nulls", 0, Cycles.MOST);
        Duration pause = s.duration("pause", Duration.ZERO, DAY).orElse(Cycles.DEFAULT_PAUSE);
        s.rejectOthers();
        return Optional.of(new Cycles(
                faults, nulls.isPresent() ? OptionalInt.of((int) nulls.getAsLong()) : OptionalInt.empty(), pause));
    }

    private Limits limits(Section drill) {
        Optional<Section> section = drill.section("limits");
        if (section.isEmpty()) {
            return Limits.NONE;
        }
        Section s = section.get();
        Map<Limit, Number> limits = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            limit.read(s).ifPresent(value -> limits.put(limit, value));
        }
        s.rejectOthers();
        return new Limits(limits);
    }

    /** Asked of a drill that is right in itself: limits that could never be judged are no limits. */
    private static void unjudged(
            Section drill, Limits limits, List<ScheduledFault> steps, Optional<SteadyState> steady, Duration cooldown) {
        drill.section("limits").ifPresent(section -> LimitRules.broken(limits, steps, steady, cooldown)
                .forEach((limit, why) -> section.problem(limit.key(), why)));
        steady.flatMap(gate -> LimitRules.shortBaseline(gate, steps))
                .ifPresent(why -> drill.section("steady").orElse(drill).problem("window", why));
    }

    private Slo slo(Section drill) {
        Optional<Section> section = drill.section("slo");
        if (section.isEmpty()) {
            return Slo.NONE;
        }
        Section s = section.get();
        Optional<Duration> p99 = s.duration("p99", Slo.LEAST, Slo.MOST);
        Optional<Duration> p50 = s.duration("p50", Slo.LEAST, Slo.MOST);
        s.rejectOthers();
        if (!s.has("p99") && !s.has("p50")) {
            s.missing("p99", "the latency that users accept: p99: 20ms, p50: 2ms, or one of them");
        }
        if (p99.isPresent() && p50.isPresent() && p50.get().compareTo(p99.get()) > 0) {
            s.problem("p50", "is above p99, so it could never be exceeded alone; expected no more than p99");
            return Slo.NONE;
        }
        return new Slo(p99, p50);
    }

    private List<ScheduledFault> steps(Section drill, boolean gate) {
        drill.require("steps", "a list of at least one step");
        Map<ScheduledFault, Section> steps = new LinkedHashMap<>();
        for (Section section : drill.sections("steps", "a list of at least one step", "the keys of a step")) {
            step(section, gate).ifPresent(s -> {
                if (steps.putIfAbsent(s, section) != null) {
                    section.problem("step", "\"" + s.name() + "\" is also the name of an earlier step");
                }
            });
        }
        // Between steps only when each is right in itself: a step left out would make others look wrong.
        boolean all = drill.node("steps").stream()
                .anyMatch(list ->
                        list instanceof SequenceNode each && each.getValue().size() == steps.size());
        if (all) {
            List<Section> sections = new ArrayList<>(steps.values());
            Rules.broken(List.copyOf(steps.keySet()))
                    .forEach(b -> sections.get(b.step()).problem(b.key(), b.text()));
        }
        return List.copyOf(steps.keySet());
    }

    private Optional<ScheduledFault> step(Section s, boolean gate) {
        Optional<Fault> fault = FaultParser.parse(s);
        Optional<String> given = s.text("step", "a name");
        String name = given.orElse(fault.map(Fault::name).orElse("step"));
        if (!Rules.validName(name)) {
            s.problem("step", "\"" + name + "\"; expected " + Rules.STEP_NAME);
            return Optional.empty();
        }
        Optional<NodeSelector> node = SelectorParser.parse(s);
        Optional<When> when = when(s);
        Optional<Repeat> repeat = repeat(s);
        boolean steady = s.flag("steady").orElse(false);
        if (steady && !gate) {
            s.problem("steady", "cannot be used with steady: off for the whole drill");
        }
        s.rejectOthers();
        if (fault.isEmpty() || node.isEmpty() || when.isEmpty() || repeat.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ScheduledFault(name, fault.get(), node.get(), when.get(), repeat.get(), steady));
    }

    private Optional<When> when(Section s) {
        boolean at = s.has("at");
        boolean after = s.has("after");
        Optional<Matcher> aimed =
                s.node("at").flatMap(YamlReader::text).map(AIM::matcher).filter(Matcher::matches);
        Optional<Duration> offset = aimed.isPresent() ? Optional.empty() : s.duration("at", Duration.ZERO, DAY);
        Optional<Duration> delay = s.duration("delay", Duration.ZERO, DAY);
        if (s.has("delay") && !after) {
            s.problem("delay", "belongs to after; with at, add it to the time");
        }
        if (at && after) {
            s.problem(
                    "after",
                    "cannot be combined with at; expected one of them: at: 20s, at: <node>.<phase>, or after:"
                            + " <step>.<phase>");
            return Optional.empty();
        }
        if (!at && !after) {
            s.missing("at", "expected one of them: at: 20s, at: <node>.<phase>, or after: <step>.<phase>");
            return Optional.empty();
        }
        if (aimed.isPresent()) {
            return aimed(s, aimed.get());
        }
        if (at) {
            return offset.map(When.At::new);
        }
        return s.text("after", "<step> or <step>.<phase>").flatMap(t -> after(s, t, delay.orElse(Duration.ZERO)));
    }

    private Optional<When> after(Section s, String text, Duration delay) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            return Optional.of(new When.After(text, Optional.empty(), delay));
        }
        return phase(s, "after", text, text.substring(dot + 1))
                .map(phase -> new When.After(text.substring(0, dot), Optional.of(phase), delay));
    }

    /** {@code node1.local-recovery + 0.5s}. */
    private static Optional<When> aimed(Section s, Matcher at) {
        s.text("at", AT);
        Optional<Phase> phase = phase(s, "at", at.group(), at.group(2));
        try {
            Duration delay = at.group(3) == null ? Duration.ZERO : Durations.parse(at.group(3), Duration.ZERO, DAY);
            return phase.map(p -> new When.InPhase(at.group(1), p, delay));
        } catch (IllegalArgumentException e) {
            s.problem("at", "\"" + at.group() + "\": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Phase> phase(Section s, String key, String text, String label) {
        Optional<Phase> phase = Phase.labelled(label).filter(p -> p != Phase.STEADY);
        if (phase.isEmpty()) {
            List<String> labels = Arrays.stream(Phase.values())
                    .filter(p -> p != Phase.STEADY)
                    .map(Phase::label)
                    .toList();
            s.problem(key, "\"" + text + "\": unknown phase \"" + label + "\"" + NearestName.hintOf(label, labels));
        }
        return phase;
    }

    private Optional<Repeat> repeat(Section s) {
        Optional<Duration> every = s.duration("every", Duration.ZERO, DAY);
        boolean all = s.text("count", "a whole number or all")
                .filter(t -> t.equals("all"))
                .isPresent();
        OptionalLong count = all ? OptionalLong.empty() : s.count("count", 1, Repeat.MOST);
        if (!s.has("every") && !s.has("count")) {
            return Optional.of(Repeat.ONCE);
        }
        if (!s.has("every") || !s.has("count")) {
            String absent = s.has("every") ? "count" : "every";
            s.missing(absent, "every and count belong together: every: 30s, count: 3 (or all)");
            return Optional.empty();
        }
        if (every.isEmpty() || !all && count.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new Repeat(every.get(), all ? OptionalInt.empty() : OptionalInt.of((int) count.getAsLong())));
    }
}
