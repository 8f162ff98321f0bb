package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.BuildInfo;
import io.ycsbdrill.experiment.run.Cell;
import io.ycsbdrill.experiment.run.CellCommands;
import io.ycsbdrill.experiment.run.ExpectedTime;
import io.ycsbdrill.experiment.run.ExperimentDirectory;
import io.ycsbdrill.experiment.run.ExperimentRunner;
import io.ycsbdrill.experiment.run.OwnCluster;
import io.ycsbdrill.experiment.run.PassedOn;
import io.ycsbdrill.experiment.run.Plan;
import io.ycsbdrill.experiment.run.PlanFile;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.ExperimentFile;
import io.ycsbdrill.experiment.spec.ExperimentFileException;
import io.ycsbdrill.report.experiment.ExperimentReport;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.report.stat.TwoStageRatio;
import io.ycsbdrill.report.suite.SuiteData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

/**
 * One experiment from its text to its exit code: check everything, run what is missing, make the pages. Whatever command makes the
 * experiment, its text is what is run and what is continued later. Used by one thread, once.
 */
final class ExperimentSession {
    private final CommandContext world;
    private final ExperimentFile file;
    private final Plan plan;
    private final String order;
    private final ExperimentDirectory directory;
    private final Path workingDirectory;
    private final Optional<String> kind;
    private final ExperimentTool tool;
    private final CellCommands commands;
    private List<String> cautions = List.of();
    private Optional<String> setting = Optional.empty();

    /**
     * @param begun the plan of what is continued, whose order is kept
     * @param kind what is begun; empty when it is continued
     */
    private ExperimentSession(
            CommandContext world,
            ExperimentFile file,
            long seed,
            Optional<PlanData> begun,
            Path directory,
            Path workingDirectory,
            Optional<String> kind) {
        this.world = world;
        this.file = file;
        this.directory = new ExperimentDirectory(directory);
        this.workingDirectory = workingDirectory;
        this.kind = kind;
        Plan drawn = Plan.of(file.experiment(), seed);
        plan = begun.map(PlanData::cells)
                .map(cells ->
                        drawn.inOrderOf(cells.stream().map(PlanData.Cell::id).toList()))
                .orElse(drawn);
        order = begun.map(PlanData::order).orElse(file.experiment().order().word());
        // Relative names in settings start where the experiment was begun.
        tool = new ExperimentTool(world.in(workingDirectory));
        commands = new CellCommands(file.experiment(), tool);
    }

    /**
     * A new one.
     *
     * @param kind what makes it: {@code experiment}, {@code sweep} or {@code ab}
     * @param name of the file, for messages
     * @param text as in a file
     * @param until in place of that of the text; empty for that
     * @param out its directory; empty for one of its own
     * @throws ConfigException with everything that is wrong in the text
     */
    static ExperimentSession begun(
            CommandContext world, String kind, String name, String text, Optional<String> until, Optional<Path> out) {
        ExperimentFile file = parse(world, name, text, until);
        Path directory = OutDirectory.chosen(world, out, file.experiment().name(), "experiment");
        long seed = file.experiment().seed().orElseGet(() -> ThreadLocalRandom.current()
                .nextLong(1L << 53));
        return new ExperimentSession(
                world, file, seed, Optional.empty(), directory, world.workingDirectory(), Optional.of(kind));
    }

    /**
     * One that was begun before.
     *
     * @throws ConfigException when the directory is none of an experiment
     */
    static ExperimentSession resumed(CommandContext world, Path directory) {
        ExperimentDirectory there = new ExperimentDirectory(directory);
        try {
            PlanData plan = PlanData.read(directory);
            String text = InputFile.text(there.specification(), InputFile.Kind.SETTINGS);
            Path recorded = Path.of(plan.workingDirectory());
            Path from = Files.isDirectory(recorded) ? recorded : world.workingDirectory();
            return new ExperimentSession(
                    world,
                    parse(world, there.specification().toString(), text, Optional.empty()),
                    plan.seed(),
                    Optional.of(plan),
                    directory,
                    from,
                    Optional.empty());
        } catch (IOException e) {
            throw new ConfigException("--resume " + directory + " is not the directory of an experiment ("
                    + FileReason.of(e) + "); give one that has " + PlanData.FILE);
        }
    }

