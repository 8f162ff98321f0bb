package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.ExperimentOptions;
import io.ycsbdrill.client.cli.option.PaceOptions;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cluster.AccessFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.pace.Calibration;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "sweep",
        sortOptions = false,
        description = "Raises the load level by level until the database no longer keeps up, several times, and"
                + " shows the knee.",
        footer = {
            "",
            "Example:     ycsb sweep native -P workloads/workloadc --axis threads=1,2,4,8,16%nIt is an experiment whose first axis ascends; see docs/experiments.md.",
            "Exit codes:  0 all levels were tried, 1 none counts, or it was interrupted%n             (continue: --resume), 2 usage"
        })
final class SweepCommand extends ContextCommand {
    /** Options of the sweep itself; every other one is given to its runs. */
    private static final Set<String> OWN =
            Set.of("--axis", "--repeats", "--settle", "--cluster", "--out", "--resume", "--dry-run", "--json");

    private static final String THREADS_FOR_RATES = "32";
    private static final Duration LENGTH = Duration.ofSeconds(15);

    @Mixin
    private BindingOptions binding;

    @Option(
            names = "--axis",
            paramLabel = "NAME=V1,V2,...",
            description =
                    "An option (threads, clients, rate, ...) or property and its values. The first axis ascends; there is one ascent for each value of further ones.")
    private List<String> axes = new ArrayList<>();

    @Option(
            names = "--repeats",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs for each level; with 5, medians have an interval (default: ${DEFAULT-VALUE}).")
    private String repeats;

    @Option(
            names = "--settle",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Pause before each run (default: ${DEFAULT-VALUE}).")
    private String settle;

    @Option(
            names = "--cluster",
            paramLabel = "ENGINE",
            description = "Start a cluster of this engine for the sweep (default: only where a run would start one).")
    private String cluster;

    @Mixin
    private ExperimentOptions experiment;

    @Mixin
    private RunOptions options;

    @Spec
    private CommandSpec spec;

    SweepCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        // A class that is not on the class path would be a binding that is not there.
        return experiment
                .resumed(world, new Problems(), Set.of("-cp"))
                .map(directory -> ExperimentSession.resumed(world, directory))
                .orElseGet(
                        () -> ExperimentSession.begun(world, "sweep", "sweep", text(), Optional.empty(), options.out()))
                .execute(experiment.dryRun(), options.json(), () -> 0);
    }

    /** The sweep as the text of an experiment's file. */
    private String text() {
        Problems problems = new Problems();
        Map<String, List<String>> levels = levels(problems);
        Properties properties = binding.properties(world, problems);
        new AccessFinder(world).check(binding.binding(), binding.engine(), properties, problems);
        problems.throwIfAny(ConfigException::new);

        Map<String, Object> all = new LinkedHashMap<>();
        String first = levels.keySet().iterator().next();
        String title = binding.binding().orElse("db") + " "
                + binding.workloadName().orElse("workload") + " by " + String.join(" and ", levels.keySet());
        all.put("name", title.substring(0, Math.min(80, title.length())).replaceAll("[^\\w .,:=+-]", "-"));
        all.put("axes", levels);
        all.put("ascend", first);
        all.put("repeats", repeats);
        all.put("settle", settle);
        Optional<String> engine = Optional.ofNullable(cluster)
                .or(() -> new AccessFinder(world).wouldStart(binding.binding(), binding.engine(), properties));
        engine.ifPresent(name -> all.put("cluster", Map.of("engine", name)));
        all.put("fixed", fixed(first, levels, properties));
        DumperOptions style = new DumperOptions();
        style.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        style.setWidth(120);
        return new Yaml(style).dump(all);
    }

    private Map<String, Object> fixed(String ascending, Map<String, List<String>> levels, Properties properties) {
        Map<String, Object> fixed = new LinkedHashMap<>();
        binding.binding().ifPresent(name -> fixed.put("binding", name));
        // Before the options: what is set twice has the last value, and options win over properties.
        binding.assigned(new Problems()).forEach((key, value) -> fixed.put("property." + key, value));
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (option.names().length > 0 && OWN.contains(option.longestName())) {
                continue;
            }
            List<String> values = option.originalStringValues();
            if (option.longestName().equals("-P")) {
                fixed.put("workload", values);
            } else if (!option.longestName().equals("-p")) {
                fixed.put(
                        ExperimentWords.name(option),
                        option.arity().max() == 0 ? "true" : values.get(values.size() - 1));
            }
        }
        Set<String> given = new HashSet<>(fixed.keySet());
        given.addAll(levels.keySet());
        if (!isSet(given, "duration", "operationcount", "maxexecutiontime")) {
            fixed.put("duration", Durations.print(LENGTH.plus(calibration(fixed, levels, properties))));
            if (!isSet(given, "warmup")) {
                fixed.put("warmup", "5s");
            }
        }
        boolean rated = ascending.equals("rate") || ascending.equals("target");
        if (rated && !isSet(given, "threads", "threadcount")) {
            fixed.put("threads", THREADS_FOR_RATES);
            world.say("a rate needs threads enough: " + THREADS_FOR_RATES + " (another number: -threads N)");
        }
        return fixed;
    }

    /** Whether one of these settings is given, under its name or as a property. */
    private static boolean isSet(Set<String> given, String... names) {
        return Stream.of(names).anyMatch(name -> given.contains(name) || given.contains("property." + name));
    }

    /** What a share of the maximum begins with: a part of the duration, but not of what is measured. */
    private static Duration calibration(
            Map<String, Object> fixed, Map<String, List<String>> levels, Properties properties) {
        boolean share = Stream.concat(
                        Stream.of(String.valueOf(fixed.get("rate"))), levels.getOrDefault("rate", List.of()).stream())
                .anyMatch(rate -> rate.strip().endsWith("%"));
        return share ? PaceOptions.calibration(properties, new Problems()).orElse(Calibration.STANDARD) : Duration.ZERO;
    }

    private Map<String, List<String>> levels(Problems problems) {
        Map<String, List<String>> levels = new LinkedHashMap<>();
        if (axes.isEmpty()) {
            problems.add("no axis given: --axis NAME=V1,V2,..., for example --axis threads=1,2,4,8");
        }
        for (String axis : axes) {
            String name = axis.replaceFirst("=.*", "").strip();
            List<String> values = List.of(axis.replaceFirst("[^=]*=?", "").split(",", -1));
            if (!axis.contains("=") || name.isEmpty() || values.stream().anyMatch(String::isBlank)) {
                problems.add("--axis \"" + axis + "\" is not NAME=V1,V2,..., for example threads=1,2,4,8");
            } else if (levels.containsKey(name)) {
                problems.add("--axis " + name + " is given twice");
            } else {
                levels.put(name, levels.isEmpty() ? ascending(name, values, problems) : values);
            }
        }
        return levels;
    }

    private static List<String> ascending(String name, List<String> values, Problems problems) {
        try {
            return values.stream()
                    .map(String::strip)
                    .sorted(Comparator.comparing(BigDecimal::new))
                    .toList();
        } catch (NumberFormatException e) {
            problems.add("--axis " + name + "=" + String.join(",", values)
                    + ": the first axis ascends, so its values must be numbers; give it as a further axis, or write an"
                    + " experiment's file");
            return values;
        }
    }
}
