package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.Status;

/** Arrivals that were due at the end of a run and were not sent are nowhere but in {@code load.unsent}. */
class UnsentRunTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = AfterStall.class,
            names = {"CATCHUP", "SKIP"})
    void everyArrivalOfARunIsSentSkippedOrUnsent(AfterStall policy) throws IOException {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                Thread.sleep(10);
                return Status.OK;
            }
            return null;
        });
        RunFiles files = new RunFiles(directory.resolve("run"));

        RunResult result = new BenchmarkRun(
                        reads().threads(2)
                                .rate(1000, policy)
                                .lasting(Duration.ofSeconds(2))
                                .in(files.directory()),
                        List.of())
                .execute();

        JsonNode summary = files.json("summary.json");
        JsonNode load = files.json("run.json").path("load");
        long unsent = load.path("unsent").asLong();
        assertThat(summary.path("transactions").asLong()
                        + summary.path("skipped").asLong()
                        + unsent)
                .isEqualTo(2000);
        assertThat(result.figures().orElseThrow().unsent()).isEqualTo(unsent);
        if (policy == AfterStall.CATCHUP) {
            assertThat(unsent).isGreaterThan(1400);
            // Each thread is due every 2 ms and sends every 10 ms: the oldest was due for four fifths of the run.
            assertThat(load.path("oldestUnsentSeconds").asDouble()).isCloseTo(1.6, within(0.2));
        } else {
            assertThat(load.path("oldestUnsentSeconds").asDouble()).isLessThan(0.1);
        }
    }

    @Test
    void threadThatHangsToTheEndOwesWhatWasDue() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean hangs = new AtomicBoolean();
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ") && hangs.compareAndSet(false, true)) {
                never.await();
            }
            return operation.equals("READ") ? Status.OK : null;
        });
        RunFiles files = new RunFiles(directory.resolve("run"));
        RunBounds bounds = new RunBounds(
                Duration.ofSeconds(10),
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                Duration.ofMinutes(1));

        new BenchmarkRun(
                        reads().threads(2)
                                .rate(200, AfterStall.CATCHUP)
                                .lasting(Duration.ofSeconds(2))
                                .in(files.directory()),
                        List.of(),
                        bounds)
                .execute();

        JsonNode load = files.json("run.json").path("load");
        // 100/s of this thread: the first hung, and the other 199 were never sent. A millisecond may be missing at the
        // end.
        assertThat(load.path("unsent").asLong()).isBetween(198L, 200L);
        assertThat(load.path("oldestUnsentSeconds").asDouble()).isBetween(1.97, 2.05);
    }

    @Test
    void runThatHasDoneItsOperationsOwesNothing() throws IOException {
        ScriptedDb.reset((operation, key) -> operation.equals("READ") ? Status.OK : null);
        RunFiles files = new RunFiles(directory.resolve("run"));

        new BenchmarkRun(
                        Specs.aRun(100)
                                .with("readproportion", "1")
                                .with("updateproportion", "0")
                                .threads(3)
                                .rate(1000, AfterStall.CATCHUP)
                                .in(files.directory()),
                        List.of())
                .execute();

        assertThat(files.json("run.json").at("/load/unsent").asLong(-1)).isZero();
        assertThat(files.json("run.json").at("/load/kind").asText()).isEqualTo("rate");
        assertThat(files.json("run.json").at("/load/rate").asDouble()).isEqualTo(1000);
    }

    @Test
    void callsUnderWayAtTheStopDoNotDiluteTheThroughput() throws IOException {
        RunFiles files = new RunFiles(directory.resolve("run"));
        lastCallIsSlow();

        new BenchmarkRun(reads().threads(2).lasting(Duration.ofSeconds(2)).in(files.directory()), List.of()).execute();

        JsonNode summary = files.json("summary.json");
        long ok = summary.at("/operations/READ/ok").asLong();
        double stopped = files.json("run.json").path("stoppedNanos").asLong() / 1e9;
        assertThat(summary.path("durationSeconds").asDouble()).isGreaterThan(3);
        assertThat(stopped).isBetween(2.0, 2.2);
        assertThat(summary.at("/trimmed/endSeconds").asDouble()).isEqualTo(stopped);
        assertThat(summary.path("throughputOpsPerSecond").asDouble()).isCloseTo(ok / stopped, within(0.01));
    }

    @Test
    void callsUnderWayAtTheStopDoNotShortenTheCoolDown() throws IOException {
        RunFiles files = new RunFiles(directory.resolve("run"));
        lastCallIsSlow();

        new BenchmarkRun(
                        reads().threads(2)
                                .window(Duration.ofMillis(100))
                                .lasting(Duration.ofSeconds(2))
                                .trimmed(Duration.ZERO, Duration.ofMillis(500))
                                .in(files.directory()),
                        List.of())
                .execute();

        JsonNode summary = files.json("summary.json");
        long ok = summary.at("/operations/READ/ok").asLong();
        double stopped = files.json("run.json").path("stoppedNanos").asLong() / 1e9;
        double end = summary.at("/trimmed/endSeconds").asDouble();
        assertThat(summary.path("durationSeconds").asDouble()).isGreaterThan(3);
        // By whole recording intervals, of 100 ms here.
        assertThat(end).isBetween(stopped - 0.6001, stopped - 0.5);
        assertThat(ok)
                .isEqualTo(files.csv("windows.csv").stream()
                        .filter(row -> row.get("operation").equals("READ"))
                        .filter(row -> Double.parseDouble(row.get("end_s")) <= end)
                        .mapToLong(row -> Long.parseLong(row.get("ok")))
                        .sum());
        assertThat(summary.path("throughputOpsPerSecond").asDouble()).isCloseTo(ok / end, within(0.01));
    }

    /** Of some milliseconds each, but for one that is under way when 2 s are over and for two seconds more. */
    private static void lastCallIsSlow() {
        AtomicBoolean last = new AtomicBoolean();
        AtomicLong first = new AtomicLong();
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                first.compareAndSet(0, System.nanoTime());
                boolean slow = System.nanoTime() - first.get() > 1_500_000_000L && last.compareAndSet(false, true);
                Thread.sleep(slow ? 2_500 : 5);
                return Status.OK;
            }
            return null;
        });
    }

    private static Specs reads() {
        return Specs.aRun(0).with("readproportion", "1").with("updateproportion", "0");
    }
}
