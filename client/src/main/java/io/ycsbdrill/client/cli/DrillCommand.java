package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cli.start.DrillPlan;
import io.ycsbdrill.client.cli.start.ShippedDrills;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.drill.ProxiedServers;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.session.Loading;
import io.ycsbdrill.client.session.PropertyReader;
import io.ycsbdrill.fault.inventory.DrillRehearsal;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.schedule.Cycles;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.report.page.JUnitXml;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "drill",
        sortOptions = false,
        description = "Runs a workload, injects the faults of a drill file, and measures what clients notice.",
        footer = {
            "",
            "The run continues until the drill is complete; operationcount counts only when%ngiven by -p.",
            "Example:     ycsb drill native -P workloads/workloadb -D node-restart%n               -threads 4 --audit",
            "Exit codes:  0 no limit missed, 1 failed, invalid, undecided or not judged%n             2 usage or drill file, 3 a limit was missed"
        })
final class DrillCommand extends ContextCommand implements RunsWorkload {
    @Mixin
    private BindingOptions binding;

    @Option(
            names = "-D",
            paramLabel = "DRILL",
            completionCandidates = ShippedDrills.Names.class,
            description =
                    "A drill that comes with ycsb-drill, by its name (see --list), or a file; see docs/drills.md.")
    private String drill;

    @Option(names = "--list", description = "Print the drills that come with ycsb-drill, and what each one answers.")
    private boolean list;

    @Option(
            names = "--plan",
            description =
                    "Print steps, targets, times and limits of the drill, and what is missing here; start nothing.")
    private boolean plan;

    @Option(
            names = "--check",
            paramLabel = "DRILL",
            completionCandidates = ShippedDrills.Names.class,
            description = "Report everything that is wrong with a drill file; start nothing.")
    private String check;

    @Option(
            names = "--cycles",
            paramLabel = "N",
            description =
                    "Repeat the drill N times in one run, 1 to 1000, with a null cycle for every three: nothing is"
                            + " injected in it, so its figures are noise. Every cycle must keep the limits. See"
                            + " docs/drills.md.")
    private String cycles;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the verdict as JUnit XML, one test per limit.")
    private Path junit;

    @Option(names = "--brief", description = "Print only the main figures, what was missed, and the verdict.")
    private boolean brief;

    @Option(
            names = "--quiet",
            description = "For scripts: print only the verdict, as one line or with --json, and errors.")
    private boolean quiet;

    @Option(
            names = "--dry-run",
            description = "With --on: print every command that the drill would run on a host, and run none.")
    private boolean dryRun;

    @Mixin
    private RunOptions options;

    @Option(names = "--no-load", description = "Do not load the records first when the table is empty.")
    private boolean noLoad;

    @Spec
    private CommandSpec spec;

    DrillCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        JsonOption.requireResult(options.json(), check != null, "--check");
        JsonOption.requireResult(options.json(), list, "--list");
        JsonOption.requireResult(options.json(), plan, "--plan");
        JsonOption.requireRun(options.json(), dryRun);
        if (check != null) {
            return checkOnly(repeated(shipped().read(check)));
        }
        if (list) {
            shipped().list();
            return CommandLine.ExitCode.OK;
        }
        if (plan) {
            return plan(drillFile());
        }
        if (dryRun) {
            return rehearse(drillFile());
        }
        return junit == null
                ? execute(session())
                : inJUnit(world.workingDirectory().resolve(junit));
    }

    private ShippedDrills shipped() {
        return new ShippedDrills(world);
    }

    /** All that would be refused is, as the drill itself would. */
    private int plan(DrillFile file) {
        List<String> problems = session(file).problems(Mode.RUN);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        Properties properties = binding.properties(world, new Problems());
        boolean possible = new DrillPlan(world)
                .print(
                        file,
                        new DrillPlan.Typed(options.givenLoad(properties), options.audit()),
                        binding.binding(),
                        binding.engine(),
                        properties);
        return possible ? CommandLine.ExitCode.OK : CommandLine.ExitCode.USAGE;
    }

    private int rehearse(DrillFile file) {
        Problems problems = new Problems();
        Properties properties = binding.properties(world, problems);
        problems.throwIfAny(ConfigException::new);
        Inventory inventory = new ClusterFinder(world)
                .inventory(properties)
                .orElseThrow(() -> new ConfigException(
                        "--dry-run prints the commands for the hosts of an inventory; name it: --on inventory.yaml; without one, --plan prints"
                                + " what the drill would do"));
        boolean possible = DrillRehearsal.of(file.schedule(), inventory, world.out()::println);
        options.clients().on(inventory.clients().size());
        ClientCommand.rehearse(options.clients().count(), inventory.clients(), world.out()::println);
        world.out().flush();
        return possible ? CommandLine.ExitCode.OK : CommandLine.ExitCode.USAGE;
    }

    @Override
    public Mode mode() {
        return Mode.RUN;
    }

    @Override
    public RunSession session() {
        return session(drillFile());
    }

    private DrillFile drillFile() {
        if (drill == null) {
            throw new ConfigException(
                    "no drill given: -D NAME or FILE, for example -D node-restart (workloads/drills/node-restart.yaml); --list"
                            + " has the names");
        }
        DrillFile file = repeated(shipped().read(drill));
        if (file.schedule().disturbsNetwork()
                && binding.binding().filter(BindingNames::findsServersItself).isPresent()) {
            throw new ConfigException(file.file() + ": " + ProxiedServers.required() + "; "
                    + binding.binding().get()
                    + " finds its servers itself, so no proxy can be placed in front of them");
        }
        return file;
    }

    private RunSession session(DrillFile file) {
        boolean counted = binding.assigned(new Problems()).containsKey("operationcount");
        CommandContext shown = quiet ? world.quiet(options.json()) : world;
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        return new RunSession(shown, binding, options, typed)
                .drill(file, counted)
                .brief(brief);
    }

    private int execute(RunSession session) {
        int exitCode = session.execute(Mode.RUN, noLoad ? Loading.NEVER : Loading.WHEN_EMPTY);
        if (quiet) {
            session.summary().ifPresent(this::verdict);
        }
        return exitCode;
    }

    /** A missed limit on both: whoever throws standard output away is to hear of it. */
    private void verdict(DrillSummary summary) {
        int cautions = summary.cautions().size();
        String line = summary.verdict().line()
                + (cautions == 0 ? "" : "; " + Counted.of(cautions, "caution"))
                + " (run directory: "
                + summary.run().directory().toAbsolutePath() + ")";
        String name = summary.run().run().path("drill").path("name").asText();
        if (!options.json()) {
            world.out().println("drill " + name + ": " + line);
            world.out().flush();
        }
        if (summary.verdict().outcome() == Verdict.Outcome.FAIL) {
            world.say("error: drill " + name + ": " + line);
        }
    }

    /** The file says how this drill ended, whatever happened: never how an earlier one did. */
    private int inJUnit(Path target) {
        String name = drill == null ? "drill" : drill;
        Path folder = target.getParent();
        boolean made = folder != null && !Files.exists(folder);
        notEnded(target, name);
        if (made) {
            world.say("note: --junit has made the directory " + folder);
        }
        try {
            DrillFile file = drillFile();
            name = file.schedule().name();
            notEnded(target, name);
            RunSession session = session(file).gate();
            int exitCode = execute(session);
            if (session.summary().isPresent()) {
                JUnitXml.write(target, session.summary().get());
            } else {
                JUnitXml.writeError(
                        target,
                        name,
                        "the drill produced no result, exit code " + exitCode + "; see its standard error");
            }
            return exitCode;
        } catch (IOException e) {
            throw new UncheckedIOException("--junit " + target + " cannot be written: " + FileReason.of(e), e);
        } catch (RuntimeException e) {
            noResult(target, name, e);
            throw e;
        }
    }

    private static void notEnded(Path target, String name) {
        try {
            JUnitXml.writeError(target, name, "the drill has not ended: it is still running, or was killed");
        } catch (IOException e) {
            throw new ConfigException(
                    "--junit " + target + " cannot be written: " + FileReason.of(e) + "; name another file");
        }
    }

    private static void noResult(Path target, String name, RuntimeException cause) {
        try {
            JUnitXml.writeError(target, name, String.valueOf(cause.getMessage()));
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private int checkOnly(DrillFile file) {
        int steps = file.schedule().steps().size();
        world.say(file.file() + " is valid: drill " + file.schedule().name() + ", " + Counted.of(steps, "step"));
        file.schedule()
                .cycles()
                .ifPresent(all -> world.say("  in " + Counted.of(all.faults(), "cycle") + ", and "
                        + Counted.of(all.nulls(), "null cycle") + " in which nothing is injected"));
        for (ScheduledFault step : file.schedule().steps()) {
            world.say("  " + step.name() + ": " + step.fault().name() + " "
                    + step.node().text());
        }
        return CommandLine.ExitCode.OK;
    }

    private DrillFile repeated(DrillFile file) {
        if (cycles == null) {
            return file;
        }
        Problems problems = new Problems();
        int count = (int) PropertyReader.option("--cycles", cycles, 1, 1, Cycles.MOST, problems);
        problems.throwIfAny(ConfigException::new);
        if (file.schedule().steady().isEmpty()) {
            throw new ConfigException("--cycles " + cycles + ": each cycle begins when the throughput is steady, and "
                    + file.file() + " switches that off; remove steady: off from it");
        }
        return file.repeated(count);
    }
}
