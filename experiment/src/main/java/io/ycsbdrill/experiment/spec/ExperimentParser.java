package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.stat.TwoStageRatio;
import io.ycsbdrill.rundir.Latency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Turns the document of an experiment's file into an experiment, collecting everything that is wrong with it. */
record ExperimentParser(String file, Vocabulary vocabulary, LineProblems problems) {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Pattern LENGTH = Pattern.compile("--duration[ =](\\S+)|\\bmaxexecutiontime=(\\d{1,9})\\b");
    private static final int MOST_REPEATS = 1000;
    private static final int REPEATS_UNTIL = 30;
    private static final double LEAST_WIDTH = 0.1;
    private static final double MOST_WIDTH = 100;
    private static final long MOST_ROWS_MB = 1_000_000_000;
    static final String FIGURE = "a column of cells.csv: throughput_ops_s, READ_service_p99_us, drill_outSeconds";
    static final String COLUMN =
            "throughput_ops_s|ok_share|run_s|service_mean_us|aborts_op|inconsistent|(client|server|all)_cpu_us_op|server_sent_bytes_op|node_\\w+_(cpu_s|memory_mb|received_mb|sent_mb)|device_read_mb|copies_equal_s|acked_lost_ops|rpo_s|wire_(sent|received)_(bytes_op|mb_s)|[A-Z_-]+_(service|response)_("
                    + Latency.OF_EXPERIMENTS.stream().map(Latency::label).collect(Collectors.joining("|"))
                    + ")_us|drill_\\w+";

    Optional<Experiment> parse(Node root) {
        return Section.of(root, "the keys of an experiment: axes, fixed, repeats, ...", problems)
                .flatMap(this::parse);
    }

