package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.drill.PreparedDrill;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpecBuilder;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.Limit;
import io.ycsbdrill.report.data.RunFormatException;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.Verdict;
import io.ycsbdrill.report.page.Report;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Turns a run into a drill. Used by one thread, but for {@link #status}. */
final class DrillExtension implements RunExtension {
    private static final int LIMIT_MISSED = 3;

    private final CommandContext world;
    private final DrillFile file;
    private final boolean counted;
    private PreparedDrill drill;
    private Optional<DrillSummary> summary = Optional.empty();

    /** @param counted whether the user has set the number of operations */
    DrillExtension(CommandContext world, DrillFile file, boolean counted) {
        this.world = world;
        this.file = file;
        this.counted = counted;
    }

    /** The drill's. */
    String name() {
        return file.schedule().name();
    }

    /** How it ended; empty before the end, and when it could not be judged. */
    Optional<DrillSummary> summary() {
        return summary;
    }

    @Override
    public boolean endsRun() {
        return !counted;
    }

    /** A limit on lost writes can be judged only with an audit. */
    @Override
    public boolean audits() {
        return file.schedule().limits().get(Limit.ACKED_LOST).isPresent();
    }

    @Override
    public void prepare(Access access, RunSpecBuilder spec) {
        // On a terminal the bar shows the phase; lines would tear it apart.
        drill = PreparedDrill.of(file, access, spec, world::say, line -> {
            if (!world.terminal()) {
                world.say(line);
            }
        });
        if (!counted) {
            spec.operations(0);
            world.say("drill " + file.schedule().name()
                    + ": the run lasts as long as the drill needs (operationcount of the workload is not used)");
        }
    }

    @Override
    public void close() {
        if (drill != null) {
            drill.close();
        }
    }

    @Override
    public List<RunCompanion> companions() {
        return List.of(drill.companion());
    }

    @Override
    public String status() {
        return drill == null ? "" : drill.companion().status();
    }

    @Override
    public int finished(RunResult result, int exitCode) {
        try {
            DrillSummary judged = DrillSummary.write(result.directory());
            summary = Optional.of(judged);
            world.out().print(judged.text());
            world.out().flush();
            Report.Written report = Report.write(result.directory());
            report.warnings().forEach(warning -> world.say("note: " + warning));
            world.say("report: " + report.page());
            boolean missed = judged.verdict().outcome() == Verdict.Outcome.FAIL;
            return exitCode == 0 && missed ? LIMIT_MISSED : exitCode;
        } catch (IOException | RunFormatException e) {
            world.say(
                    "error: the drill cannot be judged: " + e.getMessage() + "; its data are in " + result.directory());
            return 1;
        }
    }
}
