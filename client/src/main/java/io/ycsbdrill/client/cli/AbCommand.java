package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.ExperimentOptions;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.AccessFinder;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.WorkloadFiles;
import io.ycsbdrill.report.experiment.ExperimentData;
import io.ycsbdrill.report.experiment.ExperimentPairs;
import io.ycsbdrill.report.experiment.PairedComparison;
import io.ycsbdrill.report.experiment.PairedGate;
import io.ycsbdrill.report.stat.PairedRatio;
import io.ycsbdrill.report.stat.TwoStageRatio;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "ab",
        sortOptions = false,
        description = {
            "Compares A with B in pairs of runs, and says by which figures B is better, worse or not distinguishable.",
            "A and B are settings (threads=8,backups=2), property files, drill files (.yaml), bindings, or whole commands in"
                    + " quotes; see docs/experiments.md."
        },
        footer = {
            "",
            "Exit codes:  0 compared, and B is not worse than A by more than --max-worse%n             1 that cannot be said%n             2 usage",
            "             3 B is worse by more than that beyond chance, or a figure that A%n               reaches is never reached by B"
        })
final class AbCommand extends ContextCommand {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,4})?) ?%");
    private static final int MOST_PAIRS = 500;
    private static final int PAIRS = 5;
    private static final int PAIRS_UNTIL = 30;
    private static final Set<String> HEEDED_WITH_RESUME = Set.of("--max-worse", "--figures", "--markdown", "--junit");

    @Parameters(index = "0", arity = "0..1", paramLabel = "A", description = "What B is compared with.")
    private String a;

    @Parameters(index = "1", arity = "0..1", paramLabel = "B", description = "What is compared.")
    private String b;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description =
                    "Number of pairs (default: 5); each is A, B and A again, in random order. With --until the most"
                            + " pairs (default: 30).")
    private Optional<Integer> pairs = Optional.empty();

    @Option(
            names = "--until",
            paramLabel = "SHARE",
            description = "Stop when the 95 %% interval of the throughput ratio ends at most this far above it: 10%%.")
    private Optional<String> until = Optional.empty();

    @Option(names = "--binding", defaultValue = "native", description = "Binding of both (default: ${DEFAULT-VALUE}).")
    private String binding;

    @Option(names = "-P", paramLabel = "FILE", description = "Property file for both; that of A or B overrides it.")
    private List<String> files = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Setting for both sides: an option (threads=8), a property, or an option of the cluster.")
    private List<String> fixed = List.of();

    @Option(
            names = "--cluster",
            paramLabel = "ENGINE",
            description = "Start clusters of this engine for the runs (default: only where a run would start one).")
    private Optional<String> cluster = Optional.empty();

    @Option(
            names = "--settle",
            defaultValue = "0s",
            paramLabel = "TIME",
            description = "Mean pause before each run; each is drawn, 0.5 to 1.5 of it (default: ${DEFAULT-VALUE}).")
    private String settle;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the order of runs and of the pauses (default: a new one, recorded).")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--max-worse",
            paramLabel = "PERCENT",
            description = "Exit with 3 when a figure of B is worse than A's by more than this, beyond chance: 5%%.")
    private Optional<String> maxWorse = Optional.empty();

    @Option(
            names = "--figures",
            paramLabel = "NAME",
            description = "Judge --max-worse by this figure only, named as in the table: \"READ p99\"; repeatable.")
    private List<String> figures = List.of();

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the comparison for a pull request.")
    private Optional<Path> markdown = Optional.empty();

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Write a test case for each figure; needs --max-worse.")
    private Optional<Path> junit = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The directory, new or empty (default: results/TIME-NAME).")
    private Optional<Path> out = Optional.empty();

    @Mixin
    private ExperimentOptions options;

    @Mixin
    private JsonOption json;

    AbCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        Problems problems = new Problems();
        double bound = bound(problems);
        if (junit.isPresent() && maxWorse.isEmpty()) {
            problems.add("--junit needs --max-worse, by which its test cases pass or fail: --max-worse 5%");
        }
        if (!figures.isEmpty() && maxWorse.isEmpty()) {
            problems.add("--figures needs --max-worse, which it is to be judged by: --max-worse 5%");
        }
        figures.forEach(name -> PairedGate.problem(name).ifPresent(problems::add));
        ExperimentSession session = options.resumed(world, problems, HEEDED_WITH_RESUME)
                .map(directory -> ExperimentSession.resumed(world, directory))
                .orElseGet(() -> begun(problems));
        return session.execute(options.dryRun(), json.given(), () -> compared(session.root(), bound));
    }

    private double bound(Problems problems) {
        if (maxWorse.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        Matcher percent = PERCENT.matcher(maxWorse.get());
        if (percent.matches()) {
            return Double.parseDouble(percent.group(1)) / 100;
        }
        problems.add(
                "--max-worse \"" + maxWorse.get() + "\"; expected a share of A's figure in percent, 0% or more: 5%");
        return Double.NaN;
    }

    private ExperimentSession begun(Problems problems) {
        int most = pairs.orElse(until.isPresent() ? PAIRS_UNTIL : PAIRS);
        if (most < 1 || most > MOST_PAIRS) {
            problems.add("--pairs " + most + "; expected 1 to " + MOST_PAIRS + ", and at least 3 for an interval");
        }
        if (maxWorse.isPresent() && most < PairedRatio.LEAST) {
            problems.add("--max-worse cannot be judged with --pairs " + most + "; expected " + PairedRatio.LEAST
                    + " or more");
        }
        if (until.isPresent() && most < TwoStageRatio.PILOT) {
            problems.add("--until needs --pairs of " + TwoStageRatio.PILOT + " or more, and has " + most);
        }
        Optional<AbSide> first = side("A", a, problems);
        Optional<AbSide> second = side("B", b, problems);
        if (first.isPresent() && second.isPresent()) {
            checkTogether(first.get(), second.get(), problems);
        }
        problems.throwIfAny(ConfigException::new);
        String text = AbText.of(
                first.orElseThrow(),
                second.orElseThrow(),
                binding,
                files,
                fixed,
                cluster.or(() -> wouldStart(first.orElseThrow()).filter(engine -> wouldStart(second.orElseThrow())
                        .filter(engine::equals)
                        .isPresent())),
                most,
                seed.map(OptionalLong::of).orElseGet(OptionalLong::empty),
                settle);
        if (maxWorse.isPresent() && first.orElseThrow().drills()) {
            PairedGate.caution(most, figures).ifPresent(caution -> world.say("caution: " + caution));
        }
        return ExperimentSession.begun(world, "ab", "ab", text, until, out);
    }

    /** The engine of which each run of a side would start a cluster for itself: it is started for all runs instead. */
    private Optional<String> wouldStart(AbSide side) {
        if (side.kind() == AbSide.Kind.COMMAND) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        Problems unread = new Problems(); // reported later, when the commands are checked
        List<String> all = side.kind() == AbSide.Kind.PROPERTY_FILE ? AbText.with(files, side.text()) : files;
        all.forEach(file -> properties.putAll(WorkloadFiles.read(file, world, unread)));
        Map<String, Object> settings = new LinkedHashMap<>(AbText.settings(fixed));
        settings.putAll(side.settings(files));
        settings.forEach((key, value) -> properties.put(key.replaceFirst("^property\\.", ""), value.toString()));
        String name = settings.getOrDefault("binding", binding).toString();
        return unread.any() || !BindingNames.all().contains(name)
                ? Optional.empty()
                : new AccessFinder(world)
                        .wouldStart(
                                Optional.of(name),
                                Optional.ofNullable(settings.get("engine")).map(Object::toString),
                                properties);
    }

    private Optional<AbSide> side(String name, String text, Problems problems) {
        Optional<AbSide> side = Optional.ofNullable(text).flatMap(typed -> AbSide.of(typed, world));
        if (side.isEmpty()) {
            problems.add(
                    text == null
                            ? name + " is missing: ycsb ab A B; " + AbSide.expected()
                            : name + " \"" + text + "\" does not exist, or is not a run, workload or command; "
                                    + AbSide.expected());
        }
        return side;
    }

    private void checkTogether(AbSide first, AbSide second, Problems problems) {
        boolean command = first.kind() == AbSide.Kind.COMMAND;
        if (command != (second.kind() == AbSide.Kind.COMMAND)) {
            problems.add("only one of A and B is a whole command; write both as commands, or neither");
        } else if (first.drills() != second.drills()) {
            problems.add("only one of A and B is a drill; a drill cannot be compared with a run");
        }
        if (command && !(files.isEmpty() && fixed.isEmpty())) {
            problems.add("-P and --set do not change whole commands; write them into A and B");
        }
    }

    private int compared(Path directory, double bound) {
        try {
            PairedComparison comparison = ExperimentPairs.of(ExperimentData.read(directory))
                    .orElseThrow(() -> new ConfigException(
                            directory + " is an experiment, but not one of two variants that ab can compare"));
            if (markdown.isPresent()) {
                AtomicFile.write(world.workingDirectory().resolve(markdown.get()), comparison.markdown());
            }
            if (maxWorse.isEmpty()) {
                return 0;
            }
            PairedGate gate = PairedGate.of(comparison, bound, figures);
            if (junit.isPresent()) {
                comparison.writeJUnit(world.workingDirectory().resolve(junit.get()), "ab", gate);
            }
            gate.worse().forEach(why -> world.say("worse: " + why));
            gate.open().forEach(why -> world.say("cannot be said: " + why));
            if (gate.exitCode() == 1) {
                world.say("error: whether B is within --max-worse cannot be judged; " + directory + " has the runs");
            }
            return gate.exitCode();
        } catch (IOException e) {
            world.say("error: the comparison cannot be read or written: " + FileReason.of(e) + "; repeat it: ycsb ab"
                    + " --resume " + directory);
            return 1;
        }
    }
}
