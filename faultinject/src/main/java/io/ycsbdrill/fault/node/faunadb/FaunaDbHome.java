package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.EngineHomes;
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
 * A built tree of FaunaDB, and the Java that runs it. Immutable.
 *
 * @param root the folder that has {@code lib}
 */
public record FaunaDbHome(Path root) implements EngineHomes.Home {
    /** Where it is looked for. */
    public static final EngineHomes<FaunaDbHome> PLACES =
            new EngineHomes<>(FaunaDbEngine.NAME, "FaunaDB", "lib", Optional.empty(), FaunaDbHome::new);

    /** The version of Java that it was built for; newer ones lack what its storage uses. */
    static final int JAVA = 17;

    /** The environment variable that names a Java. */
    static final String JAVA_VARIABLE = "FAUNADB_JAVA_HOME";

    private static final List<String> PARTS = List.of("lib/fauna-service.jar", "lib/jamm.jar");
    private static final Pattern TITLE = Pattern.compile("FaunaDB ([0-9][0-9A-Za-z.]*[0-9A-Za-z]).*");
    private static final Pattern JAVA_VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+).*");

    @Override
    public List<String> missing() {
        return PARTS.stream()
                .filter(part -> !Files.isRegularFile(root.resolve(part)))
                .toList();
    }

    @Override
    public List<String> about(Map<String, String> environment) {
        return List.of("server: FaunaDB " + version() + ", run by "
                + java(environment, Path.of(System.getProperty("java.home"))));
    }

    /** FaunaDB's version by the first line of its README; {@code unknown} when that does not say. */
    public String version() {
        return firstMatch(root.resolve("README.txt"), TITLE).orElse("unknown");
    }

    /**
     * The Java to run it with: {@code FAUNADB_JAVA_HOME}, else the one that runs this program.
     *
     * @param environment as of {@link System#getenv()}
     * @param running the home of the Java that runs this program
     * @throws NodeControlException when that is not version 17
     */
    public static Path java(Map<String, String> environment, Path running) {
        Optional<Path> named = ProgramTree.named(null, environment, JAVA_VARIABLE);
        Path home = named.orElse(running);
        String version = firstMatch(home.resolve("release"), JAVA_VERSION).orElse("of unknown version");
        Path program = home.resolve("bin/java");
        if (!version.equals(Integer.toString(JAVA)) || !Files.isExecutable(program)) {
            throw new NodeControlException(
                    (named.isPresent() ? JAVA_VARIABLE + "=" + home + " is " : "ycsb itself is run by ") + "Java "
                            + version + "; FaunaDB needs Java " + JAVA + ": set " + JAVA_VARIABLE
                            + " to the home of one");
        }
        return program;
    }

    /** {@link #java(Map, Path)} for this process. */
    static Path java() {
        return java(System.getenv(), Path.of(System.getProperty("java.home")));
    }

    /** The first group of the first line that matches. */
    private static Optional<String> firstMatch(Path file, Pattern pattern) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(pattern::matcher)
                    .filter(Matcher::matches)
                    .map(matcher -> matcher.group(1))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
