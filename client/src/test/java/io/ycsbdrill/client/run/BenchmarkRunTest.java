package io.ycsbdrill.client.run;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.measure.RoutedMeasurements;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.Status;

class BenchmarkRunTest {
    private static final RunBounds SHORT =
            new RunBounds(ofSeconds(20), ofSeconds(2), ofSeconds(2), ofMillis(100), ofSeconds(20));

    @TempDir
    private Path directory;

    private Path out;
    private RunFiles files;

    @BeforeEach
    void start() {
        ScriptedDb.reset((operation, key) -> null);
        out = directory.resolve("run");
        files = new RunFiles(out);
    }

    @Test
    void everyFileTellsTheSameCounts() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Status[] answers = {Status.OK, Status.NOT_FOUND, Status.ERROR, ScriptedDb.NULL, Status.OK};
        ScriptedDb.reset((operation, key) ->
                operation.equals("INIT") || operation.equals("CLEANUP") ? null : answers[calls.getAndIncrement() % 5]);
        RunSpec spec = Specs.aRun(20_000)
                .with("readproportion", "0.5")
                .with("updateproportion", "0.3")
                .with("readmodifywriteproportion", "0.2")
                .threads(3)
                .rate(100_000, RatePlan.AfterStall.CATCHUP)
                .window(ofMillis(100))
                .in(out);

        BenchmarkRun run = new BenchmarkRun(spec, List.of());
        RunResult result = run.execute();

