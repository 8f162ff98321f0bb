package io.ycsbdrill.client.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Whether an experiment is only shown, begun or continued; a picocli mixin. */
final class ExperimentOptions {
    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue the experiment in DIR: only what is not complete there is run.")
    Path resume;

    @Option(
            names = "--dry-run",
            description = "Only show the cells, their order, their commands and the expected time; starts nothing.")
    boolean dryRun;
}