    private Optional<Experiment> parse(Section all) {
        String name = all.text("name", "a name").orElse(defaultName());
        if (!name.matches("[\\w][\\w .,:=+-]{0,79}")) {
            all.problem("name", "\"" + name + "\"; expected at most 80 letters, digits, blanks and . , : = + - _");
        }
        Command command =
                all.choice("command", List.of(Command.values()), Command::word).orElse(Command.RUN);
        Optional<ClusterSpec> cluster = cluster(all);
        Optional<String> loader = all.text("load", "a binding: native");
        if (loader.isPresent() && cluster.isEmpty()) {
            all.problem("load", "\"" + loader.get() + "\": without a cluster each cell loads its table itself");
        }
        SettingParser settings = new SettingParser(vocabulary, command, cluster.map(ClusterSpec::engine), problems);
        List<Setting> fixed =
                all.node("fixed").map(n -> settings.map("fixed", n)).orElse(List.of());
        List<Axis> axes = new AxisParser(settings, problems).axes(all);
        boolean shareCluster = all.flag("share_cluster").orElse(false);
        boolean renewAfterDrill = all.flag("renew_after_drill").orElse(true);
        OptionalDouble width = all.percent("until", LEAST_WIDTH, MOST_WIDTH);
        Optional<Double> until = width.isPresent() ? Optional.of(width.getAsDouble() / 100) : Optional.empty();
        int repeats = (int) all.count("repeats", 1, MOST_REPEATS).orElse(until.isPresent() ? REPEATS_UNTIL : 1);
        Optional<Order> asked = all.choice("order", List.of(Order.values()), Order::word);
        OptionalLong seed = all.count("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        Duration settle = all.duration("settle", Duration.ZERO, DAY).orElse(Duration.ZERO);
        Duration timeout = all.duration("timeout", Duration.ofSeconds(1), DAY).orElseGet(() -> enough(fixed, axes));
        Optional<Duration> estimate = all.duration("estimate", Duration.ofSeconds(1), DAY);
        Success success = success(all, command);
        Optional<String> ascend = all.text("ascend", "the name of an axis");
        Order order = asked.orElse(ascend.isPresent() ? Order.INTERLEAVED : Order.RANDOM);
        Optional<String> gain = all.text("gain", "the name of an axis");
        List<Chart> charts = charts(all, axes);
        List<Claim> claims = new ClaimParser(axes, problems).claims(all);
        all.rejectOthers();
        ascend.ifPresent(axis -> axisNamed(all, "ascend", axis, axes));
        gain.ifPresent(axis -> axisNamed(all, "gain", axis, axes));
        if (ascend.isPresent() && order != Order.INTERLEAVED) {
            all.problem(
                    "order", "\"" + order.word() + "\" cannot be combined with ascend, which has an order of its own");
        }
        if (until.isPresent() && repeats < TwoStageRatio.PILOT) {
            all.problem("until", "needs repeats of " + TwoStageRatio.PILOT + " or more: " + file + " has " + repeats);
        }
        if (until.isPresent() && (order == Order.SEQUENTIAL || ascend.isPresent())) {
            all.problem(
                    "until",
                    "cannot be combined with " + (ascend.isPresent() ? "ascend" : "order: sequential")
                            + ": it looks at whole repeats of all variants, one after the other");
        }
        if (problems.any()) {
            return Optional.empty();
        }
        Experiment experiment = new Experiment(
                name,
                command,
                axes,
                fixed,
                cluster,
                loader,
                shareCluster,
                renewAfterDrill,
                repeats,
                until,
                order,
                seed,
                settle,
                timeout,
                estimate,
                success,
                ascend,
                gain,
                charts,
                claims);
        checkTogether(all, experiment);
        return problems.any() ? Optional.empty() : Optional.of(experiment);
    }

    private String defaultName() {
        return Path.of(file).getFileName().toString().replaceFirst("\\.ya?ml$", "");
    }

    /** An hour, or twice the greatest length that settings and whole commands name. */
    private static Duration enough(List<Setting> fixed, List<Axis> axes) {
        List<String> words = new ArrayList<>();
        fixed.forEach(setting -> words.addAll(setting.words()));
        axes.stream().flatMap(axis -> axis.levels().stream()).forEach(level -> {
            level.settings().forEach(setting -> words.addAll(setting.words()));
            words.addAll(level.command());
        });
        return LENGTH.matcher(String.join(" ", words))
                .results()
                .map(named -> length(named).multipliedBy(2))
                .reduce(HOUR, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }

    private static Duration length(MatchResult named) {
        try {
            return named.group(1) != null
                    ? Durations.parse(named.group(1))
                    : Duration.ofSeconds(Long.parseLong(named.group(2)));
        } catch (IllegalArgumentException e) {
            return Duration.ZERO; // reported when the commands are checked
        }
    }

    private Optional<ClusterSpec> cluster(Section all) {
        Optional<Section> section = all.section("cluster");
        if (section.isEmpty()) {
            return Optional.empty();
        }
        Section s = section.get();
        List<String> engines =
                vocabulary.clusterOptions().keySet().stream().sorted().toList();
        s.require("engine", "one of " + String.join(", ", engines));
        Optional<String> engine = s.word("engine", engines);
        if (engine.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> options = new HashMap<>();
        for (String option : vocabulary.clusterOptions().get(engine.get())) {
            s.text(option, "a value").ifPresent(value -> options.put(option, value));
        }
        s.rejectOthers();
        return Optional.of(new ClusterSpec(engine.get(), options));
    }

    private Success success(Section all, Command command) {
        Success standard = Success.standard(command);
        Optional<Section> section = all.section("success");
        if (section.isEmpty()) {
            return standard;
        }
        Section s = section.get();
        double share = s.percent("ok_share", 0, 100).orElse(standard.okShare() * 100) / 100;
        double held = s.percent("rate_held", 0, 100).orElse(standard.rateHeld() * 100) / 100;
        Duration measured = s.duration("measured", Duration.ZERO, DAY).orElse(standard.measured());
        long rows = s.count("rows_mb", 1, MOST_ROWS_MB).orElse(standard.leastRowsMb());
        s.rejectOthers();
        return new Success(share, held, measured, rows);
    }

    private List<Chart> charts(Section all, List<Axis> axes) {
        Optional<Node> node = all.node("charts");
        if (node.isEmpty()) {
            return List.of();
        }
        if (!(node.get() instanceof SequenceNode list)) {
            all.problem(
                    "charts", YamlReader.what(node.get()) + "; expected a list: [{x: threads, y: throughput_ops_s}]");
            return List.of();
        }
        List<Chart> charts = new ArrayList<>();
        for (Node item : list.getValue()) {
            String path = "charts[" + (charts.size() + 1) + "]";
            if (!(item instanceof MappingNode mapping)) {
                problems.add(
                        YamlReader.line(item), path + ": " + YamlReader.what(item) + "; expected the keys x and y");
                continue;
            }
            Section s = new Section(path, mapping, problems);
            s.require("x", "the name of an axis");
            s.require("y", FIGURE);
            Optional<String> x = s.text("x", "the name of an axis");
            Optional<String> y = s.text("y", FIGURE);
            Optional<String> by = s.text("by", "the name of an axis");
            s.rejectOthers();
            x.ifPresent(axis -> axisNamed(s, "x", axis, axes));
            by.ifPresent(axis -> axisNamed(s, "by", axis, axes));
            y.filter(figure -> !figure.matches(COLUMN))
                    .ifPresent(figure -> s.problem("y", "\"" + figure + "\"; expected " + FIGURE));
            charts.add(new Chart(x.orElse(""), y.orElse(""), by));
        }
        return charts;
    }

    private static void axisNamed(Section s, String key, String name, List<Axis> axes) {
        List<String> names = axes.stream().map(Axis::name).toList();
        if (!names.contains(name)) {
            s.problem(key, "\"" + name + "\" is not an axis" + NearestName.hintOf(name, names));
        }
    }

    /** What only the whole shows. */
    private void checkTogether(Section all, Experiment experiment) {
        long cells = Math.multiplyExact(experiment.size() + 1, (long) experiment.repeats());
        if (cells > Experiment.MOST_CELLS) {
            all.problem("axes", cells + " cells; at most " + Experiment.MOST_CELLS + " are allowed");
            return;
        }
        boolean whole = experiment.axes().stream()
                .flatMap(axis -> axis.levels().stream())
                .anyMatch(level -> !level.command().isEmpty());
        if (whole && experiment.axes().size() > 1) {
            all.problem(
                    "axes", "an axis with whole commands must be the only one, as other axes would not change them");
        }
        if (experiment.shareCluster()
                && (whole
                        || experiment.variants().stream()
                                .flatMap(variant -> variant.settings().stream())
                                .anyMatch(setting -> setting.sets().equals(Vocabulary.PROPERTY_PREFIX + "table")))) {
            all.problem(
                    "share_cluster", "needs cells whose tables it can name: no whole commands, and no setting table");
        }
        if (experiment.shareCluster() && experiment.cluster().isEmpty()) {
            all.problem(
                    "share_cluster",
                    "needs a cluster of the experiment, which its cells can share: cluster: {engine: embedded}");
        }
        if (experiment.shareCluster()
                && (experiment.order() != Order.INTERLEAVED || experiment.repeats() > 1)
                && experiment.variants().stream()
                                .map(Variant::cluster)
                                .distinct()
                                .count()
                        > 1) {
            all.problem(
                    "share_cluster",
                    "needs one cluster for all cells, or order: interleaved and repeats: 1, with which those on the same one follow"
                            + " each other and nothing is compared over repeats: an axis changes its options");
        }
        Map<String, String> owners = new HashMap<>();
        Map<String, String> fixed = new HashMap<>();
        experiment.fixed().forEach(setting -> fixed.put(setting.sets(), setting.key()));
        for (Axis axis : experiment.axes()) {
            Map<String, String> keys = new HashMap<>();
            for (Level level : axis.levels()) {
                level.settings().forEach(setting -> keys.put(setting.sets(), setting.key()));
            }
            keys.forEach((what, key) -> {
                String other = owners.putIfAbsent(what, axis.name());
                if (other != null) {
                    all.problem("axes", key + " is set by two axes, " + other + " and " + axis.name());
                }
                String typed = fixed.get(what);
                if (axis.name().equals(key) && typed != null) {
                    all.problem(
                            "fixed",
                            typed + (typed.equals(key) ? " is an axis, too" : " is what the axis " + key + " sets, too")
                                    + "; give it once");
                }
            });
        }
        for (Variant variant : experiment.variants()) {
            if (!variant.isCommand()
                    && variant.settings().stream().noneMatch(s -> s.kind() == Setting.Kind.BINDING)
                    && variant.settings().stream().noneMatch(s -> s.typed().equals("-db"))) {
                all.missing("fixed.binding", "the binding of all cells, or make it an axis");
                return;
            }
        }
    }
}
