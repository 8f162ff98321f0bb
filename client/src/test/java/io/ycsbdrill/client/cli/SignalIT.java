package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals to a real process in the middle of a run. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class SignalIT {
    @TempDir
    private Path directory;

    private Child run(String... more) throws IOException {
        return child(command(more));
    }

    private Child child(List<String> command) throws IOException {
        return new Child(
                directory, Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()), command);
    }

    private List<String> command(String... more) throws IOException {
        Files.writeString(
                directory.resolve("w"),
                "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=1000\noperationcount=1000000\n");
        List<String> command =
                Child.ycsb("run", SlowDb.class.getName(), "-P", "w", "--window", "200ms", "--out", "run");
        command.addAll(List.of(more));
        return command;
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve("run").resolve(file).toFile());
    }

    private boolean windowsWritten() {
        return windowsWritten(5);
    }

    private boolean windowsWritten(int lines) {
        Path windows = directory.resolve("run/windows.csv");
        try (var written = Files.exists(windows) ? Files.lines(windows) : Stream.<String>empty()) {
            return written.count() > lines;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143", "HUP,129"})
    void oneSignalLeavesACompleteDirectoryOfAnIncompleteRun(String signal, int exitCode) throws Exception {
        try (Child child = run("-threads", "2")) {
            child.await(this::windowsWritten);

            child.signal(signal);

            assertThat(child.exitCode()).isEqualTo(exitCode);
            assertThat(child.err()).contains("run incomplete: the process was interrupted");
            assertThat(child.out()).startsWith("[OVERALL], RunTime(ms), ").contains("[READ], Return=OK, ");
        }
        assertThat(json("run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(json("run.json").path("reasons").toString()).contains("the process was interrupted");
        assertThat(json("summary.json")
                        .path("operations")
                        .path("READ")
                        .path("ok")
                        .asLong())
                .isPositive();
        assertThat(directory.resolve("run/ycsb.txt")).isNotEmptyFile();
        assertThat(directory.resolve("run/slices.csv")).isNotEmptyFile();
    }

    @Test
    void aSignalDuringACalibrationLeavesWhatItHasMeasuredSoFar() throws Exception {
        try (Child child = run("--rate", "60%", "-p", "load.calibration=60s")) {
            child.await(() -> windowsWritten(40));

            child.signal("INT");

            assertThat(child.exitCode()).isEqualTo(130);
            assertThat(child.err())
                    .contains("of its calibration, which takes 60 s; until then a closed loop did ")
                    .contains("no operation completed in the time that counts", "windows.csv")
                    .doesNotContain("no operation succeeded");
        }
    }

    /** The library that asks the terminal for its width once set SIGINT back to its default. */
    @Test
    void oneSignalIsEnoughWhileABarIsDrawnOnATerminal() throws Exception {
        Path script = Path.of("/usr/bin/script");
        assumeTrue(Files.isExecutable(script), script + ", which makes a terminal, is not installed");
        List<String> command = command();
        command.add(1, "-Dycsb.drill.terminal=true");
        String line = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        try (Child child = child(List.of(script.toString(), "-qfec", "exec " + line, "/dev/null"))) {
            child.await(this::windowsWritten);

            child.signalChildren("INT");

            assertThat(child.exitCode()).as(child.out()).isEqualTo(130);
            assertThat(child.out())
                    .contains("run incomplete: the process was interrupted")
                    .contains("%");
        }
        assertThat(json("run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(directory.resolve("run/ycsb.txt")).isNotEmptyFile();
    }

    @Test
    void aSecondSignalEndsAHungRunAtOnce() throws Exception {
        try (Child child = run("-p", "slow.hang=true")) {
            child.await(() -> child.err().contains(SlowDb.HANGS));
            child.signal("INT");
            child.await(() -> child.err().contains("repeat to exit immediately"));

            child.signal("INT");

            assertThat(child.exitCode()).isEqualTo(130);
        }
        assertThat(json("run.json").path("state").asText()).isEqualTo("incomplete");
    }

    @Test
    void oneSignalIsEnoughEvenWhenTheDriverHangs() throws Exception {
        try (Child child = run("-p", "slow.hang=true")) {
            child.await(() -> child.err().contains(SlowDb.HANGS));

            child.signal("TERM");

            assertThat(child.exitCode()).isEqualTo(143);
            assertThat(child.err()).contains("client-0");
        }
        assertThat(json("summary.json").path("operations").isObject()).isTrue();
    }

    /** The JVM halts at once with the code of a second exit, if that comes after the hooks: a run's end is about then. */
    @Test
    void theExitCodeIsThatOfTheSignalAlthoughTheCommandEndsByItself() throws Exception {
        List<String> command = Child.ycsb();
        command.set(command.size() - 1, ExitOfTwo.class.getName());
        try (Child child = child(command)) {
            child.await(() -> child.err().contains(ExitOfTwo.READY));

            child.signal("INT");

            assertThat(child.exitCode()).as(child.err()).isEqualTo(130);
            // BLOCKED is in the JVM's exit already.
            assertThat(child.err()).contains(ExitOfTwo.STATE + Thread.State.WAITING);
        }
    }

    /** Nothing was said, and the cluster's files stayed. */
    @ParameterizedTest
    @CsvSource({"run native -P w --out run", "cluster up embedded"})
    void whileAClusterComesUpASignalTakesItDownAgain(String typed) throws Exception {
        List<String> command = command();
        command = new ArrayList<>(command.subList(0, command.indexOf("run")));
        command.addAll(List.of(typed.split(" ")));
        try (Child child = child(command)) {
            child.await(() -> child.err().contains("starting 3 data nodes"));

            child.signal("INT");

            assertThat(child.exitCode()).as(child.err()).isEqualTo(130);
            assertThat(child.err())
                    .contains("error: interrupted before", "its nodes were stopped and its files removed");
        }
        assertThat(directory.resolve("run")).doesNotExist();
        try (Stream<Path> left = Files.walk(directory.resolve("state"))) {
            assertThat(left.filter(Files::isRegularFile))
                    .as("but for the lock, which stays for whoever is next")
                    .allMatch(file -> file.endsWith("cluster.lock"));
        }
    }

    @Test
    void aKilledRunSaysThatItIsIncomplete() throws Exception {
        try (Child child = run()) {
            child.await(this::windowsWritten);
            child.signal("KILL");
            child.exitCode();
        }
        assertThat(json("run.json").path("state").asText()).isEqualTo("incomplete");
    }
}
