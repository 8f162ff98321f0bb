package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.generator.HotspotIntegerGenerator;

class MovingHotspotTest {
    @TempDir
    private Path directory;

    private final AtomicLong now = new AtomicLong(-5);

    private MovingHotspot of(long first, long last, double hotRecords, double hotOperations) {
        return new MovingHotspot(
                new HotspotIntegerGenerator(first, last, hotRecords, hotOperations), Duration.ofSeconds(10), now::get);
    }

    private static List<Long> drawn(MovingHotspot chooser) {
        return IntStream.range(0, 20_000).mapToObj(i -> chooser.nextValue()).toList();
    }

    /** Of the records 100 to 199, 30 are hot: from the fourth period on they go round. */
    @ParameterizedTest
    @CsvSource({
        "0, 100, 129",
        "9999, 100, 129",
        "10000, 130, 159",
        "20000, 160, 189",
        "40000, 120, 149",
        "100000, 100, 129"
    })
    void theHotRecordsAreTheNextOnesAfterEachPeriod(long millis, long firstHot, long lastHot) {
        MovingHotspot chooser = of(100, 199, 0.3, 0.8);
        chooser.nextValue();
        now.addAndGet(millis * 1_000_000);

        List<Long> drawn = drawn(chooser);

        assertThat(drawn).allMatch(record -> record >= 100 && record <= 199);
        assertThat(Set.copyOf(drawn)).as("cold ones are read, too").hasSize(100);
        double hot = drawn.stream()
                        .filter(record -> record >= firstHot && record <= lastHot)
                        .count()
                / (double) drawn.size();
        assertThat(hot).isCloseTo(0.8, within(0.03));
    }

    @Test
    void theHotRecordsMayGoAcrossTheEnd() {
        MovingHotspot chooser = of(0, 9, 0.4, 1);
        chooser.nextValue();
        now.addAndGet(20_000_000_000L);

        assertThat(Set.copyOf(drawn(chooser))).containsExactlyInAnyOrder(8L, 9L, 0L, 1L);
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "0.0001, 1"})
    void allRecordsOrOneMayBeHot(double share, int hot) {
        assertThat(Set.copyOf(drawn(of(0, 9, share, 1)))).hasSize(hot);
    }

    /** With a hot spot that stays it would be ten records. */
    @Test
    void aRunReadsOneHotSetAfterTheOther() throws IOException {
        Set<String> read = ConcurrentHashMap.newKeySet();
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
        ScriptedDb.script = (operation, key) -> {
            read.add(key);
            return null;
        };

        new BenchmarkRun(
                        Specs.aRun(200)
                                .with("requestdistribution", MovingHotspot.NAME)
                                .with("hotspot.period", "100ms")
                                .with("hotspotdatafraction", "0.1")
                                .with("hotspotopnfraction", "1")
                                .rate(200, RatePlan.AfterStall.CATCHUP)
                                .in(directory.resolve("run")),
                        List.of())
                .execute();

        JsonNode run =
                new RunFiles(directory.resolve("run")).json("summary.json").path("operations");
        assertThat(run.path("READ").path("failed").asInt()).isZero();
        assertThat(read).hasSizeGreaterThan(20);
    }
}
