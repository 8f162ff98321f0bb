package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.OutsideNetworkException;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import site.ycsb.DBException;

/**
 * Turns an exception into a message and an exit code.
 *
 * @param typed the command line, without what the environment adds
 */
record ErrorMessages(CommandContext world, List<String> typed) {
    /** The command line itself is wrong. */
    int badUsage(ParameterException error, String[] arguments) {
        CommandSpec command = error.getCommandLine().getCommandSpec();
        world.say("error: "
                + (error instanceof UnmatchedArgumentException unmatched
                        ? unmatched(unmatched, command)
                        : error.getMessage()));
        world.say("see: " + command.qualifiedName() + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    private static String unmatched(UnmatchedArgumentException error, CommandSpec command) {
        String typed = error.getUnmatched().get(0);
        if (typed.startsWith("-")) {
            return "unknown option \"" + typed + "\""
                    + NearestName.hint(typed, List.copyOf(command.optionsMap().keySet()));
        }
        if (!command.subcommands().isEmpty()) {
            return "unknown command \"" + typed + "\""
                    + NearestName.hint(typed, List.copyOf(command.subcommands().keySet()));
        }
        return "unexpected argument \"" + typed + "\"";
    }

    /** The command could not be done. */
    int failed(Exception error, CommandLine command, ParseResult parsed) {
        if (error instanceof OutsideNetworkException outside) {
            return inside(outside, command, parsed);
        }
        if (error instanceof ConfigException config) {
            world.sayErrors(config.problems());
            return CommandLine.ExitCode.USAGE;
        }
        if (error instanceof NodeControlException
                || error instanceof UncheckedIOException
                || error instanceof DBException) {
            world.say("error: " + error.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        return bug(error);
    }

    /** The command could not be done here, but can be inside the cluster's network. */
    private int inside(OutsideNetworkException outside, CommandLine command, ParseResult parsed) {
        try {
            return new Inside(world).run(outside, typed);
        } catch (NodeControlException | UncheckedIOException e) {
            return failed(e, command, parsed);
        }
    }

    private int bug(Exception error) {
        world.say("error: " + error + "; this is a bug of ycsb-drill, please report it with these lines:");
        error.printStackTrace(world.err());
        return CommandLine.ExitCode.SOFTWARE;
    }
}
