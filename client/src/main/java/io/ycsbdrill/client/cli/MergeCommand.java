package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.cli.status.ResultPrinter;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.merge.MergeException;
import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "merge",
        description = "Merges the run directories of several clients of one run into one, exactly.",
        footer = {
            "",
            "Counts and histograms are added, so that every percentile is what one client%nwould have recorded; windows are aligned on the wall clock. Runs that differ,",
            "or are damaged, are refused, and nothing is written.%nExit codes:  0 the merged run is valid, 1 it is not, or refused%n             2 usage, 3 a limit was missed",
            "Example:     ycsb merge results/client-* --out results/all"
        })
final class MergeCommand extends ContextCommand {
    @Parameters(arity = "1..*", paramLabel = "RUN-DIR", description = "The run directory of each client.")
    private List<Path> directories;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            required = true,
            description = "The run directory to make, new or empty.")
    private Path out;

    @Spec
    private CommandSpec spec;

    MergeCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        if (directories.size() < 2) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "merge needs at least two run directories; give those of all clients");
        }
        List<Path> all = directories.stream()
                .map(directory -> world.workingDirectory().resolve(directory).normalize())
                .toList();
        Path merged = world.workingDirectory().resolve(out).normalize();
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        try {
            return print(RunMerge.merge(all, merged, List.of(), typed));
        } catch (MergeException e) {
            world.sayErrors(e.problems());
            world.say("error: nothing was merged, and " + out + " was not written");
            // One without run.json is that of a client that was killed before it began: its run was started all the
            // same.
            return all.stream().allMatch(Files::isDirectory)
                    ? CommandLine.ExitCode.SOFTWARE
                    : CommandLine.ExitCode.USAGE;
        }
    }

    /** Does what the same run with {@code --clients} would. */
    private int print(RunMerge.Merged merged) {
        merged.notes().forEach(note -> world.say("note: " + note));
        RunResult result = merged.result();
        ResultPrinter printer = new ResultPrinter(world, ResultPrinter.Form.TEXT);
        try {
            JsonNode run = RunDirectory.JSON.readTree(
                    result.directory().resolve(RunFile.RUN).toFile());
            Mode mode = run.path("mode").asText().equals("load") ? Mode.LOAD : Mode.RUN;
            int exitCode = printer.print(result, merged.text(), mode);
            return run.path("drill").isObject()
                    ? printer.print(DrillSummary.write(result.directory()), exitCode, false)
                    : exitCode;
        } catch (IOException | RunFormatException e) {
            world.say("error: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }
}
