package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.data.Slices;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often the interval of a baseline is there, and contains the truth, when its seconds depend on each other; docs/statistics.md has the table. */
@Tag("simulation")
class BaselineIntervalTest {
    private static final int EXPERIMENTS = 1000;
    private static final double DEVIATION = 0.06;

    /**
     * Counts.
     *
     * @param given shares of the experiments with an interval
     * @param wrong with one that does not contain the long-run mean
     */
    private record Shares(double given, double wrong) {}

    private static Shares of(int seconds, double correlation) {
        int given = 0;
        int wrong = 0;
        for (int seed = 0; seed < EXPERIMENTS; seed++) {
            Slices slices = wandering(seconds, correlation, new Random(seed));
            Baseline base = Baseline.before(seconds, 0, true, slices).orElseThrow();
            double half = base.confidence();
            boolean known = !Double.isNaN(half);
            given += known ? 1 : 0;
            wrong += known && Math.abs(base.meanOpsPerSecond(slices) - 1000) > half * base.meanOpsPerSecond(slices)
                    ? 1
                    : 0;
        }
        return new Shares((double) given / EXPERIMENTS, (double) wrong / EXPERIMENTS);
    }

    /** 1000 operations per second and a deviation of 6 %, from one second to the next with this correlation. */
    private static Slices wandering(int seconds, double correlation, Random random) {
        double[] ok = new double[seconds];
        double state = random.nextGaussian();
        for (int i = 0; i < seconds; i++) {
            ok[i] = 1000 * (1 + DEVIATION * state);
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }
        double[] none = new double[seconds];
        return new Slices(1, seconds, seconds, Map.of(Slices.TOTAL, new Slices.Columns(ok, none, none, none)), true);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.8, 0.95})
    void anIntervalIsWrongInAtMostFiveOfAHundredDrills(double correlation) {
        for (int seconds : new int[] {20, 60, 300, 600}) {
            assertThat(of(seconds, correlation).wrong()).as(seconds + " s").isLessThan(0.05);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.8, 0.95})
    void tenMinutesTellItAndTwentySecondsSayWhenTheyDoNot(double correlation) {
        assertThat(of(600, correlation).given()).isGreaterThan(0.9);
        double soon = of(20, correlation).given();
        assertThat(soon).isBetween(correlation == 0 ? 0.8 : 0, correlation < 0.8 ? 1 : 0.1);
    }

    /** Prints the table of docs/statistics.md. */
    public static void main(String[] args) {
        for (int seconds : new int[] {20, 30, 60, 120, 300, 600}) {
            StringBuilder row = new StringBuilder("| " + seconds + " s");
            for (double correlation : new double[] {0, 0.5, 0.8, 0.95}) {
                Shares shares = of(seconds, correlation);
                row.append(String.format(
                        " | %.0f, %.1f", 100 * shares.given(), 100 * (1 - shares.wrong() / shares.given())));
            }
            System.out.println(row + " |");
        }
    }
}
