package io.ycsbdrill.client.cluster;

import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.LocalEngine;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * What a command sees of the process it runs in; read once, so that nothing below asks the system itself.
 *
 * @param in standard input
 * @param out results, and nothing else
 * @param err everything said along the way
 * @param workingDirectory relative paths start here
 * @param home folder of the project, for workload files given by their name alone; empty when not started by {@code bin/ycsb}
 * @param environment environment variables
 * @param terminal whether {@code err} is a terminal
 * @param launched whether {@code bin/ycsb} started this process and saw to {@code -cp} and {@code -jvm-args}
 * @param engines the engines that can start a cluster here
 * @param clusters where clusters that are up are written down
 */
public record CommandContext(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Path workingDirectory,
        Optional<Path> home,
        Map<String, String> environment,
        boolean terminal,
        boolean launched,
        List<LocalEngine> engines,
        ClusterDirectory clusters) {
    public CommandContext {
        environment = Map.copyOf(environment);
        engines = List.copyOf(engines);
    }

    /** Those of this process. The system properties {@code ycsb.drill.home} and {@code ycsb.drill.terminal} come from the launcher. */
    public static CommandContext ofProcess() {
        Map<String, String> environment = System.getenv();
        Optional<Path> home =
                Optional.ofNullable(System.getProperty("ycsb.drill.home")).map(Path::of);
        List<LocalEngine> engines = ServiceLoader.load(LocalEngine.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return new CommandContext(
                System.in,
                System.out,
                System.err,
                Path.of("").toAbsolutePath(),
                home,
                environment,
                Boolean.getBoolean("ycsb.drill.terminal"),
                home.isPresent(),
                engines,
                ClusterDirectory.of(environment));
    }

    /** The engine of that name. */
    public Optional<LocalEngine> engine(String name) {
        return engines.stream().filter(e -> e.name().equals(name)).findFirst();
    }

    /** Says one line to the user, beside the result. */
    public void say(String line) {
        err.println(line);
        err.flush();
    }

    /** The same for a command that nobody watches: no results, and of what is said only what went wrong. */
    public CommandContext quiet() {
        return new CommandContext(
                in,
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(new ErrorLines(err), true, StandardCharsets.UTF_8),
                workingDirectory,
                home,
                environment,
                false,
                launched,
                engines,
                clusters);
    }
}
