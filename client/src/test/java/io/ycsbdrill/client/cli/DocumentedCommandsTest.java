package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * Every command of a block of README and docs: that of ours is parsed; its files and those of other programs of the project are there, and
 * their options in their help. What needs neither an engine nor hosts is run, and of what does the plan, where it has one.
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
            } else if (!fenced && line.contains("`compare A B`")) {
                found.add(new Typed(PROJECT.relativize(page) + ":" + number, "bin/ycsb", List.of("compare", "A", "B")));
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

    /** What only an engine, a host or a file of the reader's can answer is parsed only. */
    private static final Pattern READERS =
            Pattern.compile("\u2026|\\.\\.\\.|FILE\\.yaml|DIR|NAME|-cp|--resume|--on|--check"
                    + "|(my|mine|old|new|gentle|hard|results/exploration/).*\\.(yaml|properties)|.* -cp .*");

    private static Stream<Typed> runnable() throws IOException {
        Set<String> seen = new HashSet<>();
        return commands()
                .filter(typed -> typed.program().equals("bin/ycsb"))
                .map(typed -> new Typed(typed.where(), typed.program(), runnable(typed.where(), typed.words())))
                .filter(typed -> !typed.words().isEmpty()
                        && typed.words().stream().noneMatch(READERS.asMatchPredicate())
                        && seen.add(String.join(" ", typed.words())));
    }

    /** What a page calls DIR. */
    private static String kept(String where) {
        return where.startsWith("docs/suites.md")
                ? "suite"
                : where.startsWith("docs/experiments.md") ? "suite/tpcc" : "A";
    }

    /** The command without harm; nothing when it has no such form. */
    private static List<String> runnable(String where, List<String> words) {
        String verb = words.isEmpty() ? "" : words.get(0);
        return switch (verb) {
            case "sweep", "ab", "experiment", "suite" ->
                words.size() == 1 || words.contains("--dry-run") ? words : and(words, "--dry-run");
            case "drill" -> and(words, "--plan");
            // A name that no server of this network knows.
            case "init" ->
                words.stream()
                        .map(word -> word.replaceAll("(db|mgm)(\\d)", "$1$2.invalid"))
                        .toList();
            case "history", "compare", "merge" -> words;
            case "doctor" -> words.size() == 1 ? words : List.of();
            case "report" ->
                words.stream().map(word -> word.replace("DIR", kept(where))).toList();
            default -> List.of();
        };
    }

    private static List<String> and(List<String> words, String option) {
        return Stream.concat(words.stream(), Stream.of(option)).toList();
    }

    @Test
    void mostAreRun() throws IOException {
        assertThat(runnable()).hasSizeGreaterThan(37);
        assertThat(runnable().map(typed -> typed.words().get(0)))
                .contains("report", "compare", "merge", "history", "doctor", "init", "drill", "suite");
    }

    @ParameterizedTest
    @MethodSource("runnable")
    void isRun(Typed typed, @TempDir Path root) throws IOException {
        World world = new World(root)
                .with()
                .environment("XDG_CACHE_HOME", root.toString())
                .environment("CRATEDB_HOME", root.toString());
        Files.createSymbolicLink(root.resolve("home"), PROJECT);
        Path here = world.directory();
        copy("runs/v1/node-restart", here.resolve("A"));
        copy("runs/v1/node-restart", here.resolve("B"));
        copy("suites/warp-tpcc-partial", here.resolve("suite"));
        // As many as the newest one needs to be judged.
        for (int day = 1; typed.words().get(0).equals("history") && day <= 6; day++) {
            Path json = copy("runs/v1/node-restart", here.resolve("results/run" + day))
                    .resolve("run.json");
            Files.writeString(json, Files.readString(json).replace("2026-11-20T", "2026-11-0" + day + "T"));
        }
        if (typed.words().get(0).equals("merge")) {
            parts(world);
        } else {
            copy("runs/v1/plain", here.resolve("both"));
        }

        int exitCode = world.execute(typed.words().toArray(String[]::new));

        // A plan that lacks something here says what, and ends with 2.
        assertThat(exitCode).as(world.err()).isIn(typed.words().contains("--plan") ? List.of(0, 2) : List.of(0));
        assertThat(world.out()).as(world.err()).isNotBlank();
        Files.delete(root.resolve("home")); // else its removal is warned of
    }

    private static Path copy(String kept, Path to) throws IOException {
        Path from = Path.of("../report/src/test/resources").resolve(kept);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return to;
    }

    /** The runs of two clients, on a table in memory. */
    private static void parts(World world) {
        for (String verb : List.of("load", "run")) {
            for (int i = 1; i <= 2; i++) {
                world.execute(
                        verb,
                        StoreDb.class.getName(),
                        "-p",
                        "workload=site.ycsb.workloads.CoreWorkload",
                        "-p",
                        "recordcount=20",
                        "-p",
                        "operationcount=40",
                        "-p",
                        "store=" + world.directory(),
                        "--client",
                        i + "/2",
                        "--out",
                        verb + i);
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
