package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cli.PageCommands.Typed;
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
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Every command that README, CONTRIBUTING and docs show: one of ours is parsed; files, modules, tests and options that it names are there.
 * What needs neither an engine nor hosts is run, and of what does the plan, where it has one. Of each command of a block it is said which
 * test or script runs it, or why none does.
 */
class DocumentedCommandsTest {
    private static final Path PROJECT = PageCommands.PROJECT;
    private static final String TESTS = "client/src/test/java/io/ycsbdrill/client/cli/";

    /** A command; who runs it and a part of the line there, or after a dash why nobody does. Of several the first one holds. */
    private static final List<String[]> FATES =
            Stream.of("""
            bin/install-(\\w+)( .*)? && .ci/run && bin/install-$1
            bin/ycsb run native -P workloads/workloadb && .ci/run && ./bin/ycsb run native -P workloads/workloadb
            bin/ycsb run native -P workloads/workloadb -p operationcount=.* && distribution/src/test/java/io/ycsbdrill/distribution/ArchiveIT.java && "operationcount=500"
            bin/ycsb run native -P workloads/tpcc .* && EmbeddedWorkloadsIT.java && tpcc.mode
            bin/ycsb run native .* --clients 2 && ClientsIT.java && "--clients"
            bin/ycsb run rest -P workloads/workloadb && EmbeddedDrillIT.java && drill("rest", "rest"
            bin/ycsb load native -P workloads/workloadb && EmbeddedDrillIT.java && "load", "native"
            bin/ycsb shell +native && ShellCommandTest.java && itsOwnEmbeddedClusterIsStopped
            bin/ycsb audit .* && AuditIT.java && ycsb("audit"
            bin/ycsb explore .* && ExploreIT.java && "explore
            bin/ycsb drill native .*-D node-restart .*--audit && soak/fresh-container.sh && bin\\/ycsb drill
            bin/ycsb (doctor|drill) .*-P workload.properties .* && soak/walk-three-hosts.sh && readme '?$1
            bin/ycsb (load|drill|suite) .*--on inventory.yaml.* && InventoryIT.java && "$1"
            bin/ycsb cluster status --inventory .* && InventoryIT.java && "cluster", "status"
            bin/ycsb suite .*--on hosts.yaml && InventoryIT.java && "--on", inventory()
            bin/ycsb .*(db.url|db.hosts|ndb.connectstring|rest.endpoints)=.* && - servers of the reader's
            bin/ycsb drill .* && EmbeddedDrillIT.java && "drill",
            bin/ycsb (experiment|ab|suite|sweep|drill|cluster|report) .*(FILE|DIR|NAME|my|mine|old|gentle|Db |\u2026|ENGINE).* && - a file or a directory of the reader's
            bin/ycsb suite .*--scale .* && SuiteIT.java && "suite"
            bin/ycsb ab native rest .* && AbIT.java && "ab"
            bin/ycsb experiment .* && ExperimentIT.java && "experiment"
            export .* && - sets a variable
            mvnw -B verify.* && .ci/run && ./mvnw -B -T2 verify -Dit.excluded=soak
            mvnw -DskipTests package && .ci/reproducible && -DskipTests -Dspotless.check.skip package
            mvnw -Prelease .* && .ci/release && ./mvnw -q -B -Prelease -DskipTests
            mvnw -q -pl .* && - its modules and tests are looked up
            git ls-files .* && .ci/release && git ls-files '*pom.xml' | xargs sed -i
            (podman|kubectl) .* && soak/kubernetes/images.sh && build --target kubectl
            (cp examples/schedule/|systemctl ).* && ScheduleExamplesTest.java && systemd-analyze
            (ssh|scp|start=|at\\(|all=|ycsb=|wait).* && SeveralClientsTest.java && "--client"
            (apt-get|etcd) .* && - packages of the reader's system
            """.split("\n")).map(line -> line.split(" && ")).toList();

    private static Stream<Typed> commands() throws IOException {
        return PageCommands.all().stream();
    }

    @Test
    void thereAreMany() throws IOException {
        assertThat(commands().filter(Typed::ours).filter(Typed::block)).hasSizeGreaterThan(90);
        assertThat(commands().filter(typed -> !typed.block())).hasSizeGreaterThan(150);
        assertThat(commands()).anyMatch(typed -> typed.program().equals("bin/install-cratedb"));
    }

    @Test
    void eachIsRunSomewhereOrItIsSaidWhyNot() throws IOException {
        Set<String[]> used = new HashSet<>();
        List<String> open = new ArrayList<>();
        Set<String> here =
                new HashSet<>(runnable().map(run -> run.typed().text()).toList());
        for (Typed typed : commands().filter(Typed::block).toList()) {
            // The script runs what these blocks have, and says what it leaves out.
            boolean runByScript =
                    typed.onCluster() && (typed.ours() || typed.program().startsWith("bin/install-"));
            Optional<String[]> fate =
                    FATES.stream().filter(row -> typed.text().matches(row[0])).findFirst();
            fate.ifPresent(used::add);
            if (fate.isEmpty() && !runByScript && !here.contains(typed.text())) {
                open.add(typed.toString());
            }
            if (fate.isPresent() && !fate.get()[1].startsWith("- ")) {
                String part = typed.text()
                        .replaceAll(
                                fate.get()[0],
                                Matcher.quoteReplacement(fate.get()[2]).replace("\\$1", "$1"));
                assertThat(ran(fate.get()[1]))
                        .as("%s: %s", typed, fate.get()[1])
                        .containsPattern(quoted(part));
            }
        }

        assertThat(open).isEmpty();
        assertThat(FATES.stream().filter(row -> !used.contains(row)).map(row -> row[0]))
                .as("said of no command")
                .isEmpty();
    }

