package io.ycsbdrill.client.run.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a calibration ends, and by how much the maximum is then wrong, on simulated clusters whose truth is known; the seeds are fixed. */
class CalibrationLengthTest {
    private static final double TRUTH = 10_000;
    private static final int RUNS = 500;

    private static Calibration of(Duration length) {
        return new Calibration(0.6, length, RatePlan.AfterStall.CATCHUP, 0);
    }

    /** What a calibration of the standard length made of a throughput. */
    private record Ended(int seconds, double level) {}

    private static Ended run(IntToDoubleFunction second) {
        return run(of(Calibration.STANDARD).earliestSeconds(), second);
    }

    private static Ended run(int first, IntToDoubleFunction second) {
        Calibration calibration = of(Calibration.STANDARD);
        for (int seconds = first; ; seconds++) {
            Plateau plateau = calibration.plateau(
                    IntStream.range(0, seconds).mapToDouble(second).toArray());
            if (plateau.doubt().isEmpty() || seconds == 100) {
                return new Ended(seconds, plateau.level());
            }
        }
    }

    @Test
    void aClusterThatIsWarmHasItsMaximumInHalfOfTheTime() {
        assertThat(run(t -> TRUTH)).isEqualTo(new Ended(12, TRUTH));
    }

    @Test
    void whoeverSaysHowLongItIsToBeGetsThat() {
        assertThat(of(Duration.ofSeconds(20)).earliestSeconds()).isEqualTo(20);
        assertThat(of(Duration.ofSeconds(4)).earliestSeconds()).isEqualTo(4);
    }

    @Test
    void oneThatIsStillWarmingUpIsWaitedFor() {
        Ended ended = run(t -> TRUTH * (1 - 0.5 * Math.exp(-t / 6.0)));

        assertThat(ended.seconds()).isGreaterThan(15);
        assertThat(ended.level()).isGreaterThan(0.93 * TRUTH);
    }

    /** Half of the throughput is missing at first; the scatter is that of single seconds. Looking again and again must not choose a wrong one. */
    @ParameterizedTest
    @CsvSource({"0.03, 0", "0.03, 3", "0.03, 6", "0.1, 0", "0.1, 3", "0.1, 6"})
    void whatEndsEarlierIsAsRight(double scatter, double warmupSeconds) {
        Random random = new Random(1);
        int wrong = 0;
        int wrongInFull = 0;
        for (int i = 0; i < RUNS; i++) {
            double[] noise = random.doubles(101)
                    .map(each -> 1 + scatter * Math.sqrt(12) * (each - 0.5))
                    .toArray();
            IntToDoubleFunction second =
                    t -> TRUTH * noise[t] * (warmupSeconds == 0 ? 1 : 1 - 0.5 * Math.exp(-t / warmupSeconds));
            wrong += isWrong(run(second));
            wrongInFull += isWrong(run((int) Calibration.STANDARD.toSeconds(), second));
        }

        assertThat(wrong).isLessThanOrEqualTo(wrongInFull + 3 * RUNS / 100);
    }

    /** By more than a tenth of the maximum. */
    private static int isWrong(Ended ended) {
        return Math.abs(ended.level() / TRUTH - 1) > 0.1 ? 1 : 0;
    }
}
