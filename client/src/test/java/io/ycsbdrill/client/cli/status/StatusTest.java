package io.ycsbdrill.client.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StatusTest {
    private final List<String> lines = new ArrayList<>();

    private static WindowSnapshot window(double start, double end, long ok, long failed, double p99, boolean complete) {
        return new WindowSnapshot(
                0,
                (long) (start * 1e9),
                (long) (end * 1e9),
                ok,
                failed,
                0,
                0,
                p99 == 0 ? OptionalDouble.empty() : OptionalDouble.of(p99),
                complete);
    }

    private StatusLines lines(Duration every, Progress progress) {
        return new StatusLines("L", every, progress, lines::add);
    }

    @Test
    void eachWindowIsALineWithItsOwnFigures() {
        StatusLines status = lines(Duration.ofSeconds(10), new Progress(1000, Optional.empty()));

        status.window(window(0, 10, 100, 0, 450, true));
        status.window(window(10, 20, 300, 2, 12_345, true));

        assertThat(lines)
                .containsExactly(
                        "L 10.0 s: 100 operations, 10 op/s, p99 450 us, about 1 min 30 s left",
                        "L 20.0 s: 402 operations, 30 op/s, p99 12.35 ms, 2 failed, about 30 s left");
    }

    @Test
    void aStalledWindowIsALineOfZeros() {
        lines(Duration.ofSeconds(10), new Progress(0, Optional.of(Duration.ofSeconds(60))))
                .window(window(0, 10, 0, 0, 0, true));

        assertThat(lines).containsExactly("L 10.0 s: 0 operations, 0 op/s, p99 n/a, about 50 s left");
    }

    @Test
    void shortWindowsShareALineWithTheirWorstP99() {
        StatusLines status = lines(Duration.ofSeconds(1), new Progress(0, Optional.of(Duration.ofSeconds(9))));
        for (int i = 0; i < 10; i++) {
            status.window(window(i / 10.0, (i + 1) / 10.0, 10, 0, 100 + i, true));
        }

        assertThat(lines).containsExactly("L 1.0 s: 100 operations, 100 op/s, p99 109 us, about 8 s left");
    }

    @Test
    void theWindowUnderWayIsNoLine() {
        lines(Duration.ofSeconds(1), new Progress(10, Optional.empty())).window(window(0, 10, 5, 0, 1, false));

        assertThat(lines).isEmpty();
    }

    @Test
    void theLastWindowIsALineEvenWhenItIsShort() {
        StatusLines status = lines(Duration.ofSeconds(10), new Progress(100, Optional.empty()));
        status.window(window(0, 2, 100, 0, 90, true));

        assertThat(lines).containsExactly("L 2.0 s: 100 operations, 50 op/s, p99 90 us");
    }

    @Test
    void aBarCountsOperationsElseSecondsElseUpToNothing() {
        Progress counted = new Progress(5000, Optional.of(Duration.ofSeconds(10)));
        assertThat(counted.total()).isEqualTo(5000);
        assertThat(counted.reached(1200, 1)).isEqualTo(1200);
        assertThat(counted.reached(1200, 5)).isEqualTo(2500);
        Progress timed = new Progress(0, Optional.of(Duration.ofSeconds(60)));
        assertThat(timed.total()).isEqualTo(60);
        assertThat(timed.reached(1200, 15)).isEqualTo(15);
        Progress endless = new Progress(0, Optional.empty());
        assertThat(endless.total()).isNegative();
        assertThat(endless.reached(1200, 15)).isEqualTo(1200);
    }

    @Test
    void aRunWithoutEndShowsWhatHasBeenInsteadOfAShare() {
        Duration elapsed = Duration.ofSeconds(83);
        String more = " [node2 synchronise] 512 op/s, p99 4.10 ms";

        assertThat(StatusBar.endless("run", elapsed, 51_448, more, 120))
                .isEqualTo("run 1:23, 51448 operations [node2 synchronise] 512 op/s, p99 4.10 ms");
        assertThat(StatusBar.endless("run", elapsed, 51_448, more, 10)).isEqualTo("run 1:23 [");
    }

    @Test
    void eightyColumnsHoldRatesErrorsAndPhaseOfADrill() {
        String more = " 5120 op/s, p99 2.45 ms, 12 failed, 1 unknown [node3 failure-handling]";

        assertThat(StatusBar.endless("run", Duration.ofSeconds(83), 1_051_448, more, 79))
                .isEqualTo("run 1:23" + more);
    }

    @Test
    void theEarlierOfCountAndTimeEndsTheRun() {
        Progress both = new Progress(1000, Optional.of(Duration.ofSeconds(10)));

        assertThat(both.fraction(100, 5)).isEqualTo(0.5);
        assertThat(both.left(100, 5)).contains(Duration.ofSeconds(5));
        assertThat(both.left(900, 5)).contains(Duration.ofSeconds(1));
        assertThat(new Progress(1000, Optional.empty()).left(0, 5)).isEmpty();
        assertThat(both.fraction(2000, 5)).isEqualTo(1);
    }
}
