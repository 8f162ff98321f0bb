package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A command context in a folder, with what was said kept. */
public final class World {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Path root;
    private final Map<String, String> environment = new HashMap<>();
    private List<Engine> engines = List.of();
    private String in = "";

    public World(Path root) {
        this.root = root;
    }

    /** These engines, and the installed ones of other names. */
    public World with(Engine... all) {
        engines = Stream.concat(Stream.of(all), Engine.installed().stream().filter(other -> Stream.of(all)
                        .noneMatch(e -> e.name().equals(other.name()))))
                .toList();
        return this;
    }

    /** No other engines than these. */
    World withOnly(Engine... all) {
        engines = List.of(all);
        return this;
    }

    public World environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    World typing(String lines) {
        in = lines;
        return this;
    }

    /** Writes a file under the working directory. */
    public World file(String name, String content) {
        return write(root.resolve("cwd").resolve(name), content);
    }

    /** Writes a file under the project's home. */
    World homeFile(String name, String content) {
        return write(root.resolve("home").resolve(name), content);
    }

    private World write(Path file, String content) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory() {
        return root.resolve("cwd");
    }

    public ClusterDirectory clusters() {
        return new ClusterDirectory(root.resolve("state"));
    }

    public CommandContext surroundings() {
        return surroundings(false);
    }

    /** The same, whose user can be asked. */
    CommandContext terminal() {
        return surroundings(true);
    }

    private CommandContext surroundings(boolean terminal) {
        try {
            Files.createDirectories(directory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new CommandContext(
                new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                directory(),
                Optional.of(root.resolve("home")),
                environment,
                terminal,
                true,
                engines,
                clusters());
    }

    int execute(String... arguments) {
        if (List.of(arguments).containsAll(List.of("cluster", "up"))) {
            Orphans.guard(root);
        }
        return Main.execute(surroundings(), arguments);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
