package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.run.key.InsertedKeys;
import io.ycsbdrill.client.run.key.LatestKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.Status;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.SkewedLatestGenerator;

/** The traps of CoreWorkload's workloads D and E, which read what they insert. */
class InsertedKeysTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"latest", "zipfian", "uniform", "exponential"})
    void whatCouldNotBeInsertedIsNeverRead(String distribution) throws IOException {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        AtomicInteger inserts = new AtomicInteger();
        AtomicInteger poisoned = new AtomicInteger();
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
        ScriptedDb.script = (operation, key) -> {
            if (operation.equals("READ") && refused.contains(key)) {
                poisoned.incrementAndGet();
            }
            if (!operation.equals("INSERT") || inserts.incrementAndGet() % 2 == 0) {
                return null;
            }
            refused.add(key);
            return inserts.get() % 4 == 1 ? Statuses.FAILED : Status.ERROR;
        };

        JsonNode summary = run(distribution, 20_000, 4);

        assertThat(refused).hasSizeGreaterThan(2_000);
        assertThat(poisoned).hasValue(0);
        // Read what was there before and what was inserted, and found all of it.
        assertThat(summary.at("/operations/READ/failed").asLong()).isZero();
        assertThat(summary.at("/operations/READ/ok").asLong()).isGreaterThan(5_000);
    }

    @Test
    void theKeysOfSeveralClientsAreDisjointAndLeaveNoGap() {
        for (int clients = 1; clients <= 7; clients++) {
            Set<Long> all = new TreeSet<>();
            for (int number = 1; number <= clients; number++) {
                InsertedKeys keys = new InsertedKeys(100, new ClientShare(number, clients));
                assertThat(keys.lastValue()).isEqualTo(99);
                for (int i = 0; i < 50; i++) {
                    long key = keys.nextValue();
                    assertThat(all.add(key)).as("%d of client %d", key, number).isTrue();
                    keys.acknowledge(key);
                    assertThat(keys.lastValue()).isEqualTo(key);
                    assertThat(keys.contains(100 + i)).isTrue();
                    assertThat(keys.contains(101 + i)).isFalse();
                }
            }
            assertThat(all)
                    .containsExactlyElementsOf(
                            LongStream.range(100, 100 + 50L * clients).boxed().toList());
        }
    }

    /** As in workloads D and E: what others insert is neither inserted nor chosen. */
    @ParameterizedTest
    @ValueSource(strings = {"latest", "zipfian", "uniform", "exponential"})
    void severalClientsInsertAndReadKeysOfTheirOwn(String distribution) throws IOException {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
        Set<String> loaded = Set.copyOf(ScriptedDb.ROWS.keySet());
        long inserted = 0;
        for (int number = 1; number <= 3; number++) {
            Set<String> own = ConcurrentHashMap.newKeySet();
            Set<String> read = ConcurrentHashMap.newKeySet();
            ScriptedDb.script = (operation, key) -> {
                if (operation.equals("INSERT")) {
                    own.add(key);
                } else if (operation.equals("READ")) {
                    read.add(key);
                }
                return null;
            };

            JsonNode operations =
                    run(distribution, 3_000, 2, new ClientShare(number, 3)).path("operations");

            inserted += operations.at("/INSERT/ok").asLong();
            assertThat(operations.at("/INSERT/failed").asLong()).isZero();
            assertThat(operations.at("/READ/failed").asLong()).isZero();
            assertThat(read).allMatch(key -> loaded.contains(key) || own.contains(key));
            if (!distribution.equals("uniform")) { // which only knows what was loaded
                assertThat(read).anyMatch(own::contains);
            }
        }
        assertThat(ScriptedDb.ROWS).hasSize((int) (100 + inserted));
    }

    @Test
    void oneInsertThatHangsDoesNotEndTheOthers() {
        int stockWindow = 1 << 20;
        InsertedKeys keys = new InsertedKeys(100);
        long hanging = keys.nextValue();

        for (int i = 0; i < 2 * stockWindow; i++) {
            keys.acknowledge(keys.nextValue());
        }

        assertThat(hanging).isEqualTo(100);
        assertThat(keys.contains(hanging)).isFalse();
        assertThat(keys.lastValue()).isEqualTo(100 + 2 * stockWindow);
        assertThat(keys.contains(keys.lastValue())).isTrue();
        assertThat(keys.contains(99)).isTrue();
        assertThat(keys.contains(keys.lastValue() + 1)).isFalse();
    }

    @Test
    void latestHasTheStockDistributionWhileRecordsAreInserted() throws ReflectiveOperationException {
        CounterGenerator counter = new CounterGenerator(1_001);
        counter.nextValue();
        InsertedKeys keys = new InsertedKeys(1_001);
        LatestKeys ours = LatestKeys.like(new SkewedLatestGenerator(counter), keys, 1);
        int samples = 200_000;
        int grown = 3_000;
        IntStream.range(1_001, grown + 1).forEach(keys::inserted);
        while (counter.lastValue() < grown) {
            counter.nextValue();
        }
        SkewedLatestGenerator stock = new SkewedLatestGenerator(counter);

        double[] shares = new double[4];
        double[] expected = new double[4];
        for (int i = 0; i < samples; i++) {
            shares[bucket(grown - ours.nextValue())]++;
            expected[bucket(grown - stock.nextValue())]++;
        }

        for (int i = 0; i < shares.length; i++) {
            // Five standard deviations of the difference of two shares of so many samples are below 0.008.
            assertThat(shares[i] / samples).isBetween(expected[i] / samples - 0.01, expected[i] / samples + 0.01);
        }
    }

    @Test
    void latestFollowsTheSeed() throws ReflectiveOperationException {
        assertThat(latest(7)).isEqualTo(latest(7)).isNotEqualTo(latest(8));
    }

    private static List<Long> latest(long seed) throws ReflectiveOperationException {
        CounterGenerator counter = new CounterGenerator(1_001);
        counter.nextValue();
        LatestKeys keys = LatestKeys.like(new SkewedLatestGenerator(counter), new InsertedKeys(1_001), seed);
        return LongStream.range(0, 1_000).mapToObj(i -> keys.nextValue()).toList();
    }

    /** Every thread has a sequence of its own, whichever of them comes first. */
    @Test
    void theSameSeedGivesEachThreadTheSameLatestKeysAgain() throws IOException {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();

        Map<String, List<String>> once = latestReadsOfEachThread("once");

        assertThat(once).hasSize(3).isEqualTo(latestReadsOfEachThread("again"));
        assertThat(Set.copyOf(once.values())).hasSize(3);
    }

    private Map<String, List<String>> latestReadsOfEachThread(String name) throws IOException {
        Map<String, List<String>> reads = new ConcurrentHashMap<>();
        ScriptedDb.script = (operation, key) -> {
            reads.computeIfAbsent(Thread.currentThread().getName(), thread -> new ArrayList<>())
                    .add(key);
            return null;
        };
        Specs spec = Specs.aRun(3_000)
                .threads(3)
                .with("requestdistribution", "latest")
                .with("readproportion", "1")
                .with("updateproportion", "0");
        new BenchmarkRun(spec.in(directory.resolve(name)), List.of()).execute();
        return reads;
    }

    private static int bucket(long distance) {
        assertThat(distance).isBetween(0L, 3_000L);
        return distance == 0 ? 0 : distance < 10 ? 1 : distance < 300 ? 2 : 3;
    }

    @Test
    void exponentialKeepsItsDistancesFromTheNewestRecord() throws IOException {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
        ConcurrentHashMap<String, Long> reads = new ConcurrentHashMap<>();
        ScriptedDb.script = (operation, key) -> {
            reads.merge(key, 1L, Long::sum);
            return null;
        };
        Specs spec = Specs.aRun(20_000)
                .with("requestdistribution", "exponential")
                .with("insertorder", "ordered")
                .with("exponential.percentile", "90")
                .with("exponential.frac", "0.1")
                .with("readproportion", "1")
                .with("updateproportion", "0");

        new BenchmarkRun(spec.in(directory.resolve("run")), List.of()).execute();

        long newest = LongStream.range(90, 100)
                .map(i -> reads.getOrDefault("user" + i, 0L))
                .sum();
        // Nine of ten reads are to be of the newest tenth of the records; five standard deviations are below 1.1 %.
        assertThat(newest / 20_000.0).isBetween(0.88, 0.92);
        assertThat(reads).hasSizeGreaterThan(20);
    }

    private JsonNode run(String distribution, int operations, int threads) throws IOException {
        return run(distribution, operations, threads, ClientShare.WHOLE);
    }

    private JsonNode run(String distribution, int operations, int threads, ClientShare part) throws IOException {
        Path out = directory.resolve(distribution + part.number());
        RunResult result = new BenchmarkRun(
                        Specs.aRun(operations)
                                .threads(threads)
                                .part(part.number(), part.of())
                                .with("requestdistribution", distribution)
                                .with("readproportion", "0.5")
                                .with("updateproportion", "0")
                                .with("insertproportion", "0.5")
                                .in(out),
                        List.of())
                .execute();
        assertThat(result.state()).isEqualTo(RunResult.State.COMPLETE);
        return new RunFiles(out).json("summary.json");
    }
}
