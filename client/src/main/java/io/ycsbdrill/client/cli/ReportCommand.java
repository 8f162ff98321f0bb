package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.experiment.ExperimentReport;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.report.page.JUnitXml;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.report.suite.SuiteReport;
import io.ycsbdrill.rundir.NotARunException;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
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
        name = "report",
        description =
                "Makes report.html and charts/ of runs again, from their files; of an experiment or a suite its page"
                        + " and tables.",
        footer = {
            "",
            "Exit codes:  0 every report was made, 1 one could not be made, 2 a directory%n             is not that of a run, and no report was made",
            "A missed limit is shown; the exit code does not say it."
        })
final class ReportCommand extends ContextCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Directories of runs, experiments or suites, for example results/*")
    private List<Path> directories;

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Also write the verdict as JUnit XML; with one run only.")
    private Path junit;

    @Option(
            names = "--brief",
            description = "For a drill, print only the main figures, what was missed, and the verdict.")
    private boolean brief;

    @Mixin
    private JsonOption json;

    ReportCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        if (junit != null && directories.size() > 1) {
            throw new ConfigException("--junit takes one run directory, but " + directories.size() + " were given");
        }
        List<Path> all =
                directories.stream().map(world.workingDirectory()::resolve).toList();
        requireAll(all);
        int exitCode = CommandLine.ExitCode.OK;
        for (Path directory : all) {
            try {
                exitCode = Math.max(exitCode, report(directory));
            } catch (RunFormatException e) {
                world.say("error: " + e.getMessage());
                exitCode = Math.max(exitCode, CommandLine.ExitCode.SOFTWARE);
            } catch (IOException e) {
                world.say("error: no report of " + directory + ": " + FileReason.of(e));
                exitCode = Math.max(exitCode, CommandLine.ExitCode.SOFTWARE);
            }
        }
        world.out().flush();
        return exitCode;
    }

    /** Before anything is written: whoever named another one meant something else. */
    private static void requireAll(List<Path> directories) {
        Problems problems = new Problems();
        directories.stream()
                .filter(directory -> !SuiteReport.isIn(directory)
                        && !PlanData.isIn(directory)
                        && !Files.isRegularFile(directory.resolve(RunFile.RUN)))
                .forEach(
                        directory -> problems.add(NotARunException.of(directory).getMessage()));
        problems.throwIfAny(ConfigException::new);
    }

    private int report(Path directory) throws IOException {
        if (SuiteReport.isIn(directory)) {
            SuiteReport.Written written = SuiteReport.write(directory);
            return print(directory.resolve("suite.json"), written.text() + written.page());
        }
        if (PlanData.isIn(directory)) {
            ExperimentReport.Written written = ExperimentReport.write(directory);
            return print(directory.resolve("experiment.json"), written.text() + written.page());
        }
        Report.Written written = Report.write(directory);
        if (junit != null) {
            JUnitXml.write(world.workingDirectory().resolve(junit), written.summary());
        }
        written.warnings().forEach(warning -> world.say("warning: " + directory + ": " + warning));
        boolean drill = !written.summary().metrics().faults().isEmpty()
                || written.summary().run().isPlacebo();
        String tables = brief ? written.summary().brief() : written.summary().text();
        return print(directory.resolve(RunFile.SUMMARY), (drill ? tables : "") + written.page());
    }

    private int print(Path document, String text) {
        if (json.given()) {
            return JsonOption.print(world, document) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
        world.out().println(text);
        return CommandLine.ExitCode.OK;
    }
}
