package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.file.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrittenRunTest {
    @TempDir
    private Path directory;

    @Test
    void aRunWhoseReadBackFailedIsIncompleteAndSaysWhy() throws IOException {
        Path file = Files.writeString(
                directory.resolve("run.json"), "{\"state\":\"complete\",\"reasons\":[],\"threads\":2}");

        RunResult result = WrittenRun.incomplete(
                new RunResult(directory, RunResult.State.COMPLETE, List.of(), Optional.empty()), "no memory");

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons()).containsExactly("no memory");
        JsonNode run = RunDirectory.JSON.readTree(file.toFile());
        assertThat(run.path("state").asText()).isEqualTo("incomplete");
        assertThat(run.path("reasons").toString()).isEqualTo("[\"no memory\"]");
        assertThat(run.path("threads").asInt()).isEqualTo(2);
    }
}
