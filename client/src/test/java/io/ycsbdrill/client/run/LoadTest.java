package io.ycsbdrill.client.run;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.Statuses;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;
import site.ycsb.Utils;

class LoadTest {
    private static final RunBounds SHORT =
            new RunBounds(ofSeconds(20), ofMillis(200), ofMillis(200), ofMillis(100), ofMillis(300));

    @TempDir
    private Path directory;

    @Test
    void failedRecordsAreReportedByKeyNumberAndTheOthersAreAllInserted() throws Exception {
        Set<String> failing = keys(10, 11, 12, 40);
        Set<String> lost = keys(0, 99);
        ScriptedDb.reset((operation, key) ->
                failing.contains(key) ? Status.NOT_FOUND : lost.contains(key) ? Status.ERROR : null);

        RunResult result = run(Specs.aLoad(100).threads(4), RunBounds.STANDARD);

        assertThat(result.state()).isEqualTo(RunResult.State.COMPLETE);
        assertThat(load().toString())
                .isEqualTo(
                        "{\"insertStart\":0,\"insertCount\":100,\"inserted\":94,"
                                + "\"failedRanges\":[[10,12],[40,40]],\"unknownRanges\":[[0,0],[99,99]],\"notStartedRanges\":[]}");
        assertThat(ScriptedDb.ROWS).hasSize(94);
    }

    @Test
    void partOfATableIsLoadedByStartAndCount() throws Exception {
        ScriptedDb.reset((operation, key) -> null);

        run(
                Specs.aLoad(1000)
                        .with("insertstart", "500")
                        .with("insertcount", "20")
                        .threads(3),
                RunBounds.STANDARD);

        assertThat(load().get("inserted").asInt()).isEqualTo(20);
        assertThat(ScriptedDb.ROWS.keySet())
                .isEqualTo(keys(IntStream.range(500, 520).toArray()));
    }

    @Test
    void retriesInsertTheSameValuesAndEveryAttemptIsCounted() throws Exception {
        Map<String, Integer> attempts = new ConcurrentHashMap<>();
        Set<String> twice = keys(3, 7);
        Set<String> always = keys(5);
        ScriptedDb.reset((operation, key) -> {
            if (!operation.equals("INSERT")) {
                return null;
            }
            int attempt = attempts.merge(key, 1, Integer::sum);
            return always.contains(key) || twice.contains(key) && attempt <= 2 ? Statuses.TEMPORARY : null;
        });

        run(Specs.aLoad(10).with("fieldlength", "50").retries(2), RunBounds.STANDARD);

        assertThat(load().get("inserted").asInt()).isEqualTo(9);
        assertThat(load().get("failedRanges").toString()).isEqualTo("[[5,5]]");
        assertThat(files().sum("windows.csv", "INSERT", "ok")).isEqualTo(9);
        assertThat(files().sum("windows.csv", "INSERT", "failed")).isEqualTo(7);
        assertThat(ScriptedDb.ROWS.values())
                .allSatisfy(row -> assertThat(row.values()).hasSize(10).allMatch(value -> value.length == 50));
    }

    /** Of a load over rows that are there each was tried again, with pauses. */
    @Test
    void whatIsRefusedForGoodIsNotTriedAgain() throws Exception {
        Set<String> there = keys(3, 7, 12);
        ScriptedDb.reset(
                (operation, key) -> operation.equals("INSERT") && there.contains(key) ? Statuses.DUPLICATE_KEY : null);

        run(Specs.aLoad(10).retries(5), RunBounds.STANDARD);

        assertThat(files().sum("windows.csv", "INSERT", "failed")).isEqualTo(2);
        assertThat(load().get("failedRanges").toString()).isEqualTo("[[3,3],[7,7]]");
    }

    @Test
    void refusedRowsOfABatchAreNotTriedAgain() throws Exception {
        Set<String> there = keys(3, 14);
        ScriptedDb.reset(
                (operation, key) -> operation.equals("INSERT") && there.contains(key) ? Statuses.DUPLICATE_KEY : null);

        run(Specs.aLoad(20).batches(10).retries(5), RunBounds.STANDARD);

        assertThat(files().sum("windows.csv", "INSERT", "failed")).isEqualTo(2);
        assertThat(load().get("inserted").asInt()).isEqualTo(18);
    }

    @Test
    void batchesOfLargeRowsHaveFewerOfThem() throws Exception {
        ScriptedDb.Bulk.SIZES.clear();
        ScriptedDb.reset((operation, key) -> null);

        run(
                Specs.aLoad(20)
                        .with("fieldcount", "1")
                        .with("fieldlength", "131072")
                        .batches(100),
                RunBounds.STANDARD);

        assertThat(ScriptedDb.Bulk.SIZES).as("1 MiB at most").containsExactly(8, 8, 4);
        assertThat(load().get("inserted").asInt()).isEqualTo(20);
    }

    @Test
    void unknownThenRefusedStaysUnknown() throws Exception {
        Map<String, Integer> attempts = new ConcurrentHashMap<>();
        ScriptedDb.reset((operation, key) -> operation.equals("INSERT")
                ? attempts.merge(key, 1, Integer::sum) == 1 ? Status.ERROR : Status.BAD_REQUEST
                : null);

        run(Specs.aLoad(1).retries(1), RunBounds.STANDARD);

        assertThat(load().get("unknownRanges").toString()).isEqualTo("[[0,0]]");
        assertThat(load().get("failedRanges")).isEmpty();
    }

