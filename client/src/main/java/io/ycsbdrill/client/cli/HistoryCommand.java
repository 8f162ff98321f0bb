package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "history",
        sortOptions = false,
        description =
                "Puts many runs on one page: recovery time, dip, failures and throughput over time, like with like.",
        footer = {
            "",
            "A figure of the newest run is a regression when it is worse than the median of%nat least 5 earlier runs by more than 3 scaled median absolute deviations and by",
            "more than 20 %%; see docs/history.md.%nExit codes:  0 page written, 1 no run to compare or to judge yet, 2 usage",
            "             3 a regression (with --fail-on-regression)"
        })
final class HistoryCommand extends ContextCommand {
    private static final int REGRESSION = 3;

    @Parameters(index = "0", paramLabel = "DIR", description = "Folder of the runs, up to four levels deep.")
    private Path directory;

    @Option(names = "--out", paramLabel = "FILE", description = "The page to write (default: history.html in DIR).")
    private Path out;

    @Option(
            names = "--fail-on-regression",
            description = "Exit with 3 when the newest run of a series is worse than those before it.")
    private boolean failOnRegression;

    @Mixin
    private JsonOption json;

    HistoryCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        Path where = world.workingDirectory().resolve(directory);
        if (!Files.isDirectory(where)) {
            throw new ConfigException(
                    where + " is not a directory; give the one that the runs are in, for example results");
        }
        Path page = out == null
                ? where.resolve("history.html")
                : world.workingDirectory().resolve(out);
        try {
            History history = History.read(where);
            if (history.runs() == 0 && history.leftOut().isEmpty()) {
                world.say("error: no run under " + where
                        + ": no run directory was found; give the one that the runs are in");
                return CommandLine.ExitCode.SOFTWARE;
            }
            world.out().print(json.given() ? history.json() + "\n" : history.text());
            history.write(page);
            world.out().print(json.given() ? "" : page + "\n");
            world.out().flush();
            if (history.runs() == 0) {
                world.say("error: no run under " + where + " can be compared: "
                        + history.leftOut().size() + " run directories were found, and none is valid");
                return CommandLine.ExitCode.SOFTWARE;
            }
            List<String> regressions = history.regressions();
            regressions.forEach(why -> world.say("regression: " + why));
            if (failOnRegression && !history.judged()) {
                world.say("error: --fail-on-regression: " + history.verdict()
                        + "; repeat the run, or leave the option out until then");
                return CommandLine.ExitCode.SOFTWARE;
            }
            return failOnRegression && !regressions.isEmpty() ? REGRESSION : CommandLine.ExitCode.OK;
        } catch (IOException e) {
            world.say("error: no history of " + where + ": " + FileReason.of(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }
}
