package io.ycsbdrill.fault.node.harper;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An installation of Harper's open-source version, and the Node.js that runs it. Immutable.
 *
 * @param root the folder that has {@code dist/bin/harperdb.js}
 */
public record HarperHome(Path root) implements EngineHomes.Home {
    /** Where it is looked for. */
    public static final EngineHomes<HarperHome> PLACES =
            new EngineHomes<>(HarperEngine.NAME, "Harper", "dist", Optional.empty(), HarperHome::new);

    /** The oldest Node.js that Harper runs on. */
    static final int OLDEST_NODE = 20;

    private static final String SERVER = "dist/bin/harperdb.js";
    private static final List<String> PARTS = List.of(SERVER, "package.json", "node_modules");
    private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\..*");

    @Override
    public List<String> missing() {
        return PARTS.stream().filter(part -> !Files.exists(root.resolve(part))).toList();
    }

    @Override
    public List<String> about(Map<String, String> environment) {
        return List.of("server: Harper " + version() + ", run by " + requiredNode(environment));
    }

    /** Harper's version as its package says; {@code unknown} when it does not. */
    public String version() {
        return Io.or("unknown", () -> new ObjectMapper()
                .readTree(root.resolve("package.json").toFile())
                .path("version")
                .asText("unknown"));
    }

    Path server() {
        return root.resolve(SERVER);
    }

    /**
     * The Node.js that is to run it: {@code HARPER_NODE}, which is taken whatever it is, else {@code node} in the {@code PATH}.
     *
     * @param environment as of {@link System#getenv()}
     */
    public static Optional<Path> node(Map<String, String> environment) {
        Optional<Path> named = ProgramTree.named(null, environment, "HARPER_NODE");
        return named.isPresent()
                ? named
                : Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                        .filter(folder -> !folder.isBlank())
                        .map(folder -> Path.of(folder, "node").toAbsolutePath())
                        .filter(Files::isExecutable)
                        .findFirst();
    }

    /** Why this Node.js cannot run Harper; empty when it can. Runs {@code node --version}. */
    public static Optional<String> unfit(Path node) {
        try {
            String version = ProgramOutput.of(List.of(node.toString(), "--version"), ProgramTree.ASKING)
                    .firstLine();
            Matcher number = NODE_VERSION.matcher(version);
            return number.matches() && Integer.parseInt(number.group(1)) >= OLDEST_NODE
                    ? Optional.empty()
                    : Optional.of(node + " is Node.js " + version + "; Harper needs " + OLDEST_NODE + " or newer");
        } catch (IOException e) {
            return Optional.of(node + " does not run: " + e.getMessage());
        }
    }

    /** @throws NodeControlException when there is no Node.js that can run Harper */
    static Path requiredNode(Map<String, String> environment) {
        Path node = node(environment)
                .orElseThrow(() -> new NodeControlException("no Node.js in the PATH; Harper needs Node.js "
                        + OLDEST_NODE + " or newer: install it, or set HARPER_NODE to its program"));
        unfit(node).ifPresent(reason -> {
            throw new NodeControlException(reason + "; set HARPER_NODE to another one");
        });
        return node;
    }
}
