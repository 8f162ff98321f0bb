package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cli.status.CheckLines;
import io.ycsbdrill.client.cli.status.LivePage;
import io.ycsbdrill.client.cli.status.LiveStatus;
import io.ycsbdrill.client.cli.status.ResultPrinter;
import io.ycsbdrill.client.cli.status.WaitingLine;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunFigures;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.session.SessionObserver;
import io.ycsbdrill.client.session.SessionResult;
import io.ycsbdrill.report.data.ConsistencyData;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.rundir.RunFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reports what a session does and how it ended, and derives the exit code. Used by the session's thread, but for lines. */
final class SessionOutput implements SessionObserver {
    private final CommandContext world;
    private final LivePage live;
    private final Supplier<String> status;
    private final ResultPrinter.Form form;
    private int exitCode;

    /** @param status where the drill is, for the live status */
    SessionOutput(CommandContext world, LivePage live, Supplier<String> status, ResultPrinter.Form form) {
        this.world = world;
        this.live = live;
        this.status = status;
        this.form = form;
    }

    @Override
    public void said(String line) {
        world.say(line);
    }

    /** On a terminal the bar shows the phase; lines would tear it apart. */
    @Override
    public void drilled(String line) {
        if (!world.terminal()) {
            world.say(line);
        }
    }

    @Override
    public List<RunCompanion> loading(RunSpec load) {
        world.say("table " + load.properties().getProperty("table", "usertable") + " is empty: loading "
                + Counted.of(load.operations(), "record") + " first, with "
                + Counted.of(load.threads(), "thread"));
        live.loading(load);
        return List.of(LiveStatus.of(world, load, () -> ""));
    }

    @Override
    public void loaded(RunFigures load) {
        world.say(Formatted.of("loaded in %.1f s", load.seconds()));
    }

    @Override
    public List<RunCompanion> running(RunSpec run, RunSpec first) {
        List<RunCompanion> companions = new ArrayList<>();
        companions.add(new WaitingLine(world, run));
        companions.add(LiveStatus.of(world, run, status));
        companions.addAll(live.running(run, first));
        return companions;
    }

    /** Before the report is made: the result is out whatever becomes of that. */
    @Override
    public void ended(RunSpec run, RunResult result, String text) {
        live.complete(run);
        exitCode = new ResultPrinter(world, form).print(result, text, run.mode());
    }

    /**
     * Prints the result. That of a drill ends with its verdict, which the exit code follows.
     *
     * @param gate whether a drill in which nothing could be judged fails without limits, too
     * @return the exit code: 0 valid, 1 failed or incomplete, 3 when a limit was missed or the audit found something
     */
    int finish(SessionResult result, boolean drill, boolean audited, boolean gate) {
        boolean judged = drill && result.summary().isPresent();
        if (audited) {
            int code = new CheckLines(world).print(result.audit(), result.run().directory(), exitCode, allowed(result));
            // What a drill's audit found is in the verdict.
            exitCode = judged && result.audit().isPresent() ? exitCode : code;
        }
        Optional<ConsistencyData> consistency =
                result.summary().flatMap(summary -> summary.run().consistency());
        if (consistency.isPresent()) {
            int code =
                    new CheckLines(world).print(consistency.get(), result.run().directory(), exitCode);
            // That of a drill is in the verdict.
            exitCode = judged ? exitCode : code;
        }
        // Of a run in which nothing was measured all has been said.
        result.report().filter(report -> result.run().figures().isPresent()).ifPresent(report -> report.warnings()
                .forEach(warning -> world.say("note: " + warning)));
        if (judged) {
            exitCode = new ResultPrinter(world, form).print(result.summary().get(), exitCode, gate);
        }
        if (form == ResultPrinter.Form.JSON
                && !JsonOption.print(world, result.run().directory().resolve(RunFile.SUMMARY))) {
            exitCode = Math.max(1, exitCode);
        }
        result.problem().ifPresent(problem -> {
            world.say("error: " + problem + "; the run's data are in "
                    + result.run().directory());
            exitCode = drill ? 1 : exitCode;
        });
        result.time().ifPresent(time -> world.say("time: " + time.text()));
        // The last line, where nobody has to look for it.
        result.report().ifPresent(report -> world.say("report: " + report.page()));
        live.ended(result.run(), exitCode);
        return exitCode;
    }

    /** Whether a drill allows what its audit found. */
    private static boolean allowed(SessionResult result) {
        return result.summary()
                .filter(summary -> summary.verdict().outcome() == Verdict.Outcome.PASS)
                .isPresent();
    }
}
