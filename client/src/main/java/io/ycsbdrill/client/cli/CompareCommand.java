package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.rundir.NotARunException;
import io.ycsbdrill.rundir.RunFormatException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "compare",
        description = "Puts two runs on one page, with ratios.",
        footer = {
            "",
            "Runs that differ in workload, threads, windows or rate are refused, because%ntheir ratios mean nothing; --force makes the page anyway, with a warning on it.",
            "Exit codes:  0 page written, 1 refused, 2 one is not the directory of a run"
        })
final class CompareCommand extends ContextCommand {
    @Parameters(index = "0", paramLabel = "A", description = "Run directory to compare with.")
    private Path a;

    @Parameters(index = "1", paramLabel = "B", description = "Run directory to compare.")
    private Path b;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            defaultValue = "compare.html",
            description = "The page to write, default ${DEFAULT-VALUE}.")
    private Path out;

    @Mixin
    private JsonOption json;

    @Option(names = "--force", description = "Compare runs that are not alike.")
    private boolean force;

    CompareCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        try {
            Path first = world.workingDirectory().resolve(a);
            Path second = world.workingDirectory().resolve(b);
            List<String> differences = Report.differences(first, second);
            differences.forEach(text -> world.say((force ? "warning: " : "error: ") + text));
            if (!differences.isEmpty() && !force) {
                world.say("error: the runs are not alike, so no page was written; --force writes it with a warning");
                return CommandLine.ExitCode.SOFTWARE;
            }
            write(first, second, world.workingDirectory().resolve(out));
            world.out().println(json.given() ? Report.comparison(first, second) : out);
            world.out().flush();
            return CommandLine.ExitCode.OK;
        } catch (NotARunException e) {
            throw new ConfigException(e.getMessage());
        } catch (RunFormatException e) {
            world.say("error: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static void write(Path first, Path second, Path page) {
        Io.run("--out " + page + " cannot be written", () -> Report.compare(first, second, page));
    }
}
