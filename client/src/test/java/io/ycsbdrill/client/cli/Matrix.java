package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.host.Containers;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code soak/matrix.sh} on a cluster in containers, by this build's own classes: each fault once, with the audit. */
final class Matrix {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration PATIENCE = Duration.ofMinutes(100);

    private final Containers containers;
    private final Path folder;

    /** @param folder has {@code inventory.yaml} */
    Matrix(Containers containers, Path folder) {
        this.containers = containers;
        this.folder = folder;
    }

    /** Runs what is not in the page's folder yet, and looks at every row that is then there. */
    void assertRows(String engine, String... environment) throws IOException {
        Path page = Path.of(System.getProperty(
                        "matrix.page", folder.resolve("matrix.md").toString()))
                .toAbsolutePath();
        List<String> command = containers.into();
        command.addAll(List.of("env", "YCSB=" + program(), "RATE=100/s", "RECORDS=2000"));
        containers.environment().forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(Arrays.asList(environment));
        command.addAll(List.of("sh", PROJECT.resolve("soak/matrix.sh").toString()));
        command.addAll(List.of("-i", folder.resolve("inventory.yaml").toString(), "-n", "1"));
        command.addAll(List.of("-d", folder.resolve("cells").toString(), "-o", page.toString()));
        String faults = System.getProperty("matrix.faults", "");
        if (!faults.isEmpty()) {
            command.addAll(List.of("-f", faults));
        }

        ProgramOutput made = ProgramOutput.of(command, PATIENCE);

        assertThat(made.exit()).as(made.text()).isZero();
        List<String> rows = rows(page, engine);
        assertThat(rows).as(made.text()).isNotEmpty().allSatisfy(row -> {
            List<String> cells =
                    Arrays.stream(row.split("\\|")).map(String::strip).toList();
            assertThat(cells.get(4)).as(row + "\n" + made.text()).isEqualTo("1 of 1");
            assertThat(cells.get(7)).as(row).isEqualTo("0");
            assertThat(cells.get(10)).as(row).isEqualTo("nothing");
        });
    }

    private static List<String> rows(Path page, String engine) throws IOException {
        try (Stream<String> lines = Files.lines(page)) {
            return lines.filter(line -> line.contains("` | " + engine + " |")).toList();
        }
    }

    /** A program that is this tool, as the jars are another build's while this one is under way. */
    private Path program() throws IOException {
        String words = Child.ycsb().stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        Path program = folder.resolve("ycsb");
        Files.writeString(program, "#!/bin/sh\nexec " + words + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }
}
