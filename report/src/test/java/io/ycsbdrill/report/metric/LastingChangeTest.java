package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.Slices;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of a service that is back, by nothing but what there is of it. */
class LastingChangeTest extends MeasuredRun {
    private static final int SECONDS = 60;
    private static final double FAULT = 30;

    /** All is well before the fault; then nothing is served until the service is back, with this share of it. */
    private static Optional<String> since(double back, double share) {
        double[] ok = IntStream.range(0, SECONDS * 10)
                .mapToDouble(i -> i < FAULT * 10 ? 100 + i % 3 : i < back * 10 ? 0 : 100 * share)
                .toArray();
        double[] none = new double[ok.length];
        double[] max = new double[ok.length];
        Arrays.fill(max, 300);
        Slices slices = new Slices(
                0.1, ok.length, ok.length, Map.of(Slices.TOTAL, new Slices.Columns(ok, none, none.clone(), max)), true);
        Baseline baseline = Baseline.before(FAULT, 0, true, slices).orElseThrow();
        return new LastingChange(Reading.STRICT, back, SECONDS).ofThroughput(slices, baseline);
    }

    @Test
    void whatWasLostBeforeTheServiceWasBackIsNotHeldAgainstIt() {
        assertThat(since(57, 1)).isEmpty();
        assertThat(since(55.2, 1)).isEmpty();
        assertThat(since(45, 1)).isEmpty();
    }

    /** For 1.5 s nothing is served. */
    private DrillMetrics stalledAt(double fault) {
        return metrics(SampleRun.lasting(SECONDS)
                .exact()
                .operation("READ", t -> t >= fault && t < fault + 1.5 ? 0 : 1000, t -> 300)
                .drill("stall", "{}")
                .marker(20, "steady", "steady", "", ",\"since_ns\":0")
                .marker(fault, "fault-started", "kill", "node3", ",\"fault\":\"kill\""));
    }

    @Test
    void theSecondsBeforeALateFaultAreNoPartOfWhatIsJudged() {
        assertThat(stalledAt(57).get(Metric.DEGRADED).note()).doesNotContain("the throughput of the last");
    }

    @Test
    void aServiceThatIsBackWithLessIsSlower() {
        assertThat(since(45, 0.7)).get().asString().startsWith("the throughput of the last 15 s is 69 %");
        assertThat(since(55, 0.7)).get().asString().startsWith("the throughput of the last 5 s is 69 %");
        assertThat(since(57, 0.7)).as("too short to tell").isEmpty();
    }
}
