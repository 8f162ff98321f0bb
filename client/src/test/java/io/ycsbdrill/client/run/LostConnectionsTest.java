package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.run.file.LostConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostConnectionsTest {
    @TempDir
    private Path directory;

    private Path out;

    @BeforeEach
    void start() {
        ScriptedDb.reset((operation, key) -> null);
        out = directory.resolve("run");
    }

    @Test
    void lossesOfAllThreadsAreAddedUpByServer() throws IOException {
        RunResult result = run(Specs.aRun(300).threads(3).binding(ScriptedDb.Losing.class.getName()));

        assertThat(result.state()).isEqualTo(RunResult.State.COMPLETE);
        JsonNode connections = summary().path("connections");
        assertThat(connections.path("silentThreads").asInt(-1)).isZero();
        assertThat(connections.path("servers")).hasSize(2);
        assertThat(connections.at("/servers/0"))
                .hasToString("{\"server\":\"s1\",\"lost\":6,\"regained\":6,\"secondsWithout\":15.0,"
                        + "\"longestSecondsWithout\":4.0}");
        assertThat(connections.at("/servers/1/lost").asInt()).isEqualTo(3);
        assertThat(connections.at("/servers/1/regained").asInt()).isZero();
    }

    @Test
    void aBindingThatDoesNotTellHasNoConnectionsRatherThanNoLosses() throws IOException {
        run(Specs.aRun(100));

        assertThat(summary().has("connections")).isFalse();
    }

    @Test
    void aBindingThatFailsToTellEndsTheRunAndLeavesItsData() throws IOException {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("RECONNECTS")) {
                throw new IllegalStateException("lost count");
            }
            return null;
        });

        RunResult result = run(Specs.aRun(100).binding(ScriptedDb.Losing.class.getName()));

        assertThat(result.state()).isNotEqualTo(RunResult.State.COMPLETE);
        assertThat(result.reasons()).anyMatch(reason -> reason.contains("lost count"));
        assertThat(summary().at("/connections/silentThreads").asInt()).isEqualTo(1);
        assertThat(summary().path("transactions").asInt()).isEqualTo(100);
    }

    @Test
    void aThreadThatHangsIsSilent() {
        Reconnects.Server lost = new Reconnects.Server("s", 1, 0, 7, 7);

        JsonNode connections = LostConnections.of(List.of(Optional.empty(), Optional.of(List.of(lost))));

        assertThat(connections.path("silentThreads").asInt()).isEqualTo(1);
        assertThat(connections.at("/servers/0/lost").asInt()).isEqualTo(1);
    }

    @Test
    void connectionsThatAllThreadsShareCountOnceAsTheLatestReportHasThem() {
        Reconnects.Server first = new Reconnects.Server("s", 1, 0, 7, 7).ofAll();
        Reconnects.Server later = new Reconnects.Server("s", 2, 2, 20, 12).ofAll();

        JsonNode connections = LostConnections.of(List.of(Optional.of(List.of(later)), Optional.of(List.of(first))));

        assertThat(connections.at("/servers/0/lost").asInt()).isEqualTo(2);
        assertThat(connections.at("/servers/0/regained").asInt()).isEqualTo(2);
        assertThat(connections.at("/servers/0/secondsWithout").asDouble()).isEqualTo(20e-9);
    }

    private RunResult run(Specs spec) {
        return new BenchmarkRun(spec.in(out), List.of()).execute();
    }

    private JsonNode summary() throws IOException {
        return new RunFiles(out).json("summary.json");
    }
}
