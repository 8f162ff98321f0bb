package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.experiment.spec.ClusterSpec;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.report.experiment.CellResult;
import io.ycsbdrill.report.experiment.CellRow;
import io.ycsbdrill.report.experiment.Narrowing;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.report.stat.TwoStageRatio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Runs the cells of a plan that are not complete, one after the other. A cell that fails is {@code NA} and stops nothing. Used by one
 * thread, once; {@link #stop} may be called from any.
 */
public final class ExperimentRunner {
    private final Experiment experiment;
    private final Plan plan;
    private final ExperimentDirectory directory;
    private final CellCommands cellCommands;
    private final Consumer<String> say;
    private final Tool tool;
    private final Path workingDirectory;
    private final Commands commands;
    private final OwnCluster cluster;
    private final Ascent ascent;
    private final Judge judge;

    private final Map<String, CellResult> results = new HashMap<>();
    private int repeat = 1;

    /**
     * @param workingDirectory of all commands
     * @param cluster for its cells; its own, or one that is passed on from one experiment to the next
     * @param say notified of the progress, a line at a time
     */
    public ExperimentRunner(
            Experiment experiment,
            Plan plan,
            ExperimentDirectory directory,
            Tool tool,
            Path workingDirectory,
            OwnCluster cluster,
            Consumer<String> say) {
        this.experiment = experiment;
        this.plan = plan;
        this.directory = directory;
        this.tool = tool;
        this.workingDirectory = workingDirectory;
        this.say = say;
        cellCommands = new CellCommands(experiment, tool);
        commands = new Commands(tool, workingDirectory);
        this.cluster = cluster;
        ascent = new Ascent(experiment);
        judge = new Judge(experiment.success());
    }

    /** Ends the command under way, and with it the experiment; what is complete is kept. */
    public void stop() {
        commands.stop();
        cluster.stop();
    }

    /**
     * Runs what is missing, and returns when that is done or {@link #stop} was called.
     *
     * @return whether every cell is complete, counting or not
     * @throws UncheckedIOException when the directory cannot be written
     */
    public boolean run() {
        boolean complete = false;
        try {
            complete = runCells();
            return complete;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("the experiment cannot go on: " + e.getMessage(), e);
        } finally {
            cluster.end(complete);
        }
    }

    private boolean runCells() throws IOException, InterruptedException {
        endLeftovers(directory.root(), tool, say);
        cluster.begin(tool, workingDirectory, directory.root(), cellCommands.keepsCluster());
        if (experiment.cluster().isEmpty()) {
            cluster.down(); // what an earlier experiment has left would share the machine
        }
        if (cluster.stopped()) {
            return false;
        }
        ExperimentProgress progress = new ExperimentProgress(plan.cells().size());
        for (Cell cell : plan.cells()) {
            Optional<CellResult> complete = complete(directory.cell(cell));
            if (complete.isPresent()) {
                ended(cell, complete.get());
                progress.skipped();
            }
        }
        if (!results.isEmpty()) {
            say.accept(results.size() + " of " + plan.cells().size() + " cells are complete already");
        }
        for (Cell cell : plan.cells()) {
            if (isEnoughBefore(cell)) {
                return true;
            }
            if (!results.containsKey(cell.id()) && !next(cell, progress)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the repeats before this cell's are all that are needed; then the plan has no more. When a later one has begun they were not. */
    private boolean isEnoughBefore(Cell cell) throws IOException {
        if (experiment.until().isEmpty() || cell.repeat() <= repeat) {
            return false;
        }
        repeat = cell.repeat();
        boolean begun =
                plan.cells().stream().anyMatch(each -> each.repeat() >= repeat && results.containsKey(each.id()));
        if (repeat <= TwoStageRatio.PILOT || begun) {
            return false;
        }
        Narrowing now = Narrowing.of(directory.root());
        say.accept("after repeat " + (repeat - 1) + ": " + now.text());
        if (now.enough()) {
            PlanData.read(directory.root()).untilRepeat(repeat - 1).write(directory.root());
        }
        return now.enough();
    }

    /** Ends commands of an earlier part of the experiment, which was killed: they may still be running. */
    public static void endLeftovers(Path root, Tool tool, Consumer<String> say) throws IOException {
        for (Path cell : new ExperimentDirectory(root).cells()) {
            if (tool.endLeftover(cell.resolve("pid"))) {
                say.accept("ended the command of " + cell.getFileName() + ", which was still running");
            }
        }
    }

    /** One cell; false when the experiment was stopped before it was complete. */
    private boolean next(Cell cell, ExperimentProgress progress) throws IOException, InterruptedException {
        int position = results.size();
        Optional<String> objection = ascent.objection(cell);
        CellResult result;
        if (objection.isPresent()) {
            result = notRun("not run: " + objection.get(), position);
            progress.skipped();
        } else {
            setAside(directory.cell(cell));
            long from = System.nanoTime();
            Optional<CellResult> run = execute(cell, position);
            if (run.isEmpty()) {
                return false;
            }
            result = run.get();
            progress.done(since(
                    from)); // its cluster's start is a part of what is still to be waited for, not of its own time
        }
        result.write(directory.cell(cell));
        ended(cell, result);
        say.accept(progress.line(cell, result, directory.run(cell)));
        return true;
    }

    private static CellResult notRun(String reason, int position) {
        return new CellResult(
                CellRow.NA,
                reason,
                Instant.now().toString(),
                0,
                -1,
                position,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty());
    }

    /** The result of a complete cell: one that counts has its run directory. Empty for one that must be run, as it is damaged or not there. */
    private static Optional<CellResult> complete(Path cell) {
        return Io.or(Optional.empty(), () -> Optional.of(CellResult.read(cell))
                .filter(result -> !result.counts() || Files.isRegularFile(cell.resolve("run/summary.json"))));
    }

    private void ended(Cell cell, CellResult result) {
        results.put(cell.id(), result);
        ascent.ended(cell, result.counts());
    }

    /** Empty when it was stopped. */
    private Optional<CellResult> execute(Cell cell, int position) throws IOException, InterruptedException {
        Files.createDirectories(directory.cell(cell));
        Tool.Inspection inspection = cellCommands.inspect(cell.variant());
        Map<String, String> environment = Map.of();
        long providing = System.nanoTime();
        if (cell.variant().cluster().isPresent()) {
            ClusterSpec wanted = cell.variant().cluster().get();
            Optional<String> failure = cluster.provide(
                    wanted, inspection, experiment.shareCluster(), cellCommands.arguments(cell.variant()));
            if (commands.stopped() || cluster.stopped()) {
                return Optional.empty();
            }
            if (failure.isPresent()) {
                return Optional.of(notRun(failure.get(), position).providedIn(since(providing)));
            }
            environment = cluster.environment();
        }
        double provided = since(providing);
        commands.pause(plan.pause(cell, experiment.settle()));
        Instant startedAt = Instant.now();
        long from = System.nanoTime();
        OptionalDouble readBefore = DeviceReads.megabytes();
        Path output = directory.cell(cell).resolve("output.txt");
        Commands.Ended ended = commands.run(
                cellCommands.of(cell.variant(), directory.run(cell), cluster.tableWords()),
                output,
                directory.pid(cell),
                environment,
                experiment.timeout());
        if (ended.interrupted()) {
            return Optional.empty();
        }
        Optional<String> objection = ended.late()
                ? Optional.of("the command did not end within " + Durations.print(experiment.timeout()))
                : judge.objection(ended.exitCode(), directory.run(cell), output);
        // A drill that counts has put its cluster in order, whatever its verdict is.
        boolean inOrder =
                (ended.exitCode() == 0 || objection.isEmpty()) && !(inspection.drill() && experiment.renewAfterDrill());
        cluster.used(inOrder && (experiment.shareCluster() || cellCommands.alike()), inspection.keepsRows());
        Files.deleteIfExists(directory.pid(cell));
        OptionalDouble readAfter = DeviceReads.megabytes();
        return Optional.of(new CellResult(
                objection.isEmpty() ? CellRow.OK : CellRow.NA,
                objection.orElse(""),
                startedAt.toString(),
                since(from),
                ended.exitCode(),
                position,
                difference(readBefore, readAfter),
                OptionalDouble.of(provided),
                cell.variant().cluster().map(own -> cluster.prepared().word())));
    }

    private static OptionalDouble difference(OptionalDouble before, OptionalDouble after) {
        return before.isPresent() && after.isPresent()
                ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
                : OptionalDouble.empty();
    }

    private static double since(long nanos) {
        return Math.round((System.nanoTime() - nanos) / 1e6) / 1e3;
    }

    /** Keeps what an interrupted attempt has left, out of the way. */
    private static void setAside(Path cell) throws IOException {
        if (!Files.exists(cell)) {
            return;
        }
        Path folder = Files.createDirectories(cell.resolveSibling("interrupted"));
        Path to = folder.resolve(cell.getFileName());
        for (int i = 2; Files.exists(to); i++) {
            to = folder.resolve(cell.getFileName() + "-" + i);
        }
        Files.move(cell, to);
    }

    /** The reasons of cells that do not count, in the order of the plan: {@code v001-threads-1-r1: exit code 1}. */
    public List<String> objections() {
        List<String> reasons = new ArrayList<>();
        plan.cells().forEach(cell -> Optional.ofNullable(results.get(cell.id()))
                .filter(result -> !result.counts())
                .ifPresent(result -> reasons.add(cell.title() + ": " + result.reason())));
        return reasons;
    }
}