    /** A quotation mark that may be there has a ? after it. */
    private static String quoted(String part) {
        return Pattern.quote(part).replace("'?", "\\E'?\\Q");
    }

    private static String ran(String file) throws IOException {
        return Files.readString(PROJECT.resolve(file.contains("/") ? file : TESTS + file));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isUnderstood(Typed typed) throws IOException {
        Path program = PROJECT.resolve(typed.program());
        if (typed.ours()) {
            ours(typed);
        } else if (typed.program().contains("/")) {
            assertThat(program).exists();
        }
        if (typed.program().startsWith("bin/install-")) {
            String script = Files.readString(program);
            assertThat(typed.words().stream().filter(word -> word.startsWith("--")))
                    .allMatch(script::contains);
            if (typed.block() && script.contains("--archive FILE|DIR [")) {
                assertThat(typed.words())
                        .as("without it the script ends with exit code 2")
                        .contains("--archive");
            }
        } else if (typed.program().equals("mvnw")) {
            maven(typed.line());
        }
    }

    /** Maven runs nothing, and says so to nobody, when a test of that name is not there. */
    private static void maven(String line) throws IOException {
        Matcher named =
                Pattern.compile("-pl '?([^ ']+)|-D(?:it\\.)?test='?([\\w,]+)").matcher(line);
        while (named.find()) {
            for (String name :
                    (named.group(1) == null ? named.group(2) : named.group(1).replace("!", "")).split(",")) {
                boolean there = named.group(1) == null
                        ? name.equals("None") || isThere(name + ".java")
                        : Files.exists(PROJECT.resolve(name).resolve("pom.xml"));
                assertThat(there).as(name).isTrue();
            }
        }
    }

    private static boolean isThere(String name) throws IOException {
        try (Stream<Path> files = Files.find(
                PROJECT,
                12,
                (file, is) -> file.endsWith(name) && file.toString().contains("/src/test/"))) {
            return files.findAny().isPresent();
        }
    }

    /** What only an engine, a host or a file of the reader's can answer is parsed only. */
    private static final Pattern READERS =
            Pattern.compile("\u2026|\\.\\.\\.|FILE\\.yaml|DIR|NAME|-cp|--resume|--on|--check"
                    + "|(my|mine|old|new|gentle|hard|results/exploration/).*\\.(yaml|properties)|.* -cp .*");

    /** @param words of a command of ours */
    private record Run(Typed typed, String where, List<String> words) {
        @Override
        public String toString() {
            return where + ": " + String.join(" ", words);
        }
    }

    private static Stream<Run> runnable() throws IOException {
        Set<String> seen = new HashSet<>();
        return commands()
                .filter(typed -> typed.ours()
                        && (typed.block()
                                || typed.line()
                                        .matches("compare A B|doctor|history results|init [a-z]+( --hosts .*)?")))
                .map(typed -> new Run(typed, typed.where(), runnable(typed.where(), typed.words())))
                .filter(run -> !run.words().isEmpty()
                        && run.words().stream().noneMatch(READERS.asMatchPredicate())
                        && seen.add(String.join(" ", run.words())));
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
            case "history", "compare", "merge" ->
                words.stream().map(word -> word.replace("RUN-DIR-", "")).toList();
            case "doctor" -> words.size() == 1 ? words : List.of();
            case "report" ->
                words.stream()
                        .map(word -> word.replaceFirst("^(RUN-DIR|DIR|results/2026.*)$", kept(where)))
                        .toList();
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
    void isRun(Run typed, @TempDir Path root) throws IOException {
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

    /** Not typed by anybody. */
    private static final String NO_COMMAND =
            "(\u2026|COMMAND|run is sound|drill NAME: VERDICT|.*--option value|cluster up \\| status).*";

    private static void ours(Typed typed) {
        if (typed.line().matches(NO_COMMAND)) {
            return;
        }
        List<String> words = typed.words().stream()
                .map(word -> word.replaceAll("[\\[\\]]", ""))
                .filter(word -> typed.block() || !word.matches("\u2026|\\.\\.\\."))
                .toList();
        CommandLine root = Main.commandLine(CommandContext.ofProcess());
        ParseResult parsed;
        try {
            parsed = root.parseArgs(words.toArray(String[]::new));
        } catch (MissingParameterException e) {
            assertThat(typed.block()).as(e.getMessage()).isFalse(); // a sentence may have a part of a command
            return;
        }
        assertThat(parsed.hasSubcommand() || words.stream().anyMatch(word -> word.startsWith("--")))
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
