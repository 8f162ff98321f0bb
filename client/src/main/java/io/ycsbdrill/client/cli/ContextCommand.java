package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** A command with {@code --help} and {@code --version}, which reaches everything outside through its context. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
abstract class ContextCommand implements Callable<Integer> {
    final CommandContext world;

    ContextCommand(CommandContext world) {
        this.world = world;
    }
}
