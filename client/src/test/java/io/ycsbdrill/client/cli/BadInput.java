package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What holds for everything that a user can do wrong, whatever it is; the tables of the tests have one line for each. */
final class BadInput {
    /** Given as a password in the tables; no message may show it. */
    static final String SECRET = "hunter2";

    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final Pattern CLASS = Pattern.compile("\\b[a-z]+(?:\\.[a-z0-9]+)+\\.[A-Z]\\w+");
    private static final String OF_YCSB = "site.ycsb.";

    final FakeEngine engine = new FakeEngine("embedded");
    private final Path root;

    BadInput(Path root) {
        this.root = root;
    }

    World world() {
        return new World(root).with(engine).environment("XDG_CACHE_HOME", root.toString());
    }

    /**
     * Types a line and demands a refusal that helps: the exit code, every part of the message, nothing that only a programmer
     * understands, no secret, nothing started, and no file made, changed or lost.
     *
     * @param typed blanks separate words; {@code 'two words'} are one
     * @param parts of the message, separated by {@code ;;}; {@code ROOT} is the folder of the test
     */
    void refused(String typed, int exitCode, String parts) {
        engine.calls.clear();
        World world = world();
        world.surroundings();
        SortedMap<String, String> before = files();

        int actual = world.execute(words(typed).toArray(String[]::new));

        String said = world.err() + world.out();
        assertThat(actual).as("exit code of: %s%n%s", typed, said).isEqualTo(exitCode);
        understandable(typed, said);
        for (String part : parts.split(";;")) {
            assertThat(said).as(typed).contains(part.strip().replace("ROOT", root.toString()));
        }
        assertThat(files()).as("files after: %s%n%s", typed, said).isEqualTo(before);
        assertThat(engine.calls).as("started by: %s", typed).doesNotContain("up OWNED {}", "up DETACHED {}");
    }

    /** No stack trace, no class that the user has not named, no secret, and not the same thing twice. */
    static void understandable(String typed, String said) {
        assertThat(said)
                .as(typed)
                .doesNotContain("\tat ", "Exception", "this is a bug", SECRET)
                .doesNotContainPattern("(?<!')\\bnull\\b")
                .doesNotContainPattern("\\(at [^)]*:\\d+\\)");
        Matcher classes = CLASS.matcher(said);
        while (classes.find()) {
            String name = classes.group();
            assertThat(name.startsWith(OF_YCSB) || typed.contains(name))
                    .as("%s: class %s in: %s", typed, name, said)
                    .isTrue();
        }
        List<String> lines =
                said.lines().filter(line -> line.startsWith("error: ")).toList();
        assertThat(lines).as(typed).doesNotHaveDuplicates();
    }

    static List<String> words(String typed) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(typed);
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        return words;
    }

    /** Every path under the folder of the test, with what is in it. */
    SortedMap<String, String> files() {
        try (Stream<Path> all = Files.walk(root)) {
            SortedMap<String, String> files = new TreeMap<>();
            for (Path path : all.toList()) {
                boolean file = Files.isRegularFile(path);
                files.put(
                        root.relativize(path).toString(),
                        file ? Files.size(path) + " bytes, " + Arrays.hashCode(Files.readAllBytes(path)) : "directory");
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
