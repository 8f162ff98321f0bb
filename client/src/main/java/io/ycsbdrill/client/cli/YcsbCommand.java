package io.ycsbdrill.client.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "ycsb",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Runs YCSB workloads against a database cluster while its nodes fail.",
        footer = {
            "",
            "Start with:  ycsb init        writes the files of a first drill%n             ycsb doctor      says what this machine has and what is missing",
            "Or run:      ycsb drill native -P workloads/workloadb -D node-restart%n               -threads 4 --audit",
            "Exit codes:  0 valid, 1 failed or incomplete, 2 usage or configuration,%n             3 a drill missed its limits"
        })
final class YcsbCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
