package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.call.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import site.ycsb.Status;

class RetryTest {
    @TempDir
    private Path directory;

    private final AtomicInteger calls = new AtomicInteger();
    private Path out;

    @BeforeEach
    void load() {
        out = directory.resolve("run");
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
    }

    @Test
    void anOperationTakesAllItsAttemptsAndIsCountedOnce() throws IOException {
        // Each update of a key fails three times, then works.
        Map<String, Integer> attempts = new ConcurrentHashMap<>();
        answering((operation, key) -> operation.equals("UPDATE") && attempts.merge(key, 1, Integer::sum) % 4 != 0
                ? Statuses.TEMPORARY
                : null);

        run(updates(20)
                .with("retry.temporary", "3")
                .with("retry.backoff", "2ms")
                .with("fieldlength", "50"));

        JsonNode update = summary().at("/operations/UPDATE");
        assertThat(update.path("ok").asInt()).isEqualTo(20);
        assertThat(update.path("failed").asInt()).isZero();
        assertThat(update.path("retries").asInt()).isEqualTo(60);
        assertThat(update.path("retriedOperations").asInt()).isEqualTo(20);
        // 2, 4 and 8 ms of pauses.
        assertThat(update.at("/service/minMicros").asDouble()).isGreaterThan(14_000);
        assertThat(Files.readString(out.resolve("ycsb.txt")))
                .contains("[UPDATE], Retries, 60", "[UPDATE], RetriedOperations, 20", "[UPDATE], Return=OK, 20");
        assertThat(new RunFiles(out).json("run.json").path("retry"))
                .hasToString("{\"temporary\":3,\"backoffNanos\":2000000,\"longestBackoffNanos\":64000000}");
        assertThat(ScriptedDb.ROWS.values()).allSatisfy(row -> assertThat(row.values())
                .allMatch(value -> value.length == 50 || value.length == 100));
        assertThat(ScriptedDb.ROWS.values())
                .anySatisfy(row -> assertThat(row.values()).anyMatch(value -> value.length == 50));
    }

    @Test
    void whatFailsTooOftenIsAFailure() throws IOException {
        answering((operation, key) -> counted(Statuses.TEMPORARY));

        run(updates(5).with("retry.temporary", "2").with("retry.backoff", "0ms"));

        JsonNode update = summary().at("/operations/UPDATE");
        assertThat(calls).hasValue(15);
        assertThat(update.path("failed").asInt()).isEqualTo(5);
        assertThat(update.path("retries").asInt()).isEqualTo(10);
        assertThat(update.at("/returns/TEMPORARY").asInt()).isEqualTo(5);
    }

    static List<Status> others() {
        return List.of(
                Statuses.UNKNOWN,
                Statuses.TIMEOUT,
                Statuses.UNAVAILABLE,
                Statuses.FAILED,
                Status.ERROR,
                Status.NOT_FOUND,
                Status.OK,
                ScriptedDb.NULL);
    }

    @ParameterizedTest
    @MethodSource("others")
    void nothingElseIsTriedAgain(Status status) throws IOException {
        answering((operation, key) -> counted(status));

        run(updates(5).with("retry.temporary", "9"));

        assertThat(calls).hasValue(5);
        assertThat(summary().at("/operations/UPDATE/retries").asInt(-1)).isZero();
    }

    @Test
    void aRetryThatEndsUnknownIsUnknownAndNotTriedAgain() throws IOException {
        answering((operation, key) -> counted(calls.get() == 0 ? Statuses.TEMPORARY : Statuses.UNKNOWN));

        run(updates(1).with("retry.temporary", "9"));

        assertThat(calls).hasValue(2);
        assertThat(summary().at("/operations/UPDATE/unknown").asInt()).isEqualTo(1);
    }

    @Test
    void anExceptionOfARetryEndsTheRunAndIsCounted() throws IOException {
        answering((operation, key) -> {
            if (calls.get() == 0) {
                return counted(Statuses.TEMPORARY);
            }
            throw new IllegalStateException("broken");
        });

        RunResult result = run(updates(1).with("retry.temporary", "9"));

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(summary().at("/operations/UPDATE/retries").asInt()).isEqualTo(1);
        assertThat(summary().at("/operations/UPDATE/unknown").asInt()).isEqualTo(1);
    }

    @Test
    void readsAreTriedAgainToo() throws IOException {
        answering((operation, key) -> calls.getAndIncrement() % 2 == 0 ? Statuses.TEMPORARY : null);

        run(Specs.aRun(10)
                .with("readproportion", "1")
                .with("updateproportion", "0")
                .with("retry.temporary", "1"));

        assertThat(summary().at("/operations/READ/ok").asInt()).isEqualTo(10);
        assertThat(summary().at("/operations/READ/retries").asInt()).isEqualTo(10);
    }

    @Test
    void byDefaultNothingIsTriedAgainAndNothingSaysSo() throws IOException {
        answering((operation, key) -> counted(Statuses.TEMPORARY));

        run(updates(5));

        assertThat(calls).hasValue(5);
        assertThat(summary().at("/operations/UPDATE").has("retries")).isFalse();
        assertThat(new RunFiles(out).json("run.json").path("retry").isNull()).isTrue();
        assertThat(Files.readString(out.resolve("ycsb.txt"))).doesNotContain("Retries");
    }

    @Test
    void aLoadHasRetriesOfItsOwn() throws IOException {
        answering((operation, key) -> counted(Statuses.TEMPORARY));

        run(Specs.aLoad(5).with("retry.temporary", "9"));

        assertThat(calls).hasValue(5);
        assertThat(summary().at("/load/failedRanges")).hasToString("[[0,4]]");
    }

    @Test
    void wrongValuesAndUnknownKeysAreRefused() {
        Specs wrong = Specs.aRun(1)
                .with("retry.temporary", "-1")
                .with("retry.backoff", "5")
                .with("retry.unknown", "1");

        assertThatThrownBy(() -> run(wrong))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("retry.temporary=-1: expected a whole number from 0 to 1000")
                .hasMessageContaining("retry.backoff=5: expected a time from 0s to 10s with its unit")
                .hasMessageContaining("retry.unknown is not a property");
    }

    @Test
    void pausesDoubleUpToALimit() {
        RetryPolicy policy = new RetryPolicy(9, Duration.ofNanos(10));

        assertThat(List.of(0, 1, 4, 5, 6, 100).stream().map(policy::pauseNanos))
                .containsExactly(10L, 20L, 160L, 320L, 320L, 320L);
    }

    private static void answering(ScriptedDb.Script script) {
        ScriptedDb.script = (operation, key) ->
                operation.equals("INIT") || operation.equals("CLEANUP") ? null : script.call(operation, key);
    }

    private Status counted(Status status) {
        calls.incrementAndGet();
        return status;
    }

    private static Specs updates(int count) {
        return Specs.aRun(count).with("readproportion", "0").with("updateproportion", "1");
    }

    private RunResult run(Specs spec) {
        return new BenchmarkRun(spec.in(out), List.of()).execute();
    }

    private JsonNode summary() throws IOException {
        return new RunFiles(out).json("summary.json");
    }
}