        assertThat(result.reasons()).isEmpty();
        JsonNode summary = files.json("summary.json");
        long all = 0;
        for (String operation : List.of("READ", "UPDATE", "READ-MODIFY-WRITE")) {
            for (String outcome : List.of("ok", "failed", "unknown")) {
                long count =
                        summary.at("/operations/" + operation + "/" + outcome).asLong(-1);
                assertThat(files.sum("windows.csv", operation, outcome)).isEqualTo(count);
                assertThat(files.sum("slices.csv", operation, outcome)).isEqualTo(count);
                assertThat(files.histogram(operation, outcome, "service").getTotalCount())
                        .isEqualTo(count);
                assertThat(files.histogram(operation, outcome, "response").getTotalCount())
                        .isEqualTo(count);
                all += operation.equals("READ-MODIFY-WRITE") ? 0 : count;
            }
        }
        assertThat(all).isEqualTo(calls.get());
        // The first and the last of each five answers is OK.
        long ok = calls.get() / 5 * 2L + (calls.get() % 5 > 0 ? 1 : 0);
        assertThat(files.sum("windows.csv", "TOTAL", "ok")).isEqualTo(ok);
        assertThat(files.sum("slices.csv", "TOTAL", "ok")).isEqualTo(ok);
        assertThat(summary.at("/operations/READ/unknown").asLong()).isZero();
        assertThat(summary.at("/operations/UPDATE/unknown").asLong()).isPositive();
        assertThat(summary.at("/operations/UPDATE/returns/null").asLong()).isPositive();
        assertThat(summary.get("transactions").asLong()).isEqualTo(20_000);
        assertThat(run.text())
                .startsWith("[OVERALL], RunTime(ms), ")
                .contains("[READ], Return=NOT_FOUND, ", "[UPDATE-FAILED], Operations, ", "[CLEANUP], Operations, 3")
                .isEqualTo(Files.readString(out.resolve("ycsb.txt")));
        assertThat(files.json("run.json").get("state").asText()).isEqualTo("complete");
    }

    @Test
    void aRowThatIsMissingIsNoFailureWhereRowsExpire() throws Exception {
        ScriptedDb.reset((operation, key) -> switch (operation) {
            case "READ" -> Status.NOT_FOUND;
            case "UPDATE" -> Statuses.UNAVAILABLE;
            default -> null;
        });
        RunSpec spec = Specs.aRun(200)
                .with("readproportion", "0.5")
                .with("updateproportion", "0.5")
                .with("record.ttl", "60s")
                .in(out);

        BenchmarkRun run = new BenchmarkRun(spec, List.of());
        run.execute();

        JsonNode operations = files.json("summary.json").get("operations");
        long reads = operations.at("/READ/ok").asLong();
        assertThat(reads).isPositive();
        assertThat(operations.at("/READ/failed").asLong()).isZero();
        assertThat(operations.at("/READ/returns/NOT_FOUND").asLong()).isEqualTo(reads);
        assertThat(operations.at("/UPDATE/failed").asLong()).isEqualTo(200 - reads);
        assertThat(run.text()).contains("[READ], Return=NOT_FOUND, " + reads).doesNotContain("[READ-FAILED]");
    }

    @Test
    void stalledWindowsAreRowsOfZerosAndLateOperationsGetTheirEarlierRows() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ScriptedDb.reset((operation, key) -> {
            if (calls.incrementAndGet() == 3) {
                Thread.sleep(650);
            }
            return operation.equals("READ") || operation.equals("UPDATE") ? Status.OK : null;
        });
        RunSpec spec = Specs.aRun(0)
                .with("readproportion", "1.0")
                .with("updateproportion", "0")
                .lasting(ofMillis(1000))
                .window(ofMillis(100))
                .in(out);

        new BenchmarkRun(spec, List.of()).execute();

        List<Map<String, String>> windows = files.csv("windows.csv").stream()
                .filter(row -> row.get("operation").equals("READ"))
                .toList();
        assertThat(windows)
                .extracting(row -> Integer.parseInt(row.get("window")))
                .isSorted();
        int stalled = 0; // the longest stretch of zeros: where it lies depends on how fast the JVM gets going
        for (int i = 0, zeros = 0; i < windows.size(); i++) {
            Map<String, String> row = windows.get(i);
            assertThat(Integer.parseInt(row.get("window"))).isEqualTo(i);
            assertThat(Double.parseDouble(row.get("start_s"))).isEqualTo(i / 10.0);
            zeros = row.get("ok").equals("0") ? zeros + 1 : 0;
            stalled = Math.max(stalled, zeros);
            if (zeros > 0) {
                assertThat(row).containsEntry("service_p99_us", "");
            }
        }
        assertThat(stalled).as("whole windows within 650 ms").isGreaterThanOrEqualTo(5);
        assertThat(files.sum("windows.csv", "READ", "ok")).isGreaterThan(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void everyWorkloadTypeRunsWithoutAFailure(String workload) throws Exception {
        new BenchmarkRun(proportions(Specs.aLoad(500), workload).threads(3).in(directory.resolve("load")), List.of())
                .execute();
        Specs specs = proportions(Specs.aRun(3_000), workload)
                .with("recordcount", "500")
                .with("dataintegrity", "false")
                .threads(3);

        RunResult result = new BenchmarkRun(specs.in(out), List.of()).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.COMPLETE);
        assertThat(files.sum("windows.csv", "TOTAL", "failed") + files.sum("windows.csv", "TOTAL", "unknown"))
                .isZero();
        assertThat(files.json("summary.json").get("transactions").asLong()).isEqualTo(3_000);
    }

    private static Specs proportions(Specs specs, String workload) {
        String[] shares =
                switch (workload) {
                    case "a" -> new String[] {"0.5", "0.5", "0", "0", "0", "zipfian"};
                    case "b" -> new String[] {"0.95", "0.05", "0", "0", "0", "zipfian"};
                    case "c" -> new String[] {"1", "0", "0", "0", "0", "zipfian"};
                    case "d" -> new String[] {"0.95", "0", "0.05", "0", "0", "latest"};
                    case "e" -> new String[] {"0", "0", "0.05", "0.95", "0", "zipfian"};
                    default -> new String[] {"0.5", "0", "0", "0", "0.5", "zipfian"};
                };
        return specs.with("readproportion", shares[0])
                .with("updateproportion", shares[1])
                .with("insertproportion", shares[2])
                .with("scanproportion", shares[3])
                .with("readmodifywriteproportion", shares[4])
                .with("requestdistribution", shares[5]);
    }

    @Test
    void verificationOfWrongDataIsCountedAsFailed() throws Exception {
        new BenchmarkRun(Specs.aLoad(100).with("dataintegrity", "true").in(directory.resolve("load")), List.of())
                .execute();
        ScriptedDb.ROWS.values().iterator().next().replaceAll((field, value) -> new byte[] {1});

        new BenchmarkRun(
                        Specs.aRun(5_000)
                                .with("dataintegrity", "true")
                                .with("readproportion", "1")
                                .in(out),
                        List.of())
                .execute();

        JsonNode verify = files.json("summary.json").at("/operations/VERIFY");
        assertThat(verify.get("failed").asLong()).isPositive();
        assertThat(verify.get("ok").asLong() + verify.get("failed").asLong())
                .isEqualTo(files.sum("windows.csv", "READ", "ok"));
    }

    @Test
    void trimmingLeavesTheDataAlone() throws Exception {
        RunSpec spec = Specs.aRun(0)
                .with("readproportion", "1")
                .with("updateproportion", "0")
                .lasting(ofMillis(1200))
                .rate(1000, RatePlan.AfterStall.CATCHUP)
                .window(ofMillis(100))
                .trimmed(ofMillis(300), ofMillis(250))
                .in(out);
        ScriptedDb.reset((operation, key) -> Status.OK);

        new BenchmarkRun(spec, List.of()).execute();

        JsonNode summary = files.json("summary.json");
        double start = summary.at("/trimmed/startSeconds").asDouble();
        double end = summary.at("/trimmed/endSeconds").asDouble();
        assertThat(start).isEqualTo(0.3);
        assertThat(end)
                .isGreaterThan(0.5)
                .isLessThanOrEqualTo(summary.get("durationSeconds").asDouble() - 0.25);
        long inside = files.csv("windows.csv").stream()
                .filter(row -> row.get("operation").equals("READ"))
                .filter(row ->
                        Double.parseDouble(row.get("start_s")) >= start && Double.parseDouble(row.get("end_s")) <= end)
                .mapToLong(row -> Long.parseLong(row.get("ok")))
                .sum();
        assertThat(summary.at("/operations/READ/ok").asLong()).isEqualTo(inside).isPositive();
        long all = files.sum("windows.csv", "READ", "ok");
        assertThat(all).as("trimmed ones are in the data").isGreaterThan(inside).isLessThanOrEqualTo(1200);
        assertThat(files.sum("slices.csv", "READ", "ok")).isEqualTo(all);
    }

    @Test
    void signalLeavesACompleteDirectoryMarkedIncomplete() throws Exception {
        BenchmarkRun[] run = new BenchmarkRun[1];
        RunCompanion signal = new RunCompanion() {
            @Override
            public void started(RunControl control) {
                run[0].interrupt("SIGINT");
            }
        };
        run[0] = new BenchmarkRun(Specs.aRun(0).in(out), List.of(signal));

        RunResult result = run[0].execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons()).containsExactly("SIGINT");
        assertThat(files.json("run.json").get("state").asText()).isEqualTo("incomplete");
        assertThat(out.resolve("summary.json")).exists();
        assertThat(out.resolve("ycsb.txt")).exists();
        assertThat(ScriptedDb.CLEANED).hasValue(1);
    }

    @Test
    void hungCallIsNamedAndCountedApart() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger updates = new AtomicInteger();
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("UPDATE") && updates.incrementAndGet() == 5) {
                while (true) {
                    try {
                        never.await();
                        return Status.OK;
                    } catch (InterruptedException e) {
                        // A driver that swallows interrupts.
                    }
                }
            }
            return Status.OK;
        });
        RunSpec spec = Specs.aRun(0)
                .with("readproportion", "0")
                .with("updateproportion", "1")
                .threads(2)
                .lasting(ofMillis(400))
                .in(out);

        RunResult result = new BenchmarkRun(spec, List.of(), SHORT).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons())
                .singleElement()
                .asString()
                .matches("client-[01]: UPDATE has not returned for \\d+\\.\\d s; its thread was interrupted");
        JsonNode summary = files.json("summary.json");
        assertThat(summary.get("inFlight")).hasSize(1);
        assertThat(summary.at("/inFlight/0/outcome").asText()).isEqualTo("unknown");
        assertThat(summary.at("/operations/UPDATE/ok").asLong()).isEqualTo(updates.get() - 1L);
        never.countDown();
    }

    @Test
    void callThatHangsWhileTheRunGoesOnEndsIt() {
        CountDownLatch never = new CountDownLatch(1);
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                never.await();
            }
            return Status.OK;
        });
        RunBounds bounds = new RunBounds(ofSeconds(20), ofMillis(50), ofMillis(50), ofSeconds(5), ofMillis(200));

        RunResult result =
                new BenchmarkRun(Specs.aRun(10).with("readproportion", "1").in(out), List.of(), bounds).execute();

        assertThat(result.reasons().get(0)).contains("client-0: READ has not returned", "a call may take 0.2 s");
    }

    @Test
    @Timeout(60)
    void runWhoseThreadIsInterruptedLeavesNoThreadThatMeasures() throws InterruptedException {
        ScriptedDb.reset((operation, key) -> {
            if (!operation.equals("CLEANUP")) { // which may be interrupted, too, and is to be counted
                Thread.sleep(1);
            }
            return null;
        });
        Set<Thread> before = measuring(Set.of());
        BenchmarkRun run =
                new BenchmarkRun(Specs.aRun(0).with("op.timeout", "5s").in(out), List.of(), SHORT);
        AtomicReference<RunResult> result = new AtomicReference<>();
        Thread executor = new Thread(() -> result.set(run.execute()));
        executor.start();
        while (measuring(before).size() < 2) {
            Thread.sleep(10);
        }

        executor.interrupt();
        executor.join();

        assertThat(result.get().state()).isEqualTo(RunResult.State.INCOMPLETE);
        for (Thread thread : measuring(before)) {
            thread.join(1_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        // The client thread ends by itself; the next test would count its cleanup.
        while (ScriptedDb.CLEANED.get() == 0) {
            Thread.sleep(10);
        }
    }

    /** The threads beside these that look after the client threads of runs. */
    private static Set<Thread> measuring(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> Set.of("client-meter", "op-deadline").contains(thread.getName()))
                .filter(thread -> !others.contains(thread))
                .collect(Collectors.toSet());
    }

    @Test
    void failingInitialisationFailsTheRunWithItsReason() throws Exception {
        AtomicInteger inits = new AtomicInteger();
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("INIT") && inits.incrementAndGet() == 2) {
                throw new IllegalStateException("no route to node 7");
            }
            return null;
        });

        BenchmarkRun run = new BenchmarkRun(Specs.aRun(1000).threads(3).in(out), List.of());
        RunResult result = run.execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons().get(0)).contains("could not be initialised", "no route to node 7");
        assertThat(files.json("run.json").at("/reasons/0").asText()).contains("no route to node 7");
        assertThat(run.text()).isEmpty();
        assertThat(ScriptedDb.CLEANED).hasValue(2);
    }

    /** A wrong password filled the screen, once for each thread. */
    @Test
    void aReasonThatThreadsShareIsSaidOnce() throws Exception {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("INIT")) {
                throw new IllegalStateException("password authentication failed");
            }
            return null;
        });

        RunResult result = new BenchmarkRun(Specs.aRun(1000).threads(3).in(out), List.of()).execute();

        // The wait ends with the first failure, so that the others may still be on their way.
        assertThat(result.reasons())
                .singleElement(STRING)
                .matches("client-\\d( and [12] more)? could not be initialised: .*password authentication failed.*");
    }

    /** The others were said to hang. */
    @Test
    void whileOneThreadFailsTheOthersAreNotBlamedForInitialisingStill() {
        AtomicInteger inits = new AtomicInteger();
        CountDownLatch slow = new CountDownLatch(1);
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("INIT")) {
                if (inits.incrementAndGet() == 3) {
                    throw new IllegalStateException("no route to node 7");
                }
                slow.await();
            }
            return null;
        });
        RunBounds bounds = new RunBounds(ofSeconds(20), ofMillis(50), ofMillis(50), ofMillis(50), ofSeconds(20));

        RunResult result = new BenchmarkRun(Specs.aRun(1000).threads(3).in(out), List.of(), bounds).execute();
        slow.countDown();

        assertThat(result.reasons().get(0)).contains("could not be initialised", "no route to node 7");
        assertThat(result.reasons()).noneMatch(reason -> reason.contains("20.0 s"));
    }

    @Test
    void exceptionBeforeAnySuccessEndsTheRunAndIsCounted() throws Exception {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("UPDATE")) {
                throw new IllegalArgumentException("driver bug");
            }
            return Status.OK;
        });
        RunSpec spec = Specs.aRun(0)
                .with("readproportion", "0")
                .with("updateproportion", "1")
                .in(out);

        RunResult result = new BenchmarkRun(spec, List.of()).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons()).singleElement().asString().contains("IllegalArgumentException: driver bug");
        JsonNode update = files.json("summary.json").at("/operations/UPDATE");
        assertThat(update.get("unknown").asLong()).isEqualTo(1);
        assertThat(update.at("/returns/IllegalArgumentException").asLong()).isEqualTo(1);
    }

    /** It ended the run, so that a binding that throws when its server is gone could not be drilled. */
    @Test
    void exceptionAfterASuccessIsTheFailureOfOneOperationAndTheBindingIsOpenedAgain() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger inits = new AtomicInteger();
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("INIT") && inits.incrementAndGet() == 2) {
                throw new IllegalStateException("not yet back");
            }
            if (operation.equals("UPDATE") && calls.incrementAndGet() == 100) {
                throw new IllegalArgumentException("connection lost");
            }
            return operation.equals("READ") && reads.incrementAndGet() == 150
                    ? thrown(new UncheckedIOException(new IOException("connection lost")))
                    : Status.OK;
        });

        RunResult result = new BenchmarkRun(
                        Specs.aRun(2000)
                                .with("readproportion", "0.5")
                                .with("updateproportion", "0.5")
                                .in(out),
                        List.of())
                .execute();

        assertThat(result.state()).as(result.reasons().toString()).isEqualTo(RunResult.State.COMPLETE);
        JsonNode operations = files.json("summary.json").path("operations");
        assertThat(operations.at("/UPDATE/unknown").asLong()).isEqualTo(1);
        assertThat(operations.at("/UPDATE/returns/IllegalArgumentException").asLong())
                .isEqualTo(1);
        assertThat(operations.at("/READ/returns/UncheckedIOException").asLong()).isEqualTo(1);
        long unavailable = operations.at("/UPDATE/returns/UNAVAILABLE").asLong()
                + operations.at("/READ/returns/UNAVAILABLE").asLong();
        assertThat(unavailable)
                .as("what was not sent while there was no connection")
                .isPositive();
        assertThat(operations.at("/READ/failed").asLong()
                        + operations.at("/UPDATE/failed").asLong())
                .isEqualTo(1 + unavailable);
        assertThat(inits).hasValue(4);
        assertThat(ScriptedDb.CLEANED).as("the two that threw, and the last").hasValue(3);
    }

    private static Status thrown(RuntimeException e) {
        throw e;
    }

    @Test
    void deletesAreAsManyAsAsked() throws Exception {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(out.resolveSibling("load")), List.of()).execute();

        RunResult result = new BenchmarkRun(
                        Specs.aRun(1000)
                                .with("readproportion", "0.1")
                                .with("updateproportion", "0.5")
                                .with("deleteproportion", "0.4")
                                .in(out),
                        List.of())
                .execute();

        assertThat(result.state()).isEqualTo(RunResult.State.COMPLETE);
        JsonNode operations = files.json("summary.json").path("operations");
        JsonNode delete = operations.path("DELETE");
        assertThat(delete.get("ok").asLong() + delete.get("failed").asLong()).isBetween(300L, 500L);
        assertThat(delete.get("ok").asLong())
                .isEqualTo(100 - ScriptedDb.ROWS.size())
                .isPositive();
        assertThat(delete.at("/returns/NOT_FOUND").asLong())
                .isEqualTo(delete.get("failed").asLong());
        assertThat(operations.at("/READ/ok").asLong()
                        + operations.at("/READ/failed").asLong())
                .isBetween(50L, 160L);
    }

    @Test
    void errorInAWorkerEndsTheRunToo() {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                throw new OutOfMemoryError("test");
            }
            return null;
        });

        RunResult result =
                new BenchmarkRun(Specs.aRun(10).with("readproportion", "1").in(out), List.of()).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons().get(0)).contains("OutOfMemoryError");
    }

    @Test
    void failingCleanupIsAReasonAsBufferedWritesMayBeLost() {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("CLEANUP")) {
                throw new IllegalStateException("flush failed");
            }
            return Status.OK;
        });

        RunResult result = new BenchmarkRun(Specs.aRun(10).in(out), List.of()).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons().get(0)).contains("cleanup failed", "flush failed");
    }

    @Test
    void companionsGetWindowsMarkersPhasesAndFilesEvenWhenTheyComeLate() throws Exception {
        AtomicInteger partial = new AtomicInteger();
        AtomicInteger complete = new AtomicInteger();
        RunCompanion companion = new RunCompanion() {
            @Override
            public void started(RunControl run) {
                run.phase(0, "steady");
                run.file("phases.csv", "x\n");
            }

            @Override
            public void window(WindowSnapshot window) {
                (window.complete() ? complete : partial).incrementAndGet();
            }

            @Override
            public void ended(RunControl run) {
                run.marker(150_000_000, "fault-started", "R", Map.of("node", "node1"));
                run.marker(120_000_000, "event", "a,b", Map.of());
                run.phase(250_000_000, "down");
                assertThat(run.recentSlices(Duration.ofMillis(200))).hasSize(2);
                run.invalidate("node1 did not come back");
            }
        };
        ScriptedDb.reset((operation, key) -> Status.OK);
        RunSpec spec = Specs.aRun(0)
                .lasting(ofMillis(500))
                .rate(200, RatePlan.AfterStall.SKIP)
                .window(ofMillis(100))
                .in(out);

        RunResult result = new BenchmarkRun(spec, List.of(companion)).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INVALID);
        List<Map<String, String>> total = files.csv("windows.csv").stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .toList();
        assertThat(total.get(0)).containsEntry("phase", "steady").containsEntry("markers", "");
        assertThat(total.get(1)).containsEntry("phase", "steady").containsEntry("markers", "a b;R");
        assertThat(total.get(2)).containsEntry("phase", "down");
        assertThat(complete).hasValue(total.size());
        assertThat(Files.readString(out.resolve("phases.csv"))).isEqualTo("x\n");
        assertThat(Files.readAllLines(out.resolve("markers.jsonl"))).hasSize(2);
    }

    @Test
    void directoryThatCannotBeWrittenAnyMoreEndsTheRunAndIsNotSilent() throws Exception {
        ScriptedDb.reset((operation, key) -> Status.OK);
        AtomicInteger ended = new AtomicInteger();
        RunCompanion vandal = new RunCompanion() {
            @Override
            public void started(RunControl run) {
                run.file("phases.csv", "");
                try {
                    // A directory of the file's name: the file cannot be written, not even by root.
                    Files.createDirectories(out.resolve("phases.csv").resolve("x"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void ended(RunControl run) {
                ended.incrementAndGet();
            }
        };

        BenchmarkRun run = new BenchmarkRun(Specs.aRun(100).in(out), List.of(vandal));
        RunResult result = run.execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons()).singleElement().asString().contains("phases.csv");
        assertThat(run.text()).contains("[OVERALL], RunTime(ms)");
        assertThat(ended).hasValue(1);
    }

    @Test
    void failingCompanionEndsTheRunAndTheOthersAreStillEnded() {
        ScriptedDb.reset((operation, key) -> Status.OK);
        AtomicInteger ended = new AtomicInteger();
        RunCompanion broken = run -> {
            throw new IllegalStateException("cannot inject");
        };
        RunCompanion other = new RunCompanion() {
            @Override
            public void started(RunControl run) {}

            @Override
            public void ended(RunControl run) {
                ended.incrementAndGet();
            }
        };

        RunResult result = new BenchmarkRun(Specs.aRun(0).in(out), List.of(other, broken)).execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons()).singleElement().asString().contains("cannot inject");
        assertThat(ended).hasValue(1);
    }

    @Test
    void exporterAndExportFileAreHonoured() throws Exception {
        ScriptedDb.reset((operation, key) -> Status.OK);
        Path file = directory.resolve("result.json");
        RunSpec spec = Specs.aRun(100)
                .with("exporter", "site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter")
                .with("exportfile", file.toString())
                .with("measurement.interval", "both")
                .rate(100_000, RatePlan.AfterStall.CATCHUP)
                .in(out);

        BenchmarkRun run = new BenchmarkRun(spec, List.of());
        run.execute();

        JsonNode results = new RunFiles(directory).json("result.json");
        assertThat(results.findValuesAsText("metric")).contains("OVERALL", "READ", "Intended-READ", "CLEANUP");
        assertThat(run.text()).isEmpty();
    }

    @Test
    void figuresAsJsonOneAfterTheOtherNeedNoOldJackson() throws Exception {
        ScriptedDb.reset((operation, key) -> Status.OK);
        RunSpec spec = Specs.aRun(100)
                .with("exporter", "site.ycsb.measurements.exporter.JSONMeasurementsExporter")
                .in(out);

        BenchmarkRun run = new BenchmarkRun(spec, List.of());
        run.execute();

        List<JsonNode> figures = new ObjectMapper()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(run.text())
                .readAll();
        assertThat(figures).hasSizeGreaterThan(10).allSatisfy(figure -> assertThat(figure.fieldNames())
                .toIterable()
                .containsExactly("metric", "measurement", "value"));
        assertThatThrownBy(() -> Class.forName("org.codehaus.jackson.JsonFactory"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void twoRunsInOneJvmDoNotKnowOfEachOther() throws Exception {
        ScriptedDb.reset((operation, key) -> Status.OK);

        new BenchmarkRun(Specs.aRun(100).in(directory.resolve("first")), List.of()).execute();
        new BenchmarkRun(Specs.aRun(50).in(out), List.of()).execute();

        assertThat(files.sum("windows.csv", "TOTAL", "ok")).isEqualTo(50);
    }

    /** Each waits in its first operation for the other, so that they do go on together. */
    @Test
    void twoRunsAtTheSameTimeDoNotMixTheirFigures() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        Set<Thread> met = ConcurrentHashMap.newKeySet();
        ScriptedDb.reset((operation, key) -> {
            if (met.add(Thread.currentThread())) {
                try {
                    both.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                    throw new IllegalStateException(e);
                }
            }
            return Status.OK;
        });
        ExecutorService other = Executors.newSingleThreadExecutor();

        try {
            Future<RunResult> first = other.submit(() -> new BenchmarkRun(
                            Specs.aRun(300)
                                    .with("readproportion", "0")
                                    .with("updateproportion", "0")
                                    .with("readmodifywriteproportion", "1")
                                    .in(directory.resolve("first")),
                            List.of())
                    .execute());
            RunResult second = new BenchmarkRun(
                            Specs.aRun(200)
                                    .with("readproportion", "1")
                                    .with("updateproportion", "0")
                                    .in(out),
                            List.of())
                    .execute();

            assertThat(List.of(first.get().state(), second.state())).containsOnly(RunResult.State.COMPLETE);
        } finally {
            other.shutdown();
        }
        RunFiles firstFiles = new RunFiles(directory.resolve("first"));
        assertThat(firstFiles.sum("windows.csv", "READ-MODIFY-WRITE", "ok")).isEqualTo(300);
        assertThat(firstFiles.sum("windows.csv", "TOTAL", "ok")).isEqualTo(600);
        assertThat(files.sum("windows.csv", "READ", "ok")).isEqualTo(200);
        assertThat(files.sum("windows.csv", "TOTAL", "ok")).isEqualTo(200);
    }

    @Test
    void badSpecificationIsRefusedWithAllProblemsAndLeavesNothingBehind() throws Exception {
        Files.createDirectories(out);
        Files.writeString(out.resolve("old"), "");
        RunSpec spec = Specs.aRun(1)
                .with("workload", "no.such.Workload")
                .with("exporter", "no.such.Exporter")
                .threads(0)
                .window(ofMillis(150))
                .binding("java.lang.String")
                .in(out);

        assertThatThrownBy(() -> new BenchmarkRun(spec, List.of()).execute())
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems())
                        .hasSize(6)
                        .anyMatch(problem -> problem.contains("is not empty"))
                        .anyMatch(problem -> problem.contains("no.such.Workload")));
        assertThat(ScriptedDb.INITIALISED).hasValue(0);
    }

    @Test
    void combinationThatWouldEndTheJvmInsideCoreWorkloadIsRefused() {
        RunSpec spec = Specs.aLoad(100)
                .with("insertstart", "60")
                .with("insertcount", "50")
                .in(out);

        assertThatThrownBy(() -> new BenchmarkRun(spec, List.of()).execute())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("insertstart = 60");
        assertThat(out).doesNotExist();
    }

    @Test
    void operationCountsBeyond31BitsAreSharedExactlyAndClampedForTheWorkloadOnly() {
        long operations = (1L << 33) + 5;
        RunSpec spec = Specs.aRun(operations)
                .with("operationcount", "" + operations)
                .with("requestdistribution", "zipfian")
                .with("insertproportion", "0.05")
                .in(out);

        RoutedMeasurements.install();
        WorkloadSetup setup;
        try {
            setup = WorkloadSetup.of(spec);
        } finally {
            RoutedMeasurements.uninstall();
        }

        long sum = 0;
        for (int i = 0; i < 7; i++) {
            sum += setup.share(i, 7);
        }
        assertThat(sum).isEqualTo(operations);
        assertThat(setup.properties().getProperty("operationcount")).isEqualTo("" + Integer.MAX_VALUE);
        String allInserts = WorkloadSetup.operationCount(
                Specs.aRun(operations).with("insertproportion", "1").in(out));
        assertThat(Long.parseLong(allInserts) * 2 + 100).isLessThanOrEqualTo(Integer.MAX_VALUE);
    }
}
