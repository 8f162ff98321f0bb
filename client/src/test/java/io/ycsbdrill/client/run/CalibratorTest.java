package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.measure.Collector;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.Status;

class CalibratorTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_CALLS = 1000;

    private long now;

    /** What warms up slowly and by little looks even for seconds: measured after 12 s, its maximum was wrong by more than a tenth. */
    @ParameterizedTest
    @CsvSource({"0, 1", "0.2, 20", "0.3, 12", "0.15, 30"})
    void lastsItsWholeLengthHoweverEvenTheThroughputIs(double missingAtFirst, double warmupSeconds) {
        Timeline timeline = new Timeline(new RunClock(() -> now, 0, Instant.EPOCH), SECOND, SECOND / 10);
        Operations operations = new Operations();
        ThreadRecorder recorder = new ThreadRecorder(operations, timeline, 0);
        Collector collector = new Collector(List.of(recorder), timeline);
        List<Calibrated> results = new ArrayList<>();
        Calibrator calibrator = new Calibrator(
                new Calibration(0.6, Calibration.STANDARD, RatePlan.AfterStall.CATCHUP, 0),
                true,
                Optional.empty(),
                () -> now,
                results::add);
        Random random = new Random(1);
        for (int second = 0; second < 60 && results.isEmpty(); second++) {
            double level = MOST_CALLS * (1 - missingAtFirst * Math.exp(-second / warmupSeconds));
            long calls = Math.round(level * (1 + 0.01 * random.nextGaussian()));
            for (long call = 0; call < calls; call++) {
                now = second * SECOND + call * SECOND / calls;
                recorder.beginTransaction();
                recorder.end(Operations.READ, recorder.begin(Operations.READ), Status.OK);
                recorder.endTransaction();
            }
            now = (second + 1) * SECOND;
            while (collector.nextDueNanos() <= now && results.isEmpty()) {
                collector.poll().ifPresent(interval -> calibrator.interval(interval, operations));
            }
        }

        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.toSeconds()).isEqualTo(25);
            assertThat(result.maximum()).isCloseTo(MOST_CALLS, within(0.1 * MOST_CALLS));
        });
    }
}
