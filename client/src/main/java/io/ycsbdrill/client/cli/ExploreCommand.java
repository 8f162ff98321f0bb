package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cli.start.ShippedDrills;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.AccessFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.client.explore.ExploreFiles;
import io.ycsbdrill.client.explore.Explored;
import io.ycsbdrill.client.explore.Explorer;
import io.ycsbdrill.client.explore.TroubleFinder;
import io.ycsbdrill.client.run.BuildInfo;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.session.Loading;
import io.ycsbdrill.client.session.PropertyReader;
import io.ycsbdrill.fault.explore.Drawer;
import io.ycsbdrill.fault.explore.Facts;
import io.ycsbdrill.fault.explore.Head;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "explore",
        sortOptions = false,
        description =
                "Runs random drills one after the other on one cluster, each audited, until one shows what must not"
                        + " be; that one is then made as small as possible. See docs/explore.md.",
        footer = {
            "",
            "Example:     ycsb explore native -P workloads/workloadb --for 30m --seed 7",
            "Exit codes:  0 nothing found, 1 nothing could be judged, 2 usage, 3 found"
        })
final class ExploreCommand extends ContextCommand {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    @Mixin
    private BindingOptions binding;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "30m",
            description = "Begin no new drill after this time; making one smaller may take as long again (default:"
                    + " ${DEFAULT-VALUE}).")
    private String length;

    @Option(
            names = "--spare",
            paramLabel = "N",
            description = "The most nodes with a fault at the same time (default: as many as leave a majority, at least"
                    + " one; one where nodes are in groups).")
    private String spare;

    @Option(
            names = "-D",
            paramLabel = "DRILL",
            completionCandidates = ShippedDrills.Names.class,
            description = "Take load, steady state, limits and all else but steps and cycles from this drill.")
    private String drill;

    @Mixin
    private RunOptions options;

    @Spec
    private CommandSpec spec;

    ExploreCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        Problems problems = new Problems();
        Duration time = time(problems);
        // What is wrong with it is said with all else that is wrong with a run.
        long seed = PropertyReader.option(
                "--seed",
                options.seed().orElse(null),
                ThreadLocalRandom.current().nextLong(1L << 53),
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                new Problems());
        Map<String, String> head = drill == null ? Head.STANDARD : head(new ShippedDrills(world).read(drill));
        session().drill(sample(head), false).problems(Mode.RUN).forEach(problems::add);
        Path out = options.out()
                .map(world.workingDirectory()::resolve)
                .orElseGet(() -> ResultsFolder.fresh(world, "explore"));
        OutDirectory.occupied(out).ifPresent(problems::add);
        Properties properties = binding.properties(world, new Problems());
        AccessFinder finder = new AccessFinder(world);
        problems.throwIfAny(ConfigException::new);
        try (Stop stop = Stop.install();
                Access access = finder.find(binding.binding(), binding.engine(), properties)) {
            try {
                Drawer drawer = new Drawer(seed, facts(access), head);
                ExploreFiles files = new ExploreFiles(out, json(seed, access));
                world.say("explore: seed " + seed + ", results in " + out);
                int code = new Explorer(
                                (file, directory) -> run(file, directory, access, stop),
                                drawer,
                                files,
                                NanoClock.SYSTEM,
                                stop::requested,
                                world::say)
                        .execute(time);
                world.say("report: " + out.resolve("explore.html"));
                return code;
            } finally {
                stop.noMore();
            }
        }
    }

    private Duration time(Problems problems) {
        try {
            return Durations.parse(length, SHORTEST, LONGEST);
        } catch (IllegalArgumentException e) {
            problems.add("--for: " + e.getMessage());
            return SHORTEST;
        }
    }

    private static Map<String, String> head(DrillFile file) {
        return ConfigException.from("-D " + file.file() + ": ", () -> Head.of(file));
    }

    private static DrillFile sample(Map<String, String> head) {
        try {
            return Head.sample(head);
        } catch (DrillFileException e) {
            throw new ConfigException(e.problems());
        }
    }

    private RunSession session() {
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        return new RunSession(world.quiet(false), binding, options.audited(), typed).brief(true);
    }

    private Facts facts(Access access) {
        NodeController nodes = access.cluster()
                .map(ControlledCluster::nodes)
                .orElseThrow(() -> new ConfigException(
                        "explore needs a cluster whose nodes it can control: one started by ycsb cluster up or for"
                                + " this command, or one whose hosts are in an inventory (--on)"));
        Problems problems = new Problems();
        int most = nodes.nodes().size();
        int wanted = (int) PropertyReader.option("--spare", spare, Facts.spare(nodes), 1, most, problems);
        problems.throwIfAny(ConfigException::new);
        Facts facts = facts(nodes, wanted);
        world.say("explore: faults "
                + facts.kinds().stream().map(kind -> kind.name()).collect(Collectors.joining(", ")) + " on " + most
                + " nodes, at most " + wanted + " of them in trouble at the same time");
        return facts;
    }

    private static Facts facts(NodeController nodes, int spare) {
        return ConfigException.from("explore: ", () -> Facts.of(nodes, spare));
    }

    private ObjectNode json(long seed, Access access) {
        NodeController nodes = access.cluster().orElseThrow().nodes();
        BuildInfo build = BuildInfo.current();
        String typed = spec.root().commandLine().getParseResult().originalArgs().stream()
                .map(Secrets::inArgument)
                .collect(Collectors.joining(" "));
        return JsonNodeFactory.instance
                .objectNode()
                .put("seed", seed)
                .put("tool", "ycsb-drill " + build.version() + " (" + build.commit() + ")")
                .put("engine", nodes.engine() + " " + nodes.engineVersion())
                .put("command", Stream.of("ycsb", typed).collect(Collectors.joining(" ")));
    }

    private Explored run(DrillFile file, Path directory, Access access, Stop stop) {
        RunSession session = session().drill(file, false).within(access, stop, directory);
        try {
            session.execute(Mode.RUN, Loading.WHEN_EMPTY);
        } catch (ConfigException | NodeControlException e) {
            return TroubleFinder.refused(directory, e);
        }
        return TroubleFinder.of(directory, session.summary(), access);
    }
}
