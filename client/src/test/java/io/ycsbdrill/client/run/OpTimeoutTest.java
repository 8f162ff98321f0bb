package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.run.call.CallDeadlines;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.Status;

/** A deadline for each call: {@code op.timeout}. */
class OpTimeoutTest {
    @TempDir
    private Path directory;

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger returned = new AtomicInteger();

    /** Rows of an earlier test are not this one's. */
    @BeforeEach
    void noRows() {
        ScriptedDb.reset((operation, key) -> null);
    }

    @ParameterizedTest
    @CsvSource({"UPDATE, unknown", "READ, failed"})
    void callThatHangsCountsAtItsDeadlineAndItsThreadGoesOn(String operation, String outcome) throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        hanging(operation, 10, 10);
        RunSpec spec = one(operation)
                .rate(200, AfterStall.CATCHUP)
                .lasting(Duration.ofSeconds(3))
                .with("op.timeout", "300ms")
                .in(files.directory());

        RunResult result = new BenchmarkRun(spec, List.of(releasedAfter(Duration.ofMillis(1_500)))).execute();

        assertThat(result.reasons()).isEmpty();
        JsonNode summary = files.json("summary.json");
        assertThat(summary.at("/operations/" + operation + "/" + outcome).asLong())
                .isEqualTo(1);
        assertThat(files.sum("slices.csv", operation, outcome)).isEqualTo(1);
        assertThat(files.histogram(operation, outcome, "service").getMaxValue())
                .as("its deadline, however late that is looked at, and not its return after 1.5 s")
                .isBetween(300_000_000L, 1_400_000_000L);
        // Late, and answered long before the end: it is not counted again.
        assertThat(returned).hasValue(1);
        assertThat(summary.at("/operations/" + operation + "/ok").asLong()).isEqualTo(calls.get() - 1);
        assertThat(summary.path("transactions").asLong()).isEqualTo(calls.get()).isGreaterThan(500);
        assertThat(calls.get() + files.json("run.json").at("/load/unsent").asLong())
                .isEqualTo(600);
        assertThat(summary.path("inFlight")).isEmpty();
        // What became due meanwhile was sent afterwards, by the heir, and says how late it was.
        assertThat(files.histogram(operation, "ok", "response").getMaxValue()).isGreaterThan(250_000_000L);
        JsonNode timeout = files.json("run.json").path("opTimeout");
        assertThat(timeout.path("seconds").asDouble()).isEqualTo(0.3);
        assertThat(timeout.path("abandoned").asInt()).isEqualTo(1);
        assertThat(timeout.path("stillUnderWay").asInt()).isZero();
        assertThat(ScriptedDb.INITIALISED).hasValue(2);
        assertThat(ScriptedDb.CLEANED).hasValue(2);
    }

    @Test
    void abandonedWriteStaysUnknownInTheAuditWhateverBecomesOfIt() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        load();
        hanging("UPDATE", 10, 10);
        RunSpec spec = one("UPDATE")
                .lasting(Duration.ofSeconds(1))
                .with("op.timeout", "100ms")
                .in(files.directory());

        new BenchmarkRun(spec, List.of(releasedAfter(Duration.ofMillis(500))))
                .audited(line -> {})
                .execute();

        JsonNode audit = files.json("audit.json");
        assertThat(returned).hasValue(1);
        assertThat(audit.at("/writes/unknown").asLong()).isEqualTo(1);
        assertThat(audit.at("/writes/ok").asLong())
                .isEqualTo(
                        files.json("summary.json").at("/operations/UPDATE/ok").asLong());
        assertThat(audit.at("/ackedLost").asLong()).isZero();
        assertThat(audit.at("/phantoms").asLong()).isZero();
    }

    @Test
    void journalOfAThreadThatWasLeftBehindIsClosedWhenItsCallReturns() {
        Path out = directory.resolve("run");
        load();
        hanging("UPDATE", 10, 10);
        AtomicLong bytes = new AtomicLong();
        RunSpec spec = one("UPDATE")
                .lasting(Duration.ofSeconds(1))
                .with("op.timeout", "100ms")
                .in(out);

        new BenchmarkRun(
                        spec,
                        List.of(
                                releasedAfter(Duration.ofMillis(500)),
                                atTheEnd(run -> bytes.set(out.resolve("journal/0.journal")
                                        .toFile()
                                        .length()))))
                .audited(line -> {})
                .execute();

        assertThat(bytes.get()).isBetween(100L, 10_000L);
    }

    @Test
    void runIsInvalidWhenItsAuditHasNoNumberLeftForAThreadThatWouldGoOn() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        load();
        hanging("UPDATE", 5, 8);
        // Of so many clients each can have four threads, those that go on in place of others included.
        RunSpec spec = one("UPDATE")
                .part(1, Stamp.MOST_WRITERS / 4)
                .lasting(Duration.ofSeconds(2))
                .with("op.timeout", "50ms")
                .in(files.directory());

        RunResult result = new BenchmarkRun(spec, List.of(releasedAfter(Duration.ofMillis(1_500))))
                .audited(line -> {})
                .execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INVALID);
        assertThat(result.reasons())
                .singleElement()
                .asString()
                .contains("op.timeout: 3 calls were abandoned", "only 4 threads", "leave --audit out");
        assertThat(files.json("run.json").at("/opTimeout/abandoned").asInt()).isEqualTo(3);
        assertThat(files.json("summary.json").at("/operations/UPDATE/unknown").asLong())
                .isEqualTo(3);
        JsonNode audit = files.json("audit.json");
        assertThat(audit.at("/writes/unknown").asLong()).isEqualTo(3);
        assertThat(audit.at("/ackedLost").asLong()).isZero();
        assertThat(audit.at("/phantoms").asLong()).isZero();
    }

    @Test
    void connectionsLostByAThreadThatWasLeftBehindCountWhenItsCallReturns() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        hanging("READ", 10, 10);
        AtomicReference<List<Reconnects.Server>> live = new AtomicReference<>();
        RunSpec spec = one("READ")
                .binding(ScriptedDb.Losing.class.getName())
                .lasting(Duration.ofSeconds(1))
                .with("op.timeout", "100ms")
                .in(files.directory());

        new BenchmarkRun(
                        spec,
                        List.of(releasedAfter(Duration.ofMillis(400)), atTheEnd(run -> live.set(run.reconnects()))))
                .execute();

        // Two, or more when the machine stood still in another call, too.
        int bindings = ScriptedDb.INITIALISED.get();
        assertThat(bindings).isGreaterThan(1);
        JsonNode connections = files.json("summary.json").path("connections");
        assertThat(connections.path("silentThreads").asInt(-1)).isZero();
        assertThat(connections.at("/servers/0/lost").asInt()).isEqualTo(2 * bindings);
        assertThat(connections.at("/servers/1/lost").asInt()).isEqualTo(bindings);
        assertThat(connections.at("/servers/1/regained").asInt())
                .as(
                        "an heir has a connection in place of the one that its predecessor lost, and the last has lost its own")
                .isEqualTo(bindings - 1);
        assertThat(live.get()).extracting(Reconnects.Server::lost).containsExactly(2L * bindings, (long) bindings);
    }

    @Test
    void threadThatCouldNotConnectAgainHasNoConnectionToReportAndReplacesNone() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        AtomicInteger bindings = new AtomicInteger();
        hanging("READ", 10, 10);
        ScriptedDb.Script reads = ScriptedDb.script;
        ScriptedDb.script = (operation, key) -> {
            if (operation.equals("INIT") && bindings.incrementAndGet() > 1) {
                throw new IllegalStateException("no server can be reached");
            }
            return reads.call(operation, key);
        };
        RunSpec spec = one("READ")
                .binding(ScriptedDb.Losing.class.getName())
                .lasting(Duration.ofSeconds(1))
                .with("op.timeout", "100ms")
                .in(files.directory());

        new BenchmarkRun(spec, List.of(releasedAfter(Duration.ofMillis(400)))).execute();

        JsonNode connections = files.json("summary.json").path("connections");
        assertThat(connections.path("silentThreads").asInt(-1)).isZero();
        assertThat(connections.at("/servers/1/lost").asInt()).isEqualTo(1);
        assertThat(connections.at("/servers/1/regained").asInt(-1)).isZero();
    }

    @Test
    void threadThatWasLeftBehindAndNeverReturnsIsSilent() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        CountDownLatch never = new CountDownLatch(1);
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                Thread.sleep(1);
                if (calls.incrementAndGet() == 10) {
                    awaitInSpiteOfInterrupts(never);
                }
            }
            return operation.equals("READ") ? Status.OK : null;
        });
        RunSpec spec = one("READ")
                .binding(ScriptedDb.Losing.class.getName())
                .lasting(Duration.ofMillis(500))
                .with("op.timeout", "100ms")
                .in(files.directory());

        new BenchmarkRun(spec, List.of()).execute();

        JsonNode connections = files.json("summary.json").path("connections");
        assertThat(connections.path("silentThreads").asInt()).isEqualTo(1);
        assertThat(connections.at("/servers/0/lost").asInt()).isEqualTo(2);
    }

    @Test
    void callAbandonedJustBeforeTheEndCountsAlsoWhenItsThreadCannotConnect() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        hanging("UPDATE", 1, 1);
        ScriptedDb.Script updates = ScriptedDb.script;
        AtomicInteger connections = new AtomicInteger();
        AtomicReference<BenchmarkRun> run = new AtomicReference<>();
        ScriptedDb.script = (operation, key) -> {
            if (operation.equals("INIT") && connections.incrementAndGet() == 2) {
                Thread.sleep(300);
                run.get().interrupt("the test is over");
                new CountDownLatch(1).await();
            }
            return updates.call(operation, key);
        };
        run.set(new BenchmarkRun(
                one("UPDATE")
                        .lasting(Duration.ofSeconds(10))
                        .with("op.timeout", "200ms")
                        .in(files.directory()),
                List.of()));

        RunResult result = run.get().execute();

        assertThat(result.reasons()).containsExactly("the test is over");
        assertThat(files.json("summary.json").at("/operations/UPDATE/unknown").asLong())
                .isEqualTo(1);
        assertThat(files.sum("slices.csv", "UPDATE", "unknown")).isEqualTo(1);
        assertThat(files.json("run.json").path("durationNanos").asLong()).isGreaterThan(450_000_000L);
    }

    @Test
    void noMoreCallsAreAbandonedThanAreAllowedToBeUnderWay() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        CountDownLatch never = new CountDownLatch(1);
        hanging("READ", 5, 5);
        ScriptedDb.Script counts = ScriptedDb.script;
        ScriptedDb.script = (operation, key) -> {
            Status status = counts.call(operation, key);
            if (operation.equals("READ") && calls.get() <= 4) {
                never.await();
            }
            return status;
        };
        RunSpec spec = one("READ")
                .lasting(Duration.ofSeconds(1))
                .with("op.timeout", "50ms")
                .in(files.directory());

        new BenchmarkRun(spec, List.of(releasedAfter(Duration.ofMillis(900)))).execute();

        JsonNode timeout = files.json("run.json").path("opTimeout");
        assertThat(timeout.path("mostUnderWay").asInt()).isEqualTo(4);
        assertThat(timeout.path("abandoned").asInt()).isEqualTo(4);
        assertThat(timeout.path("stillUnderWay").asInt()).isEqualTo(4);
        // The fifth was waited for, and has the outcome that it had.
        JsonNode reads = files.json("summary.json").at("/operations/READ");
        assertThat(reads.path("failed").asLong()).isEqualTo(4);
        assertThat(reads.path("ok").asLong()).isPositive();
        assertThat(files.histogram("READ", "ok", "service").getMaxValue()).isGreaterThan(400_000_000L);
    }

    @Test
    void heirConnectsAgainAsSoonAsItCan() throws Exception {
        RunFiles files = new RunFiles(directory.resolve("run"));
        AtomicInteger connections = new AtomicInteger();
        hanging("READ", 10, 10);
        ScriptedDb.Script reads = ScriptedDb.script;
        ScriptedDb.script = (operation, key) -> {
            if (operation.equals("INIT") && connections.incrementAndGet() > 1 && connections.get() < 10) {
                throw new IllegalStateException("no server can be reached");
            }
            return reads.call(operation, key);
        };

        RunResult result = new BenchmarkRun(
                        one("READ")
                                .lasting(Duration.ofSeconds(4))
                                .with("op.timeout", "100ms")
                                .in(files.directory()),
                        List.of(releasedAfter(Duration.ofMillis(3_500))))
                .execute();

        assertThat(result.reasons()).isEmpty();
        assertThat(connections).hasValue(10);
        assertThat(calls.get()).isGreaterThan(20);
    }

    /** Nothing else would end it: no call is under way, and nothing limits its time. */
    @Test
    @Timeout(60)
    void runOfSoManyOperationsEndsWhenNoThreadCanConnectAgain() {
        AtomicInteger connections = new AtomicInteger();
        hanging("READ", 10, 10);
        ScriptedDb.Script reads = ScriptedDb.script;
        ScriptedDb.script = (operation, key) -> {
            if (operation.equals("INIT") && connections.incrementAndGet() > 1) {
                throw new IllegalStateException("no server can be reached");
            }
            return reads.call(operation, key);
        };
        RunBounds bounds = new RunBounds(
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofMillis(200),
                Duration.ofMillis(500));

        RunResult result = new BenchmarkRun(
                        Specs.aRun(50)
                                .with("readproportion", "1")
                                .with("updateproportion", "0")
                                .with("op.timeout", "100ms")
                                .in(directory.resolve("run")),
                        List.of(),
                        bounds)
                .execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons())
                .containsExactly("client-0: no new connection for 0.5 s after its call was abandoned");
        assertThat(connections.get()).isGreaterThan(2);
    }

    /** As when no more threads can be made: without it no call has a deadline any more. */
    @Test
    void whatKeepsCallsFromBeingGivenUpIsReported() throws InterruptedException {
        OutOfMemoryError none = new OutOfMemoryError("unable to create native thread");
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        CallDeadlines deadlines = new CallDeadlines(
                Duration.ofMillis(100),
                notAfter -> {
                    throw none;
                },
                failures::add);

        deadlines.start();

        assertThat(failures.poll(10, TimeUnit.SECONDS)).isSameAs(none);
        deadlines.end();
        assertThat(failures).isEmpty();
    }

    @Test
    void wrongTimeoutIsRefused() {
        assertThatThrownBy(() -> new BenchmarkRun(
                                Specs.aRun(1).with("op.timeout", "5").in(directory.resolve("run")), List.of())
                        .execute())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("op.timeout");
    }

    private void load() {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
    }

    private static Specs one(String operation) {
        return Specs.aRun(0)
                .with("readproportion", operation.equals("READ") ? "1" : "0")
                .with("updateproportion", operation.equals("UPDATE") ? "1" : "0");
    }

    /** Calls from the first to the last of these hang until they are released; all take a millisecond. */
    private void hanging(String hung, int first, int last) {
        Map<String, Map<String, byte[]>> rows = Map.copyOf(ScriptedDb.ROWS);
        ScriptedDb.reset((operation, key) -> {
            if (!operation.equals(hung)) {
                return null;
            }
            int call = calls.incrementAndGet();
            Thread.sleep(1);
            if (call >= first && call <= last && release.getCount() > 0) {
                release.await();
                returned.incrementAndGet();
            }
            return ScriptedDb.ROWS.isEmpty() ? Status.OK : null;
        });
        ScriptedDb.ROWS.putAll(rows);
    }

    private static void awaitInSpiteOfInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                continue; // a driver that does not let itself be interrupted
            }
        }
    }

    private static RunCompanion atTheEnd(Consumer<RunControl> looking) {
        return new RunCompanion() {
            @Override
            public void started(RunControl run) {
                // It looks when the load has ended.
            }

            @Override
            public void ended(RunControl run) {
                looking.accept(run);
            }
        };
    }

    private RunCompanion releasedAfter(Duration time) {
        return run -> {
            Thread thread = new Thread(() -> {
                try {
                    TimeUnit.NANOSECONDS.sleep(time.toNanos());
                } catch (InterruptedException e) {
                    return;
                }
                release.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        };
    }
}
