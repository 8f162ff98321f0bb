package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.base.PlainStream;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.declared.DeclaredEngine;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * What a command sees of the process it runs in; read once, so that nothing below asks the system itself.
 *
 * @param in standard input
 * @param out results, and nothing else
 * @param err progress and problems
 * @param workingDirectory relative paths start here
 * @param home folder of the project, for workload files given by their name alone; empty when not started by {@code bin/ycsb}
 * @param environment environment variables
 * @param terminal whether {@code err} is a terminal
 * @param launched whether {@code bin/ycsb} started this process and handled {@code -cp} and {@code -jvm-args}
 * @param engines all engines, those of clusters that a file has described among them
 * @param clusters where clusters that are up are recorded
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
        List<Engine> engines,
        ClusterDirectory clusters) {
    private static final Map<String, String> COLOURS = Map.of("error:", "31", "warning:", "33");

    public CommandContext {
        out = PlainStream.of(out);
        err = PlainStream.of(err);
        environment = Map.copyOf(environment);
        environment.forEach(Secrets::know);
        engines = List.copyOf(engines);
    }

    /** The context of this process. The system properties {@code ycsb.drill.home} and {@code ycsb.drill.terminal} come from the launcher. */
    public static CommandContext ofProcess() {
        Map<String, String> environment = System.getenv();
        ClusterDirectory clusters = ClusterDirectory.of(environment);
        List<Engine> engines = new ArrayList<>(Engine.installed());
        engines.addAll(DeclaredEngine.recorded(clusters, engines));
        Optional<Path> home =
                Optional.ofNullable(System.getProperty("ycsb.drill.home")).map(Path::of);
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
                clusters);
    }

    /** The engines that can start a cluster here, by name. */
    public List<LocalEngine> localEngines() {
        return engines.stream()
                .filter(LocalEngine.class::isInstance)
                .map(LocalEngine.class::cast)
                .sorted(Comparator.comparing(Engine::name))
                .toList();
    }

    /** The engine of that name, if it can start a cluster here. */
    public Optional<LocalEngine> engine(String name) {
        return localEngines().stream().filter(e -> e.name().equals(name)).findFirst();
    }

    /** The engines whose clusters are started for one command when none is up, in their order. */
    public List<LocalEngine> startedOnDemand() {
        return localEngines().stream()
                .filter(LocalEngine::startsOnDemand)
                .sorted(Comparator.comparingInt(Engine::order))
                .toList();
    }

    /** What engines see of this process when these are the properties in effect. */
    public EngineContext engineContext(Properties properties) {
        return new EngineContext(
                properties, environment, workingDirectory, clusters, kind -> managed(kind, properties));
    }

    private Optional<HttpServers> managed(String kind, Properties properties) {
        try {
            for (BindingPlugin binding : BindingPlugin.installed()) {
                Optional<HttpServers> servers =
                        binding.managed(kind, properties, environment).map(s -> s.in(workingDirectory));
                if (servers.isPresent()) {
                    return servers;
                }
            }
            return Optional.empty();
        } catch (DBException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** A path as messages show it: from the working directory on when it is below that. */
    public Path shown(Path path) {
        return path.startsWith(workingDirectory) ? workingDirectory.relativize(path) : path;
    }

    /** Prints one line for the user, beside the result; of a line that nobody would read to its end the beginning. */
    public void say(String line) {
        String text = PlainText.bounded(Secrets.withoutKnown(line));
        int sign = text.indexOf(": ") + 1;
        String colour = sign > 0 && colours() ? COLOURS.getOrDefault(text.substring(0, sign), "") : "";
        if (!colour.isEmpty()) {
            PlainStream.of(err).coloured(colour, text.substring(0, sign));
            text = text.substring(sign);
        }
        err.println(text);
        err.flush();
    }

    private boolean colours() {
        return terminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /** Prints problems, the first of them when there are more than anybody corrects at once. */
    public void sayErrors(List<String> problems) {
        problems.stream().limit(PlainText.MOST_PROBLEMS).forEach(problem -> say("error: " + problem));
        if (problems.size() > PlainText.MOST_PROBLEMS) {
            say("error: and " + (problems.size() - PlainText.MOST_PROBLEMS) + " more problems");
        }
    }

    /** The same context with an engine that a file describes, unless there is one of its name. */
    public CommandContext with(LocalEngine engine) {
        if (engine(engine.name()).isPresent()) {
            return this;
        }
        List<Engine> all = new ArrayList<>(engines);
        all.add(engine);
        return new CommandContext(in, out, err, workingDirectory, home, environment, terminal, launched, all, clusters);
    }

    /**
     * The same context for an unattended command: of the messages only errors.
     *
     * @param results whether there are results
     */
    public CommandContext quiet(boolean results) {
        PrintStream printed = results ? out : new PrintStream(OutputStream.nullOutputStream());
        PrintStream errors = new PrintStream(new ErrorLines(err), true, StandardCharsets.UTF_8);
        return new CommandContext(
                in, printed, errors, workingDirectory, home, environment, false, launched, engines, clusters);
    }

    /** The same context whose relative paths start in another directory. */
    public CommandContext in(Path directory) {
        return new CommandContext(in, out, err, directory, home, environment, terminal, launched, engines, clusters);
    }

    /** Passes on complete lines that begin with {@value #SIGN}, and drops the others. Thread-safe. */
    private static final class ErrorLines extends OutputStream {
        private static final String SIGN = "error: ";

        private final PrintStream to;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        ErrorLines(PrintStream to) {
            this.to = to;
        }

        @Override
        public synchronized void write(int value) {
            if (value != '\n') {
                line.write(value);
                return;
            }
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            if (text.startsWith(SIGN)) {
                to.println(text);
                to.flush();
            }
        }
    }
}