    private static ExperimentFile parse(CommandContext world, String name, String text, Optional<String> until) {
        try {
            ExperimentFile file = ExperimentFile.parse(name, text, ExperimentWords.of(world));
            return until.isEmpty() ? file : file.until(until.get(), ExperimentWords.of(world));
        } catch (ExperimentFileException e) {
            // Whoever typed options has no file to look for a line in.
            throw new ConfigException(e.problems().stream()
                    .map(problem -> until.isEmpty() ? problem : problem.replaceFirst("^.*?:\\d+: until: ", "--until "))
                    .map(problem -> problem.replaceFirst("^(sweep|ab):\\d+: ", "$1: "))
                    .toList());
        }
    }

    /** Says what is to stand on every table: engine, scale and machine. Before {@link #run}. */
    ExperimentSession on(String engineScaleAndMachine) {
        setting = Optional.of(engineScaleAndMachine);
        return this;
    }

    /** Its directory. */
    Path root() {
        return directory.root();
    }

    /** Where it was begun; when that is gone, where it is continued. */
    Path workingDirectory() {
        return workingDirectory;
    }

    /**
     * Does it all.
     *
     * @param json whether {@code experiment.json} is printed in place of the table
     * @param judged what is made of the results of all cells, and its exit code
     * @return the exit code: that of {@code judged} when all cells were run, 1 when none counts, it was interrupted, or its cluster is
     *     left because it could not be stopped
     */
    int execute(boolean dryRun, boolean json, IntSupplier judged) {
        JsonOption.requireRun(json, dryRun);
        Path parent = directory.root().getParent();
        if (kind.isEmpty() && parent != null && Files.exists(parent.resolve(SuiteData.FILE))) {
            // The cluster is the suite's, and may be up.
            throw new ConfigException("--resume " + directory.root()
                    + " is an experiment of a suite; continue it with: ycsb suite --resume " + parent + " --only "
                    + directory.root().getFileName());
        }
        check();
        if (dryRun) {
            show(PassedOn.NOTHING);
            return 0;
        }
        OwnCluster cluster = cluster(directory.root(), false);
        int code;
        try (Stop stop = Stop.install()) {
            code = run(
                    stop, cluster, "ycsb experiment --resume " + directory.root(), complete -> finish(complete, json));
        }
        int then = code == 0 ? judged.getAsInt() : code;
        return then == 0 && cluster.stopped() ? 1 : then;
    }

    /** The one that its cells, and with {@code passedOn} those of later experiments, may use; see {@link OwnCluster}. */
    OwnCluster cluster(Path root, boolean passedOn) {
        return new OwnCluster(tool, workingDirectory, root, passedOn, world::say);
    }

    /** Makes the pages, and prints the table or {@code experiment.json}. */
    private int finish(boolean complete, boolean json) {
        try {
            ExperimentReport.Written written = ExperimentReport.write(directory.root());
            world.out().print(json ? "" : written.text());
            world.out().flush();
            boolean printed = !json || JsonOption.print(world, directory.root().resolve("experiment.json"));
            String reasons = directory.root().resolve("cells.csv") + " has the reasons";
            say(world, written.page(), written.nothingJudged(), written.counting(), reasons);
            return printed && complete && written.counting() > 0 ? 0 : 1;
        } catch (IOException e) {
            world.say(unreported(directory.root(), e));
            return 1;
        }
    }

    /** Where the page is, and what its figures cannot say. */
    static void say(CommandContext world, Path page, boolean nothingJudged, long counting, String reasons) {
        world.say("report: " + page);
        if (nothingJudged) {
            world.say("caution: no claim could be judged, so nothing was reproduced; the tables have the reasons");
        }
        if (counting == 0) {
            world.say("error: no cell counts; " + reasons);
        }
    }

