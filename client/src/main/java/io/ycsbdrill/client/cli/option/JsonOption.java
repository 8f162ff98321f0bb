package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --json} of a command that prints a result; a picocli mixin. */
public final class JsonOption {
    @Option(
            names = "--json",
            description = "For scripts: print the result as JSON on standard output, and nothing else there.")
    private boolean given;

    public boolean given() {
        return given;
    }

    /** @throws ConfigException when nothing is run, so that there is no result */
    public static void requireRun(boolean json, boolean dryRun) {
        requireResult(json, dryRun, "--dry-run");
    }

    /**
     * Refuses it beside an option in whose place the command does something else.
     *
     * @param other whether that is given
     * @throws ConfigException when both are
     */
    public static void requireResult(boolean json, boolean other, String name) {
        if (json && other) {
            throw new ConfigException("--json prints results, and " + name + " makes none; leave one of them out");
        }
    }

    /**
     * Prints a document as it is in its file.
     *
     * @return false when there is none, as of a run that was killed
     */
    public static boolean print(CommandContext world, Path file) {
        try {
            world.out().print(Files.readString(file));
            world.out().flush();
            return true;
        } catch (IOException e) {
            world.say("error: --json: " + FileReason.of(e));
            return false;
        }
    }
}
