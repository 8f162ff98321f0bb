package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.ClusterLock;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Zones;
import io.ycsbdrill.fault.node.os.Cores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "up", sortOptions = false, description = "Starts a cluster that stays until \"cluster down\".")
final class ClusterUp extends ContextCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            completionCandidates = BindingNames.Local.class,
            description = "Engine to start (default: ${DEFAULT-VALUE}), or the file of one: ./mine.yaml.")
    private String engine;

    @Spec
    private CommandSpec spec;

    private ClusterUp(CommandContext world) {
        super(world);
    }

    /** The command with the options of all engines. */
    static CommandLine commandLine(CommandContext world) {
        CommandLine up = new CommandLine(new ClusterUp(world));
        up.setDefaultValueProvider(argument -> argument.isPositional()
                ? world.startedOnDemand().stream().findFirst().map(Engine::name).orElse(null)
                : null);
        Map<String, Map<String, List<String>>> meanings = new LinkedHashMap<>();
        Set<String> switches = new HashSet<>();
        for (LocalEngine engine : world.localEngines()) {
            for (LocalEngine.Option option : engine.allOptions()) {
                if (option.isSwitch()) {
                    switches.add(option.name());
                }
                meanings.computeIfAbsent(option.name(), o -> new LinkedHashMap<>())
                        .computeIfAbsent(meaning(option), m -> new ArrayList<>())
                        .add(engine.name());
            }
        }
        meanings.forEach(
                (name, byEngine) -> up.getCommandSpec().addOption(option(name, switches.contains(name), byEngine)));
        return up;
    }

    private static String meaning(LocalEngine.Option option) {
        boolean hasDefault = !option.isSwitch() && !option.defaultValue().isEmpty();
        return option.meaning() + (hasDefault ? " (default: " + option.defaultValue() + ")" : "");
    }

    private static OptionSpec option(String name, boolean isSwitch, Map<String, List<String>> enginesByMeaning) {
        String description = enginesByMeaning.entrySet().stream()
                .map(meaning -> String.join(", ", meaning.getValue()) + ": " + meaning.getKey())
                .collect(Collectors.joining("; "));
        OptionSpec.Builder option = OptionSpec.builder("--" + name)
                .description(description.replace("%", "%%")); // or they would be picocli's format codes
        return isSwitch
                ? option.type(Boolean.class).arity("0").build()
                : option.type(String.class).paramLabel("VALUE").build();
    }

    @Override
    public Integer call() {
        if (engine == null) {
            throw new ConfigException("no engine given: ycsb cluster up ENGINE");
        }
        LocalEngine chosen = new ClusterFinder(world).engine(engine);
        engine = chosen.name();
        Map<String, String> options = given(chosen);
        Optional<String> cores = Optional.ofNullable(options.remove("cores"));
        Optional<List<String>> zones = zones(options.remove("zones"));
        check(chosen, options);
        Path directory = world.clusters().directory(engine);
        requireUsable(directory);
        return ClusterLock.during(directory, () -> up(chosen, directory, options, cores, zones));
    }

    private Optional<List<String>> zones(String list) {
        return ConfigException.from(subject(), () -> Optional.ofNullable(list).map(Zones::parse));
    }

    private static List<NodeInfo> withSpares(LocalCluster cluster) {
        return Stream.concat(
                        cluster.nodes().stream(),
                        cluster.capability(Expandable.class).map(Expandable::spares).orElse(List.of()).stream())
                .toList();
    }

    private int up(
            LocalEngine chosen,
            Path directory,
            Map<String, String> options,
            Optional<String> cores,
            Optional<List<String>> zones) {
        requireFresh(directory);
        cores.ifPresent(ClusterUp::keepToCores);
        try (Stop stop = Stop.install()) {
            try (LocalCluster cluster = start(chosen, directory, options)) {
                stop.noMore();
                zones.ifPresent(names -> Zones.write(cluster.descriptor().directory(), withSpares(cluster), names));
                world.clusters().write(cluster.descriptor());
                world.say(engine + " " + cluster.engineVersion() + " is up with "
                        + Counted.of(cluster.nodes().size(), "node") + "; its files are in " + directory);
                world.say("use it: ycsb run " + binding(chosen, cluster)
                        + " -P workloads/workloadb    stop it: ycsb cluster down " + engine);
                return CommandLine.ExitCode.OK;
            } catch (NodeControlException e) {
                if (!stop.requested()) {
                    throw e;
                }
                // Said here: when the stop is closed the process is gone.
                world.say("error: interrupted before the cluster was up: " + e.getMessage());
                return CommandLine.ExitCode.SOFTWARE;
            }
        }
    }

    /** The engine's preferred binding among those that reach the cluster, and that go through its proxies if it has some. */
    private static String binding(LocalEngine chosen, LocalCluster cluster) {
        return chosen.bindings().stream()
                .filter(cluster.descriptor().bindings()::containsKey)
                .filter(name -> cluster.proxies().isEmpty()
                        || BindingNames.addresses(name).isPresent())
                .findFirst()
                .orElse(chosen.bindings().get(0));
    }

    private void check(LocalEngine chosen, Map<String, String> options) {
        ConfigException.from(subject(), () -> {
            chosen.check(options);
            return chosen;
        });
    }

    private LocalCluster start(LocalEngine chosen, Path directory, Map<String, String> options) {
        return ConfigException.from(
                subject(), () -> chosen.up(directory, options, Lifetime.DETACHED, line -> world.say("  " + line)));
    }

    private String subject() {
        return "cluster up " + engine + ": ";
    }

    private static void keepToCores(String count) {
        if (!count.matches("[1-9]\\d{0,4}")) {
            throw new ConfigException("--cores " + count + ": expected a number from 1 to " + Cores.count());
        }
        ConfigException.from("", () -> {
            Cores.keepTo(Integer.parseInt(count));
            return null;
        });
    }

    private Map<String, String> given(LocalEngine chosen) {
        List<String> known =
                chosen.allOptions().stream().map(LocalEngine.Option::name).toList();
        Map<String, String> given = new HashMap<>();
        Problems problems = new Problems();
        for (OptionSpec option : spec.options()) {
            String name = option.longestName().replaceFirst("^--", "");
            boolean typed = spec.commandLine().getParseResult().hasMatchedOption(option);
            if (typed && !known.contains(name)) {
                problems.add("cluster up " + engine + " has no option --" + name + "; it has "
                        + (known.isEmpty() ? "none" : "--" + String.join(", --", known)));
            } else if (typed) {
                Object value = option.getValue();
                given.put(name, value.toString());
            }
        }
        problems.throwIfAny(ConfigException::new);
        return given;
    }

    private void requireFresh(Path directory) {
        Optional<ClusterDescriptor> other = world.clusters().find(engine);
        if (other.isPresent()) {
            throw new ConfigException("a cluster of engine " + engine + " is up already, or was not taken down, in "
                    + other.get().directory() + "; look at it: ycsb cluster status, remove it: ycsb cluster down "
                    + engine);
        }
        if (ClusterDown.hasFiles(directory)) {
            throw new ConfigException("state directory " + directory + " is left over from an interrupted start;"
                    + " end it and remove its files: ycsb cluster down " + engine);
        }
    }

    /** Before a cluster is started that could not be recorded, and so not be found again. */
    private static void requireUsable(Path directory) {
        Path there = directory;
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            throw new ConfigException("state directory " + directory + " cannot be made: " + there
                    + " is not a writable directory; set YCSB_DRILL_STATE to a writable directory");
        }
    }
}