    static String unreported(Path root, IOException e) {
        return "error: no report of " + root + ": " + FileReason.of(e) + "; make it later: ycsb report " + root;
    }

    /**
     * Checks the command of every variant, before anything is started or written.
     *
     * @throws ConfigException with what they would be refused for
     */
    void check() {
        List<String> problems = new ArrayList<>();
        cautions = commands.check(problems);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        cautions.forEach(caution -> world.say("caution: " + caution));
    }

    /**
     * Runs what is missing, after the check.
     *
     * @param stop of this process
     * @param cluster is taken down at the end, unless it is passed on to a later experiment
     * @param again what continues it when it is interrupted
     * @param finish makes the results, and the exit code; notified whether every cell was run
     * @throws ConfigException when another process runs it
     */
    int run(Stop stop, OwnCluster cluster, String again, ToIntFunction<Boolean> finish) {
        return ExperimentLock.during(directory.root(), () -> locked(stop, cluster, again, finish));
    }

    private int locked(Stop stop, OwnCluster cluster, String again, ToIntFunction<Boolean> finish) {
        Experiment experiment = file.experiment();
        if (kind.isPresent()) {
            write();
        }
        world.say("expected: " + expected(cluster.leaves()).text());
        experiment.until().ifPresent(share -> world.say(repeats(share)));
        world.say("experiment " + experiment.name() + ": "
                + Counted.of(plan.cells().size(), "cell") + " in " + directory.root());
        ExperimentRunner runner =
                new ExperimentRunner(experiment, plan, directory, tool, workingDirectory, cluster, world::say);
        boolean complete = stop.during(reason -> runner.stop(), runner::run);
        stop.noMore();
        if (!complete) {
            // Said here: when the stop is closed the process is gone.
            world.say("interrupted; what is complete is kept. Continue: " + again);
        }
        return finish.applyAsInt(complete);
    }

    private void write() {
        Experiment experiment = file.experiment();
        try {
            Files.createDirectories(directory.root());
            AtomicFile.write(directory.specification(), file.text());
            PlanFile.of(
                            experiment,
                            plan,
                            kind.orElseThrow(),
                            workingDirectory,
                            "ycsb-drill " + BuildInfo.current().version() + " ("
                                    + BuildInfo.current().commit() + ")",
                            experiment.variants().stream()
                                    .map(variant -> commands.text(variant, Path.of("DIR")))
                                    .toList(),
                            cautions,
                            setting)
                    .write(directory.root());
        } catch (IOException e) {
            throw ResultsFolder.unwritable("--out " + directory.root(), e);
        }
    }

    /** How long all of its cells take that have not ended yet, given what the experiment before leaves. */
    ExpectedTime expected(PassedOn found) {
        return ExpectedTime.of(file.experiment(), plan, commands, directory, found);
    }

    /** What can be known before the first pairs have shown how they scatter. */
    private String repeats(double share) {
        return Formatted.of(
                "repeated until \u00b1 %.1f %%, at most %d times: %d times when the ratios of the repeats scatter by 5 %%, %d by 10 %%, %d by"
                        + " 20 %%; the first %d will tell",
                100 * share,
                file.experiment().repeats(),
                TwoStageRatio.pairs(0.05, share),
                TwoStageRatio.pairs(0.1, share),
                TwoStageRatio.pairs(0.2, share),
                TwoStageRatio.PILOT);
    }

    /** Prints cells, order, commands and the expected time, which {@link #expected} says. */
    void show(PassedOn found) {
        world.out()
                .println("experiment " + file.experiment().name() + ": "
                        + Counted.of(plan.cells().size(), "cell") + ", order " + order
                        + (order.equals("random") ? " (seed " + plan.seed() + ")" : ""));
        for (Cell cell : plan.cells()) {
            world.out()
                    .println(cell.id() + ": "
                            + commands.text(
                                    cell.variant(),
                                    Path.of("DIR/cells").resolve(cell.id()).resolve("run")));
        }
        world.out().println("expected: " + expected(found).text());
        file.experiment().until().ifPresent(share -> world.out().println(repeats(share)));
        world.out().flush();
    }
}
