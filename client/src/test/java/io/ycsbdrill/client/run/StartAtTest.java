package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StartAtTest {
    @TempDir
    private Path directory;

    private RunFiles files;
    private final ConcurrentLinkedQueue<Instant> operations = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() {
        files = new RunFiles(directory.resolve("run"));
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                operations.add(Instant.now());
            }
            return null;
        });
    }

    /** Called while the run waits; the start is not known before the run is made. */
    private abstract static class Waiting implements RunCompanion {
        @Override
        public void started(RunControl run) {
            // Only the wait matters.
        }
    }

    @Test
    void theRunsClockStartsAtTheTimeAskedFor() throws IOException {
        AtomicReference<Instant> waited = new AtomicReference<>();
        Duration ahead = Duration.ofMillis(100);
        Instant asked;
        RunResult result;
        do { // A busy machine may need longer to be ready.
            ahead = ahead.multipliedBy(2);
            asked = Instant.now().plus(ahead);
            files = new RunFiles(directory.resolve("ahead-" + ahead.toMillis()));
            RunSpec spec = Specs.aRun(50)
                    .with("readproportion", "1")
                    .with("updateproportion", "0")
                    .threads(2)
                    .startAt(asked)
                    .part(2, 3)
                    .in(files.directory());
            result = new BenchmarkRun(spec, List.of(new Waiting() {
                        @Override
                        public void waiting(Instant start, Duration left) {
                            waited.set(start);
                        }
                    }))
                    .execute();
        } while (result.state() != RunResult.State.COMPLETE);

        JsonNode run = files.json("run.json");
        Instant actual = Instant.parse(run.at("/start/actual").asText());
        assertThat(waited).hasValue(asked);
        assertThat(run.at("/start/asked").asText()).isEqualTo(asked.toString());
        assertThat(actual).isAfterOrEqualTo(asked);
        assertThat(run.at("/start/differenceNanos").asLong(-1))
                .isEqualTo(Duration.between(asked, actual).toNanos());
        assertThat(run.path("startedAt").asText()).isEqualTo(actual.toString());
        assertThat(operations).hasSize(50);
        assertThat(operations.peek()).isAfterOrEqualTo(asked);
        assertThat(run.at("/part/number").asInt()).isEqualTo(2);
        assertThat(run.at("/part/of").asInt()).isEqualTo(3);
    }

    @Test
    void aStartThatPassesWhileThreadsAreInitialisedMeasuresNothing() throws IOException {
        Instant asked = Instant.now();

        RunResult result = new BenchmarkRun(Specs.aRun(50).startAt(asked).in(files.directory()), List.of()).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons())
                .singleElement()
                .asString()
                .contains("the start at " + asked + " passed ", "before all threads were ready");
        assertThat(operations).isEmpty();
        assertThat(ScriptedDb.CLEANED).hasValue(1);
        assertThat(files.directory().resolve("summary.json")).doesNotExist();
        assertThat(files.json("run.json").path("startedAt").isNull()).isTrue();
        assertThat(files.json("run.json").at("/start/actual").isNull()).isTrue();
    }

    @Test
    void aWaitCanBeEnded() throws IOException {
        AtomicReference<BenchmarkRun> run = new AtomicReference<>();
        run.set(new BenchmarkRun(
                Specs.aRun(50).startAt(Instant.now().plus(Duration.ofHours(1))).in(files.directory()),
                List.of(new Waiting() {
                    @Override
                    public void waiting(Instant start, Duration left) {
                        run.get().interrupt("told to end");
                    }
                })));

        RunResult result = run.get().execute();

        assertThat(result.reasons()).containsExactly("told to end");
        assertThat(files.json("run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(operations).isEmpty();
        assertThat(ScriptedDb.CLEANED).hasValue(1);
    }
}
