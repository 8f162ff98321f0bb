package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.cli.option.EnvironmentOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Options by environment variables: as if they were typed, and checked like those. */
class EnvironmentOptionsTest {
    private static final String GOOD = "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=10\n";

    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).with(new FakeEngine("embedded")).file("good", GOOD);
    }

    private List<String> line(Map<String, String> environment, String... typed) {
        return List.of(EnvironmentOptions.of(Main.commandLine(world.surroundings()), environment, typed)
                .arguments());
    }

    @Test
    void aVariableIsAsIfItsOptionWereTyped() {
        assertThat(line(
                        Map.of("YCSB_DRILL_THREADS", "4", "YCSB_DRILL_AUDIT", "true", "YCSB_DRILL_LIVE", "8080"),
                        "run",
                        "native",
                        "-P",
                        "good"))
                .startsWith("run")
                .containsSequence("-threads", "4")
                .contains("--audit=true", "--live=8080")
                .endsWith("native", "-P", "good");
    }

    @Test
    void whatIsTypedCountsFirst() {
        Map<String, String> threads = Map.of("YCSB_DRILL_THREADS", "4");

        assertThat(line(threads, "run", "native", "-threads", "2")).containsExactly("run", "native", "-threads", "2");
        assertThat(line(threads, "run", "native", "-threads=2")).containsExactly("run", "native", "-threads=2");
    }

    @Test
    void aTypedPropertyCountsBeforeAVariableThatWouldSetIt() {
        assertThat(line(Map.of("YCSB_DRILL_THREADS", "4"), "run", "native", "-p", "threadcount=32"))
                .containsExactly("run", "native", "-p", "threadcount=32");
        assertThat(line(Map.of("YCSB_DRILL_TARGET", "4"), "run", "native", "-ptarget=32"))
                .containsExactly("run", "native", "-ptarget=32");
        assertThat(line(Map.of("YCSB_DRILL_DURATION", "10s"), "run", "native", "-p=maxexecutiontime=60"))
                .containsExactly("run", "native", "-p=maxexecutiontime=60");
        assertThat(line(Map.of("YCSB_DRILL_THREADS", "4"), "run", "native", "-p", "target=32"))
                .contains("-threads", "4");
    }

    @Test
    void aTypedRateCountsInPlaceOfTheOtherKindOfRate() {
        assertThat(line(Map.of("YCSB_DRILL_RATE", "60%"), "run", "native", "-p", "target=32"))
                .containsExactly("run", "native", "-p", "target=32");
        assertThat(line(Map.of("YCSB_DRILL_RATE", "60%"), "drill", "native", "-target", "32"))
                .containsExactly("drill", "native", "-target", "32");
        assertThat(line(Map.of("YCSB_DRILL_TARGET", "32"), "run", "native", "--rate", "max"))
                .containsExactly("run", "native", "--rate", "max");
        assertThat(line(Map.of("YCSB_DRILL_RATE", "60%"), "run", "native", "-p", "targets=32"))
                .contains("--rate", "60%");
    }

    @Test
    void typedPropertiesAddToThoseOfTheVariableAndCountLast() {
        assertThat(line(Map.of("YCSB_DRILL_PROPERTY", "a=1\nb=2"), "run", "native", "-p", "a=3"))
                .containsExactly("run", "-p", "a=1", "-p", "b=2", "native", "-p", "a=3");
    }

    @Test
    void aValueMayBeAttachedToATypedLetter() {
        Map<String, String> drill = Map.of("YCSB_DRILL_DRILL", "x");

        assertThat(line(drill, "drill", "native", "-Dnode-kill")).containsExactly("drill", "native", "-Dnode-kill");
        assertThat(line(drill, "drill", "native", "-jvm-args", "-Da=b")).contains("-D", "x");
    }

    @Test
    void noVariableTurnsEveryDrillIntoNone() {
        for (String mode : List.of("PLAN", "LIST", "DRY_RUN", "CHECK")) {
            String variable = "YCSB_DRILL_" + mode;
            EnvironmentOptions options = EnvironmentOptions.of(
                    Main.commandLine(world.surroundings()), Map.of(variable, "true"), "drill", "native");

            assertThat(options.arguments()).containsExactly("drill", "native");
            assertThat(options.warnings())
                    .singleElement()
                    .asString()
                    .contains(variable + " is no option of any command");
        }
    }

    @Test
    void theVariableOfJsonDoesNotRefuseWhatHasNoResult() {
        Map<String, String> json = Map.of("YCSB_DRILL_JSON", "true");

        for (String command : List.of("sweep", "experiment", "suite", "ab")) {
            assertThat(line(json, command, "x", "--dry-run")).containsExactly(command, "x", "--dry-run");
            assertThat(line(json, command, "x")).contains("--json=true");
        }
        for (String mode : List.of("--list", "--plan", "--check=d", "--dry-run")) {
            assertThat(line(json, "drill", mode)).containsExactly("drill", mode);
        }
    }

    @Test
    void anEmptyVariableIsNotIgnoredSilently() {
        EnvironmentOptions options = EnvironmentOptions.of(
                Main.commandLine(world.surroundings()), Map.of("YCSB_DRILL_THREADS", ""), "run", "native");

        assertThat(options.arguments()).containsExactly("run", "native");
        assertThat(options.used()).isEmpty();
        assertThat(options.warnings()).singleElement().asString().contains("YCSB_DRILL_THREADS is empty");
    }

    @Test
    void anOptionThatMayBeRepeatedHasALineForEachValue() {
        assertThat(line(Map.of("YCSB_DRILL_PROPERTY", "a=1\nb=2"), "run", "native"))
                .containsExactly("run", "-p", "a=1", "-p", "b=2", "native");
    }

    @Test
    void commandsWithoutTheOptionDoNotSeeIt() {
        assertThat(line(Map.of("YCSB_DRILL_THREADS", "4"), "report", "x")).containsExactly("report", "x");
        assertThat(line(Map.of("YCSB_DRILL_DATA_NODES", "5"), "cluster", "up")).contains("--data-nodes", "5");
        assertThat(line(Map.of("YCSB_DRILL_HELP", "true"), "run", "native")).containsExactly("run", "native");
    }

    @Test
    void aWrongValueIsRefusedNamingTheVariableAndNoSecret() {
        world.environment("YCSB_DRILL_THREADS", "many").environment("YCSB_DRILL_PROPERTY", "db.passwd=hunter2");

        assertThat(world.execute("run", "native", "-P", "good")).isEqualTo(2);
        assertThat(world.err())
                .contains(
                        "threadcount=many is not a whole number",
                        "options of this command from the environment: ",
                        "YCSB_DRILL_THREADS",
                        "YCSB_DRILL_PROPERTY")
                .doesNotContain("hunter2");
    }

    @Test
    void aSwitchThatIsNoBooleanIsRefusedNamingTheVariable() {
        world.environment("YCSB_DRILL_AUDIT", "maybe");

        assertThat(world.execute("run", "native", "-P", "good")).isEqualTo(2);
        assertThat(world.err()).contains("'maybe' is not a boolean", "YCSB_DRILL_AUDIT");
    }

    @Test
    void aMisspeltVariableIsNotIgnoredSilently() {
        world.environment("YCSB_DRILL_THREDS", "4");

        world.execute("report", "nothing");

        assertThat(world.err())
                .contains(
                        "warning: the environment variable YCSB_DRILL_THREDS is no option of any command; did you mean"
                                + " \"YCSB_DRILL_THREADS\"?");
    }

    @Test
    void whatIsSetForTheToolItselfIsNoOption() {
        assertThat(EnvironmentOptions.isOption("YCSB_DRILL_STATE")).isFalse();
        assertThat(EnvironmentOptions.isOption("YCSB_DRILL_REPOSITORY"))
                .as("of the documentation's site")
                .isFalse();
        List<String> taken = new ArrayList<>();
        collect(Main.commandLine(world.surroundings()), taken);

        assertThat(taken).contains("YCSB_DRILL_NETWORK", "YCSB_DRILL_AFTER_STALL", "YCSB_DRILL_WORKLOAD");
        assertThat(taken).allMatch(EnvironmentOptions::isOption);
    }

    private static void collect(CommandLine command, List<String> names) {
        command.getCommandSpec().options().stream()
                .map(EnvironmentOptions::variable)
                .filter(name -> !name.equals("YCSB_DRILL_"))
                .forEach(names::add);
        command.getSubcommands().values().forEach(below -> collect(below, names));
    }
}
