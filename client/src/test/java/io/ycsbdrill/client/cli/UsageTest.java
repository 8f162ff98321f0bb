package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Everything that must end with exit code 2 before anything starts, and what is said about it. */
class UsageTest {
    private static final String GOOD = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=10\n";

    @TempDir
    private Path root;

    private World world;
    private final FakeEngine embedded = new FakeEngine("embedded");

    @BeforeEach
    void world() {
        world = new World(root).with(embedded).file("good", GOOD).homeFile("workloads/workloadb", GOOD);
    }

    private void refused(String expected, String... arguments) {
        int exitCode = world.execute(arguments);

        assertThat(world.err()).contains(expected);
        assertThat(exitCode).isEqualTo(2);
        assertThat(world.out()).isEmpty();
        assertThat(embedded.calls).isEmpty();
        assertThat(world.directory().resolve("results")).doesNotExist();
    }

    /** Each by the name that it has for itself; and alone where it is typed, as all of them take time. */
    @Test
    void theCommandThatIsTypedIsMadeAlone() {
        Map<String, CommandLine> all = Main.commandLine(world.surroundings()).getSubcommands();

        assertThat(all).hasSizeGreaterThan(15).allSatisfy((name, command) -> assertThat(command.getCommandName())
                .isEqualTo(name));
        assertThat(Main.commandLine(world.surroundings(), "run", "drill").getSubcommands())
                .containsOnlyKeys("run");
        assertThat(Main.commandLine(world.surroundings(), "rnu").getSubcommands())
                .containsOnlyKeys(all.keySet());
        assertThat(Main.commandLine(world.surroundings(), "generate-completion").getSubcommands())
                .containsOnlyKeys(all.keySet());
    }

    @ParameterizedTest
    @CsvSource({
        "rnu native,did you mean \"run\"?",
        "lod native,did you mean \"load\"?",
        "frobnicate,unknown command \"frobnicate\"",
        "run natvie -P good,did you mean \"native\"?",
        "run mongodb -P good,unknown binding \"mongodb\"",
        "run com.example.NoSuchDb -P good,class com.example.NoSuchDb is not on the class path",
        "run java.lang.String -P good,does not extend site.ycsb.DB",
        "run -P good,no binding given",
        "run native -P goood,did you mean",
        "run native -P workloads/workloadbb,workloads/workloadb\"?",
        "run native,no workload: give a workload file",
        "run native -P good extra,unexpected argument \"extra\"",
        "run native -P good --thread 3,unknown option \"--thread\"",
        "run native -P good -thread 3,did you mean \"-threads\"?",
        "run native -P good --widnow 1s,did you mean \"--window\"?",
        "run native -P good -p operationcount,is not KEY=VALUE",
        "run native -P good -threads 0,threadcount=0 is not a whole number from 1 to",
        "run native -P good -threads many,threadcount=many",
        "run native -P good -target -1,target",
        "run native -P good --window 10,\"10\" has no unit; expected a number with a unit",
        "run native -P good --window 150ms,--window 150ms is not a multiple of 100ms",
        "run native -P good --window 61s,--window 61s is not a multiple of 100ms from 100ms to 60s",
        "run native -P good --duration 0s,--duration 0s is not longer than 0",
        "run native -P good --after-stall catchp,did you mean \"catchup\"?",
        "run native -P good -target 5 --after-stall cap:0,cap:=0 is not",
        "run native -P good --rate 5@3s,does not give the rate from 0s on",
        "run native -P good --rate 5 -target 7,exclude each other",
        "run native -P good --seed x,--seed=x is not a whole number",
        "run native -P good --engine embeded,did you mean \"embedded\"?",
        "run basic -P good --engine embedded,--engine goes with the binding native only",
        "run native -P good -p requestdistribution=zipfain,did you mean \"zipfian\"?",
        "run native -P good -p insertstart=5 -p insertcount=6,is more than recordcount=10",
        "run native -P good -p readproportion=2,readproportion=2 is not a number of at least 0 and at most 1",
        "run native -P good -p workload=com.yahoo.ycsb.workloads.EuroSysWorkload,is its jar missing from -cp?",
        "run native -P good -p operationcount=0,operationcount is not set",
        "load native -P good -p recordcount=0,there is nothing to load",
        "run native -P good -p dataintegrity=true -p fieldlengthdistribution=uniform,needs fieldlengthdistribution=constant",
        "run native -P good --start-at soon,--start-at: \"soon\" is not a time with its offset from UTC",
        "run native -P good --start-at 2026-11-21T14:00:00,is not a time with its offset from UTC",
        "run native -P good --start-at 2001-02-03T04:05:06Z,ago by this machine's clock",
        "load native -P good --start-at +10,--start-at: \"10\" has no unit; expected a number with a unit",
        "run native -P good --start-at +25h,the longest wait is 24 hours",
        "run native -P good --client 4/3,\"4/3\" is not I/N",
        "load native -P good --client 1/2 -p insertcount=5,--client 1/2 and insertcount=5 exclude each other",
        "load native -P good --client 11/11,insertcount=10 is too small for 11 clients; give fewer clients or a larger recordcount",
        "run native -P good --client 11/11,operationcount=10 is too small for 11 clients",
        "load native -P good --client 1/2 --resume nowhere,--resume and --client exclude each other",
        "run native -P good --client 1/2 --audit,--audit and --client 1/2 exclude each other",
        "run native -P good --clients 0,--clients=0 is not a whole number from 1 to 256",
        "load native -P good --clients 11,--clients 11: insertcount=10 is too small for 11 clients; give fewer clients",
        "load native -P good --clients 2 -p insertstart=5,--clients 2 and insertstart=5 exclude each other",
        "run native -P good --clients 2 -p workload=site.ycsb.workloads.TimeSeriesWorkload,can be shared out",
        "run native -P good --client 1/2 -p workload=site.ycsb.workloads.TimeSeriesWorkload,can be shared out",
        "merge one --out both,merge needs at least two run directories",
        "merge one two,--out",
        "cluster upp,did you mean \"up\"?",
        "cluster up embeded,did you mean \"embedded\"?",
        "cluster up --data-node 3,did you mean \"--data-nodes\"?"
    })
    void isRefusedWithTheNextStep(String line, String expected) {
        refused(expected, line.split(" "));
    }

