package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.rundir.Latency;
import io.ycsbdrill.rundir.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AscentsTest {

    private static Ascents.Level level(int threads, double throughput, double meanMicros) {
        return new Ascents.Level(
                new PlanData.Variant(threads, Map.of("threads", Integer.toString(threads)), ""),
                throughput > 0,
                "",
                throughput,
                Percentiles.of(latency -> latency == Latency.MEAN ? meanMicros : 0),
                throughput * meanMicros / 1e6,
                threads,
                "");
    }

    /** Operations of 1 ms on a server that does four at a time: throughput rises until 4 threads, then only the time does. */
    private static Ascents.Ascent ideal(int... threads) {
        List<Ascents.Level> levels = new ArrayList<>();
        for (int n : threads) {
            double throughput = Math.min(n, 4) * 1000.0;
            levels.add(level(n, throughput, n / throughput * 1e6));
        }
        return new Ascents.Ascent("", levels);
    }

    @Test
    void theKneeIsWhereThroughputStopsToRiseAndLatencyBegins() {
        assertThat(ideal(1, 2, 4, 8, 16).knee().orElseThrow().threads()).isEqualTo(4);
        assertThat(ideal(1, 2, 4, 8, 16).kneeText("threads")).startsWith("Knee at threads 4:");
    }

    @Test
    void aKneeAtTheEdgeMayLieOutside() {
        assertThat(ideal(1, 2, 4).knee()).isEmpty();
        assertThat(ideal(1, 2, 4).kneeText("threads")).contains("highest one, so it lies there or above");
        assertThat(ideal(4, 8, 16).kneeText("threads")).contains("lowest one, so it lies there or below");
    }

    @Test
    void twoLevelsHaveNoKneeAndLevelsThatDoNotCountAreNone() {
        assertThat(ideal(2, 4).kneeText("threads")).isEqualTo("No knee: levels that count: 2; needed: 3.");
        Ascents.Ascent withGap =
                new Ascents.Ascent("", List.of(level(1, 1000, 1000), level(2, 0, 0), level(4, 4000, 1000)));
        assertThat(withGap.knee()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "3.9, 4, false, ''",
        "3.6, 4, false, ''",
        "3.5, 4, false, client-bound",
        "3.5, 4, true, ''",
        "3.7, 4, true, all threads busy",
        "NaN, 4, false, ''",
        "3, NaN, false, ''"
    })
    void littlesLawShowsWhereTheThreadsAre(double concurrency, double threads, boolean rated, String mark) {
        assertThat(Ascents.mark(concurrency, threads, rated)).isEqualTo(mark);
    }
}
