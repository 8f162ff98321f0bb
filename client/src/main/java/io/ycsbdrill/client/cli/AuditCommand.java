package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.journal.HistoryExport;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cli.status.CheckLines;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.WrittenRun;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ycsb audit}: reads back what an earlier run with {@code --audit} has written. */
@Command(
        name = "audit",
        description = "Reads back what an earlier run with --audit wrote, and judges it again: after its client was"
                + " killed, or to see whether the data are still there. Nothing else may have written to"
                + " the table since.",
        footer = {"", "Exit codes:  0 nothing was lost, 1 it could not be made, 3 something was found"})
final class AuditCommand extends ContextCommand {
    @Parameters(paramLabel = "RUN-DIR", description = "The directory of the run; with several clients the merged one.")
    private Path directory;

    @Option(
            names = "-p",
            paramLabel = "KEY=VALUE",
            description = "A property in place of the one in run.json, such as a password or another address.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--history",
            description =
                    "Read nothing back: only write what the clients did to history.edn and history.jsonl in the run"
                            + " directory, for other checkers; see docs/explore.md.")
    private boolean history;

    @Mixin
    private JsonOption json;

    AuditCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() throws IOException {
        Path run = world.workingDirectory().resolve(directory);
        Problems problems = new Problems();
        Map<String, String> changed = BindingOptions.assigned(assignments, problems);
        if (history && json.given()) {
            problems.add("--json prints what is read back, and --history reads nothing back; leave one of them out");
        }
        problems.throwIfAny(ConfigException::new);
        WrittenRun written = WrittenRun.of(run, changed);
        if (history) {
            world.say("history: " + Counted.of(written.history(), "operation") + " in " + run.resolve(HistoryExport.EDN)
                    + " and " + HistoryExport.LINES);
            return 0;
        }
        AtomicBoolean cancelled = new AtomicBoolean();
        try (Stop stop = Stop.install()) {
            stop.during(reason -> cancelled.set(true), () -> {
                written.readBack(cancelled::get, world::say);
                return written;
            });
        }
        DrillSummary.write(run);
        Report.write(run);
        int exitCode = new CheckLines(world).print(AuditData.read(run), run, 0, false);
        return json.given() && !JsonOption.print(world, run.resolve(RunFile.AUDIT)) ? 1 : exitCode;
    }
}
