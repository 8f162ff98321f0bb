package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped workloads on an embedded cluster, shortened, with each value that is read compared with what was written. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EmbeddedWorkloadsIT {
    private static final Path WORKLOADS = Path.of("../workloads").toAbsolutePath();

    @TempDir
    static Path directory;

    @BeforeAll
    static void up() {
        World world = world();
        assertThat(world.execute("cluster", "up", "embedded", "--data-nodes", "2", "--backups", "1"))
                .as(world.err())
                .isZero();
    }

    @AfterAll
    static void down() {
        World world = world();
        assertThat(world.execute("cluster", "down", "embedded")).as(world.err()).isZero();
    }

    private static World world() {
        return new World(directory).with(new EmbeddedEngine());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void everyOperationSucceedsAndEveryValueIsRight(String letter) throws Exception {
        World world = world();

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                WORKLOADS.resolve("workload" + letter).toString(),
                "-p",
                "table=table" + letter,
                "-p",
                "dataintegrity=true",
                "-p",
                "recordcount=500",
                "-p",
                "operationcount=" + (letter.equals("e") ? 400 : 2000),
                "-threads",
                "4",
                "--out",
                letter);

        assertThat(exitCode).as(world.err()).isZero();
        JsonNode summary = new ObjectMapper()
                .readTree(world.directory()
                        .resolve(letter)
                        .resolve("summary.json")
                        .toFile());
        JsonNode operations = summary.path("operations");
        assertThat(operations).isNotEmpty();
        operations.properties().forEach(operation -> {
            assertThat(operation.getValue().path("failed").asLong())
                    .as("failed %s", operation.getKey())
                    .isZero();
            assertThat(operation.getValue().path("unknown").asLong())
                    .as("unknown %s", operation.getKey())
                    .isZero();
        });
        if (!letter.equals("e")) { // stock YCSB verifies what it reads, not what it scans
            assertThat(operations.path("VERIFY").path("ok").asLong())
                    .isEqualTo(operations.path("READ").path("ok").asLong())
                    .isPositive();
        }
    }
}
