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
        description = "YCSB against a cluster whose nodes fail.",
        footer = {
            "",
            "Start with:  ycsb init, which writes the files of a drill of your cluster, or of one on this machine",
            "Or run:      ycsb drill native -P workloads/workloadb -D node-restart -threads 4 --audit",
            "Exit codes:  0 valid, 1 failed or incomplete, 2 usage or configuration, 3 a drill missed its limits."
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