    @Test
    void whatAMissingFileMayHaveIsNotReportedAsMissing() {
        refused("-P workloads/workloadbb: no such file", "run", "native", "-P", "workloads/workloadbb");

        assertThat(world.err().lines().filter(line -> line.startsWith("error: ")))
                .hasSize(1);
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        refused(
                "threadcount=x",
                "run",
                "natvie",
                "-P",
                "missing",
                "-P",
                "good",
                "-threads",
                "x",
                "--window",
                "7",
                "--warmup",
                "5");

        assertThat(world.err().lines().filter(line -> line.startsWith("error: ")))
                .hasSize(5)
                .anyMatch(line -> line.contains("-P missing"))
                .anyMatch(line -> line.contains("--warmup"));
    }

    @Test
    void aRunDirectoryThatIsNotEmptyIsRefused() {
        world.file("old/run.json", "{}");

        refused("is not an empty directory", "run", "native", "-P", "good", "--out", "old");
    }

    @Test
    void withoutACommandTheUsageIsShown() {
        assertThat(world.execute()).isEqualTo(2);
        assertThat(world.err()).contains("Usage: ycsb");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelp(String command) {
        List<String> words = command.isEmpty() ? List.of() : List.of(command.split(" "));
        String[] arguments = new String[words.size() + 1];
        words.toArray(arguments);
        arguments[words.size()] = "--help";

        String complaints =
                standardError(() -> assertThat(world.execute(arguments)).isZero());

        assertThat(world.out()).contains("Usage: ycsb " + command).contains("--help");
        assertThat(world.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(world.err()).isEmpty();
        assertThat(complaints)
                .as("a percent sign in a description is written %%")
                .isEmpty();
    }

    /** A line that is too long would be broken without its indentation. */
    @ParameterizedTest
    @MethodSource("commands")
    void linesBelowTheOptionsAreNotBroken(String command) {
        CommandLine found = Main.commandLine(world.surroundings());
        for (String word : command.isEmpty() ? new String[0] : command.split(" ")) {
            found = found.getSubcommands().get(word);
        }
        String[] footer = found.getCommandSpec().usageMessage().footer();

        assertThat(String.format(String.join("%n", footer)).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    /** All of them, and theirs; the one that makes completion has picocli's help. */
    private static Stream<String> commands() {
        return names(Main.commandLine(new World(Path.of("target", "usage")).surroundings()), "");
    }

    private static Stream<String> names(CommandLine command, String name) {
        return Stream.concat(
                Stream.of(name),
                command.getSubcommands().entrySet().stream()
                        .filter(entry -> !entry.getKey().equals("generate-completion"))
                        .flatMap(entry -> names(entry.getValue(), (name + " " + entry.getKey()).strip())));
    }

    /** What is written to the process's own standard error, where picocli complains. */
    private static String standardError(Runnable action) {
        PrintStream before = System.err;
        ByteArrayOutputStream caught = new ByteArrayOutputStream();
        System.setErr(new PrintStream(caught, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return caught.toString(StandardCharsets.UTF_8);
    }

    @Test
    void optionsThatCommandsShareAreBelowHeadings() {
        world.execute("drill", "--help");

        assertThat(world.out())
                .containsSubsequence(
                        "--plan",
                        "Database and workload:",
                        "-P",
                        "Load:",
                        "--rate",
                        "Run:",
                        "--window",
                        "Several clients:");
    }

    @Test
    void completionKnowsValues() {
        assertThat(world.execute("generate-completion")).isZero();

        assertThat(world.out()).contains("ENGINE_pos_param_args=(\"ndb\" \"galera\"", "\"native\" \"jdbc\" \"rest\"");
    }

    @Test
    void onATerminalSignsAreColouredUnlessTheUserWantsNone() {
        Main.execute(world.terminal(), "run");
        assertThat(world.err()).contains("\033[31merror:\033[0m no binding given");

        World plain = new World(root).with(embedded).environment("NO_COLOR", "1");
        Main.execute(plain.terminal(), "run");
        assertThat(plain.err()).contains("error: no binding given").doesNotContain("\033");
    }

    @Test
    void theVersionIsTold() {
        assertThat(world.execute("--version")).isZero();
        assertThat(world.out()).startsWith("ycsb-drill ").contains("Java");
    }
}
