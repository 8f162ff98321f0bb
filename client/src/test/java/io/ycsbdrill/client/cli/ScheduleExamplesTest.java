package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The files of {@code examples/schedule}: what can be checked of them without a scheduler. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ScheduleExamplesTest {
    private static final Path EXAMPLES =
            Path.of("../examples/schedule").toAbsolutePath().normalize();
    private static final String INSTALLED = "/opt/ycsb-drill";

    @TempDir
    private Path directory;

    private Path runs;

    /** In place of {@code bin/ycsb} a script that says how it was called. */
    @BeforeEach
    void fake() throws IOException {
        runs = directory.resolve("runs");
        Path ycsb = Files.createDirectories(directory.resolve("home/bin")).resolve("ycsb");
        Files.writeString(ycsb, "#!/bin/sh\necho \"$@\"\nexit ${FAKE_EXIT:-0}\n");
        Files.setPosixFilePermissions(ycsb, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Child scheduled(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("sh", EXAMPLES.resolve("scheduled-drill").toString()));
        command.addAll(Arrays.asList(arguments));
        Map<String, String> all = new java.util.HashMap<>(environment);
        all.put("YCSB_DRILL_HOME", directory.resolve("home").toString());
        return new Child(directory, all, command);
    }

    @Test
    void scriptMakesARunDirectoryAndHandsOnTheExitCode() throws Exception {
        try (Child child =
                scheduled(Map.of("FAKE_EXIT", "3"), runs.toString(), "30", "native", "-D", "my drill.yaml")) {
            assertThat(child.exitCode()).as(child.err()).isEqualTo(3);
            assertThat(child.out().strip())
                    .matches("drill native -D my drill.yaml --quiet --out " + runs
                            + "/\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ" + " --junit " + runs + "/\\S+Z\\.xml");
        }
    }

    @Test
    void scriptRemovesOldRunsAndNothingElse() throws Exception {
        Path old = Files.createDirectories(runs.resolve("2026-01-02T03-30-00Z/charts"))
                .getParent();
        Path oldVerdict = Files.createFile(runs.resolve("2026-01-02T03-30-00Z.xml"));
        Path recent = Files.createDirectories(runs.resolve("2026-03-02T03-30-00Z"));
        Path ours = Files.createDirectories(runs.resolve("baseline"));
        for (Path path : List.of(old, oldVerdict, ours)) {
            Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(Duration.ofDays(40))));
        }

        try (Child child = scheduled(Map.of(), runs.toString(), "30", "native")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
        }

        try (Stream<Path> left = Files.list(runs)) {
            assertThat(left).containsExactlyInAnyOrder(recent, ours, runs.resolve(".lock"));
        }
    }

    @Test
    void scriptSaysHowItIsUsed() throws Exception {
        try (Child child = scheduled(Map.of(), runs.toString(), "30 days", "native")) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("KEEP_DAYS is \"30 days\"");
        }
        try (Child child = scheduled(Map.of(), runs.toString())) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("usage: ");
        }
    }

    @Test
    void unitsAreWhatSystemdExpects() throws Exception {
        Path analyze = Path.of("/usr/bin/systemd-analyze");
        if (!Files.isExecutable(analyze)) {
            System.out.println("skipped: " + analyze + " is not there, so the units are not verified");
            return;
        }
        List<String> command = new ArrayList<>(List.of(analyze.toString(), "verify", "--recursive-errors=no"));
        for (String unit : List.of("ycsb-drill.service", "ycsb-drill.timer")) {
            String text = Files.readString(EXAMPLES.resolve(unit));
            Path here = directory.resolve(unit);
            Files.writeString(
                    here,
                    text.replace(
                            INSTALLED, EXAMPLES.resolve("../..").normalize().toString()));
            command.add(here.toString());
        }

        try (Child child = new Child(directory, Map.of(), command)) {
            int exitCode = child.exitCode();
            assertThat(child.err().lines().filter(line -> line.contains("ycsb-drill")))
                    .as("what is wrong with the units")
                    .isEmpty();
            if (exitCode != 0) {
                System.out.println("skipped: systemd-analyze does not work here, so the units are not verified: "
                        + child.err().strip());
            }
        }
    }

    /** Files that the examples name are there, and what they call is a drill that can be checked. */
    @Test
    void examplesNameFilesOfTheProject() throws Exception {
        for (String example : List.of("ycsb-drill.service", "crontab")) {
            String text = Files.readString(EXAMPLES.resolve(example));
            assertThat(text).contains(INSTALLED + "/examples/schedule/scheduled-drill");
            List<String> named = Arrays.stream(text.split("[\\s\"\\[\\]]+"))
                    .filter(word -> word.startsWith("workloads/"))
                    .toList();
            assertThat(named).hasSize(2).allSatisfy(file -> assertThat(
                            EXAMPLES.resolve("../..").resolve(file))
                    .exists());
        }
    }
}
