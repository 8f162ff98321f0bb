package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunFigures;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunTable;
import java.nio.file.Path;

/** Prints how a run ended: the stock text on standard output, the rest beside it. */
public record ResultPrinter(CommandContext world, Form form) {
    private static final int LIMIT_MISSED = 3;

    /** What standard output has. */
    public enum Form {
        /** The stock result, and of a drill all figures. */
        TEXT,
        /** The main figures of a drill and its verdict. */
        BRIEF,
        /** The run's {@code summary.json}. */
        JSON
    }

    /** @return the exit code: 0 when the run is valid, else 1 */
    public int print(RunResult result, String text, Mode mode) {
        int exitCode = 0;
        for (String reason : result.reasons()) {
            world.say("error: run " + result.state().label() + ": " + reason);
        }
        if (result.state() != RunResult.State.COMPLETE) {
            exitCode = 1;
        }
        if (result.figures().isPresent()) {
            exitCode = Math.max(exitCode, judge(result.figures().get(), result.directory(), mode));
        }
        world.say("run directory: " + world.shown(result.directory()));
        world.out().print(form == Form.TEXT ? text : "");
        world.out().flush();
        return exitCode;
    }

    /**
     * Prints metrics and verdict of a drill.
     *
     * @param exitCode of its run
     * @param gate whether a verdict is asked for even of a drill without limits
     * @return the exit code: 3 when the run is valid and a limit was missed, 1 when a verdict is asked for and nothing could be judged, else
     *     that of the run
     */
    public int print(DrillSummary drill, int exitCode, boolean gate) {
        world.out().print(form == Form.TEXT ? drill.text() : form == Form.BRIEF ? drill.brief() : "");
        world.out().flush();
        if (exitCode == 0 && drill.verdict().asksInVain(gate)) {
            boolean undecided = drill.verdict().outcome() == Verdict.Outcome.UNDECIDED;
            world.say("error: " + (undecided ? "" : "nothing could be judged: ")
                    + drill.verdict().line());
            return 1;
        }
        return exitCode == 0 && drill.verdict().outcome() == Verdict.Outcome.FAIL ? LIMIT_MISSED : exitCode;
    }

    /** Not one success is no result; failures among successes are part of it, but a load must be complete. */
    private int judge(RunFigures summary, Path directory, Mode mode) {
        int exitCode = 0;
        if (summary.ok() + summary.notOk() == 0) {
            world.say("error: no operation completed in the time that counts, so there is no result; what was before"
                    + " is in " + directory.resolve(RunTable.WINDOWS.file()));
            exitCode = 1;
        } else if (summary.ok() == 0) {
            world.say("error: no operation succeeded; see the Return= lines");
            exitCode = 1;
        } else if (summary.notOk() > 0) {
            world.say("note: " + Counted.of(summary.notOk(), "operation")
                    + " failed or " + (summary.notOk() == 1 ? "has" : "have")
                    + " an unknown outcome; see the Return= lines");
        }
        if (summary.retries() > 0) {
            world.say("note: " + Counted.of(summary.retriedOperations(), "operation")
                    + " failed temporarily and "
                    + (summary.retriedOperations() == 1 ? "was" : "were") + " retried, "
                    + Counted.of(summary.retries(), "time") + " in all; latencies include all attempts");
        }
        if (summary.oldestUnsentSeconds() >= RunData.LEAST_UNSENT_SECONDS) {
            world.say(Formatted.of(
                    "note: %d {arrival was|arrivals were} due when the load was stopped and had not been sent, the oldest for"
                            + " %.3f s; this counts as failed service",
                    summary.unsent(), summary.oldestUnsentSeconds()));
        }
        if (summary.lostConnections() > 0) {
            world.say(Formatted.of(
                    "note: connections that broke: %d, replaced: %d, after %.1f s at most; meanwhile a thread may be served by"
                            + " another server",
                    summary.lostConnections(), summary.regainedConnections(), summary.longestSecondsWithout()));
        }
        if (mode == Mode.LOAD && summary.notLoaded() > 0) {
            world.say(Formatted.of("error: %d {record is|records are} not known to be loaded", summary.notLoaded())
                    + "; the ranges are in "
                    + directory.resolve(RunFile.SUMMARY) + "; load only them with --resume "
                    + directory);
            exitCode = 1;
        }
        return exitCode;
    }
}
