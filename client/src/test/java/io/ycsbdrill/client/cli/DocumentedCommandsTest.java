package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * Every command of a block of README and docs: that of ours is parsed, as most of them need an engine or hosts; its files and those of
 * other programs of the project are there, and their options in their help.
 */
class DocumentedCommandsTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern OURS =
            Pattern.compile("(?:^|\\s)(?:\\./)?((?:bin|soak|bench|deploy)/[\\w.-]+)((?: .*)?)$");
    private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([^\\s\"']+)");

    /**
     * One command of a page.
     *
     * @param where page and line
     * @param program {@code bin/ycsb}
     * @param words its arguments
     */
    private record Typed(String where, String program, List<String> words) {
        @Override
        public String toString() {
            return where + ": " + program + " " + String.join(" ", words);
        }
    }

    private static Stream<Typed> commands() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md"), PROJECT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Typed> found = new ArrayList<>();
        for (Path page : pages) {
            of(page, found);
        }
        return found.stream();
    }

    private static void of(Path page, List<Typed> found) throws IOException {
        boolean fenced = false;
        boolean block = false;
        String open = "";
        int number = 0;
        for (String line : Files.readAllLines(page)) {
            number++;
            if (line.strip().startsWith("```")) {
                fenced = !fenced;
                block = fenced && line.strip().matches("```(sh|console|bash)?");
                open = "";
            } else if (block && line.endsWith("\\")) {
                open += line.substring(0, line.length() - 1) + " ";
            } else if (block) {
                command(PROJECT.relativize(page) + ":" + number, open + line).ifPresent(found::add);
                open = "";
            }
        }
    }

    private static Optional<Typed> command(String where, String line) {
        Matcher ours = OURS.matcher(line.replaceAll("\\s#.*", ""));
        if (!ours.find()) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(ours.group(2));
        while (word.find() && !word.group().matches("\\||>|2>.*|>.*|<.*|&&|&|;")) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return Optional.of(new Typed(where, ours.group(1), words));
    }

    @Test
    void thereAreMany() throws IOException {
        assertThat(commands().filter(typed -> typed.program().equals("bin/ycsb")))
                .hasSizeGreaterThan(80);
        assertThat(commands()).anyMatch(typed -> typed.program().equals("bin/install-cratedb"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isUnderstood(Typed typed) throws IOException {
        Path program = PROJECT.resolve(typed.program());
        assertThat(program).exists();
        if (typed.program().equals("bin/ycsb")) {
            ours(typed);
        } else if (typed.program().startsWith("bin/install-")) {
            String script = Files.readString(program);
            assertThat(typed.words().stream().filter(word -> word.startsWith("--")))
                    .allMatch(script::contains);
            if (script.contains("--archive FILE|DIR [")) {
                assertThat(typed.words())
                        .as("without it the script ends with exit code 2")
                        .contains("--archive");
            }
        }
    }

    private static void ours(Typed typed) {
        CommandLine root = Main.commandLine(CommandContext.ofProcess());
        ParseResult parsed = root.parseArgs(typed.words().toArray(String[]::new));
        assertThat(parsed.hasSubcommand() || typed.words().stream().anyMatch(word -> word.startsWith("--")))
                .isTrue();
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        List<String> files = new ArrayList<>(parsed.matchedOptionValue("-P", List.of()));
        files.add(parsed.matchedOptionValue("-D", ""));
        assertThat(files.stream().filter(file -> file.startsWith("workloads/")))
                .allSatisfy(file -> assertThat(PROJECT.resolve(file)).exists());
    }
}
