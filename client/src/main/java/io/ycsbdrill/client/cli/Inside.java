package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cli.process.ThisJvm;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.OutsideNetworkException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/**
 * Runs a command again in a process that is inside a cluster's isolated network, as a process cannot go there by itself. That process is
 * asked to end when this one is, and ends at once when this one is killed.
 */
record Inside(CommandContext world) {
    private static final int END_SECONDS = 65;

    /** Whether this process is such a one: the signals of the terminal are then the business of the one that has started it. */
    static boolean here() {
        return System.getenv(IsolatedNetwork.VARIABLE) != null;
    }

    /**
     * Runs it to its end, with this process's input and output. Must be called by a thread that lives until then.
     *
     * @param arguments of the command, as typed
     * @return its exit code
     */
    int run(OutsideNetworkException outside, List<String> arguments) {
        if (here()) {
            throw new NodeControlException(outside.getMessage() + ": it is in another one already, that of \""
                    + System.getenv(IsolatedNetwork.VARIABLE)
                    + "\"; a command can use one cluster with a network of its own only");
        }
        ProcessBuilder builder = new ProcessBuilder(command(outside, arguments))
                .directory(world.workingDirectory().toFile())
                .redirectInput(world.in() == System.in ? Redirect.INHERIT : Redirect.from(new File("/dev/null")));
        boolean inherited = world.out() == System.out && world.err() == System.err;
        if (inherited) {
            builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
        }
        builder.environment().putAll(ThisJvm.environment());
        builder.environment().put(IsolatedNetwork.VARIABLE, outside.network());
        builder.environment()
                .put(
                        "YCSB_DRILL_STATE",
                        world.clusters().home("any").getParent().toString());
        try {
            Process process = builder.start();
            Thread end = new Thread(() -> end(process), "inside-stop");
            Runtime.getRuntime().addShutdownHook(end);
            Thread said = inherited ? null : copy(process.getErrorStream(), world.err());
            if (said != null) {
                process.getInputStream().transferTo(world.out());
                said.join();
            }
            int exitCode = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(end);
            return exitCode;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    outside.entry().get(0) + " cannot be run, which --" + IsolatedNetwork.SWITCH + " needs: "
                            + e.getMessage(),
                    e);
        } catch (IllegalStateException e) {
            return CommandLine.ExitCode.SOFTWARE; // this process is ending
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static Thread copy(InputStream from, PrintStream to) {
        Thread copy = new Thread(
                () -> {
                    try {
                        from.transferTo(to);
                    } catch (IOException e) {
                        to.println("its messages can no longer be read: " + e.getMessage());
                    }
                },
                "inside-says");
        copy.start();
        return copy;
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The user of a user namespace is its root, whose home and name are not meant. */
    private static List<String> command(OutsideNetworkException outside, List<String> arguments) {
        List<String> command = new ArrayList<>(outside.entry());
        command.addAll(ThisJvm.command());
        command.add("-Duser.home=" + System.getProperty("user.home"));
        command.add("-Duser.name=" + System.getProperty("user.name"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(arguments);
        return command;
    }
}