    @Test
    void hungInsertIsUnknownAndWhatWasNotStartedIsListed() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Set<String> hanging = keys(5);
        ScriptedDb.reset((operation, key) -> {
            while (hanging.contains(key)) {
                try {
                    never.await();
                    return Status.OK;
                } catch (InterruptedException e) {
                    // A driver that swallows interrupts.
                }
            }
            return null;
        });

        RunResult result = run(Specs.aLoad(10), SHORT);

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(load().get("inserted").asInt()).isEqualTo(5);
        assertThat(load().get("unknownRanges").toString()).isEqualTo("[[5,5]]");
        assertThat(load().get("notStartedRanges").toString()).isEqualTo("[[6,9]]");
        never.countDown();
    }

    @Test
    void exceptionEndsTheLoadButEveryRecordIsAccountedFor() throws Exception {
        Set<String> broken = keys(20);
        ScriptedDb.reset((operation, key) -> {
            if (broken.contains(key)) {
                throw new IllegalStateException("broken");
            }
            return null;
        });

        RunResult result = run(Specs.aLoad(5000).threads(2), RunBounds.STANDARD);

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(load().get("unknownRanges").toString()).isEqualTo("[[20,20]]");
        long notStarted = 0;
        for (JsonNode range : load().get("notStartedRanges")) {
            notStarted += range.get(1).asLong() - range.get(0).asLong() + 1;
        }
        assertThat(load().get("inserted").asLong() + 1 + notStarted).isEqualTo(5000);
    }

    @Test
    void batchesCountEachRowAndTheLastOneMayBeShort() throws Exception {
        Set<String> failing = keys(10, 11);
        ScriptedDb.Bulk.SIZES.clear();
        ScriptedDb.reset(
                (operation, key) -> operation.equals("INSERT") && failing.contains(key) ? Status.BAD_REQUEST : null);

        RunResult result = run(Specs.aLoad(25).batches(10), RunBounds.STANDARD);

        assertThat(result.state()).isEqualTo(RunResult.State.COMPLETE);
        assertThat(ScriptedDb.Bulk.SIZES).containsExactly(10, 10, 5);
        assertThat(ScriptedDb.ROWS.keySet())
                .hasSize(23)
                .doesNotContainAnyElementsOf(failing)
                .isSubsetOf(keys(IntStream.range(0, 25).toArray()));
        assertThat(load().get("inserted").asInt()).isEqualTo(23);
        assertThat(load().get("failedRanges").toString()).isEqualTo("[[10,11]]");
        assertThat(files().sum("windows.csv", "INSERT", "ok")).isEqualTo(23);
        assertThat(files().sum("windows.csv", "INSERT", "failed")).isEqualTo(2);
        assertThat(files().sum("windows.csv", "INSERT-SERVER", "ok"))
                .as("what the binding reports of each call, the last one too")
                .isEqualTo(3);
        assertThat(files().json("summary.json").get("transactions").asInt()).isEqualTo(25);
    }

    @Test
    void failedRowsOfABatchAreTriedAgainOneByOne() throws Exception {
        Map<String, Integer> attempts = new ConcurrentHashMap<>();
        Set<String> once = keys(3, 14);
        ScriptedDb.reset((operation, key) ->
                operation.equals("INSERT") && once.contains(key) && attempts.merge(key, 1, Integer::sum) == 1
                        ? Status.SERVICE_UNAVAILABLE
                        : null);

        run(Specs.aLoad(20).batches(10).retries(1), RunBounds.STANDARD);

        assertThat(load().get("inserted").asInt()).isEqualTo(20);
        assertThat(files().sum("windows.csv", "INSERT", "ok")).isEqualTo(20);
        assertThat(files().sum("windows.csv", "INSERT", "unknown")).isEqualTo(2);
    }

    @Test
    void batchWithoutAnAnswerIsUnknownAndOneThatThrowsEndsTheLoad() throws Exception {
        Set<String> silent = keys(10);
        Set<String> broken = keys(20);
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("INSERT_ALL") && broken.contains(key)) {
                throw new IllegalStateException("broken");
            }
            return operation.equals("INSERT_ALL") && silent.contains(key) ? ScriptedDb.NULL : null;
        });

        RunResult result = run(Specs.aLoad(100).batches(10), RunBounds.STANDARD);

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(load().get("inserted").asInt()).isEqualTo(10);
        assertThat(load().get("unknownRanges").toString()).isEqualTo("[[10,29]]");
        assertThat(load().get("notStartedRanges").toString()).isEqualTo("[[30,99]]");
        assertThat(files().sum("windows.csv", "INSERT", "unknown")).isEqualTo(20);
    }

    @Test
    void batchesNeedABindingThatTakesThem() {
        assertThatThrownBy(() -> run(Specs.aLoad(10).with("db.batchsize", "5"), RunBounds.STANDARD))
                .hasMessageContaining("db.batchsize = 5: the binding " + ScriptedDb.class.getName()
                        + " inserts row by row; 1 expected");
    }

    private RunResult run(Specs specs, RunBounds bounds) {
        return new BenchmarkRun(specs.in(directory.resolve("run")), List.of(), bounds).execute();
    }

    private RunFiles files() {
        return new RunFiles(directory.resolve("run"));
    }

    private JsonNode load() throws Exception {
        return files().json("summary.json").get("load");
    }

    private static Set<String> keys(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> "user" + Utils.hash(number))
                .collect(Collectors.toSet());
    }
}
