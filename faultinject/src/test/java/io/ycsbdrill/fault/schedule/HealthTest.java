package io.ycsbdrill.fault.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which services a drill may begin with, beside those whose throughput is not steady. */
class HealthTest {

    private static SteadyState.Judgement judge(IntFunction<ServedSecond> second) {
        List<ServedSecond> seconds = IntStream.range(0, 20).mapToObj(second).toList();
        return SteadyState.DEFAULT.judge(seconds, OptionalDouble.empty());
    }

    private static ServedSecond failing(long failed, long missing) {
        return new ServedSecond(10_000 - failed, failed, missing, 10_000, 10_000, 1, 2);
    }

    private static SteadyState.Judgement latency(IntToDoubleFunction p99) {
        return judge(i -> new ServedSecond(1000, 0, 0, 1000, 1000, 1, p99.applyAsDouble(i)));
    }

    @Test
    void aServiceThatFailsMoreThanOneInAThousandIsSick() {
        assertThat(judge(i -> failing(0, 0)).steady()).isTrue();
        assertThat(judge(i -> failing(10, 0)).steady()).isTrue();

        SteadyState.Judgement sick = judge(i -> failing(11, 0));
        assertThat(sick.steady()).isFalse();
        assertThat(sick.hopeless()).isEmpty();
        assertThat(sick.text())
                .isEqualTo("0.11% of its operations failed or are unknown (bound 0.10%); look at the cluster, or set"
                        + " steady.failed");
        assertThat(judge(i -> failing(800, 0)).text()).startsWith("8.0% of its operations failed");
    }

    @Test
    void rowsThatAreMissingAreNamedAndNoWaitingHelps() {
        SteadyState.Judgement half = judge(i -> failing(5000, 5000));

        assertThat(half.steady()).isFalse();
        assertThat(half.hopeless()).contains(half.text());
        assertThat(half.text())
                .startsWith(
                        "50.0% of its operations did not find their row (NOT_FOUND; bound 0.10%): rows of the workload are"
                                + " missing; load the table");
    }

    @Test
    void aStatedBoundAdmitsWhatFails() {
        List<ServedSecond> sick =
                IntStream.range(0, 20).mapToObj(i -> failing(800, 800)).toList();
        SteadyState d = SteadyState.DEFAULT;
        Health lax = new Health(0.1, 0.98, 5);

        assertThat(new SteadyState(d.after(), d.window(), d.slope(), d.variation(), d.within(), lax)
                        .judge(sick, OptionalDouble.empty())
                        .steady())
                .isTrue();
    }

    @Test
    void lessThanTheOfferedLoadIsNoBaseline() {
        SteadyState.Judgement behind = judge(i -> new ServedSecond(970, 0, 0, 970, 1000, 1, 2));

        assertThat(behind.steady()).isFalse();
        assertThat(behind.text())
                .startsWith("only 97.0% of the offered load was served, 970 of 1000 per second (at least 98.0%)");
        assertThat(judge(i -> new ServedSecond(981, 0, 0, 981, 1000, 1, 2)).steady())
                .isTrue();
        assertThat(judge(i -> new ServedSecond(970, 0, 0, 970, Double.NaN, 1, 2))
                        .steady())
                .as("a closed loop")
                .isTrue();
        assertThat(judge(i -> new ServedSecond(2000, 0, 0, 981, 1000, 1, 2)).steady())
                .as("transactions of two operations")
                .isTrue();
    }

    @Test
    void oneHiccupIsNoneButALatencyThatSwingsIs() {
        assertThat(latency(i -> i == 7 ? 400 : 2).steady()).isTrue();
        assertThat(latency(i -> i % 5 == 0 ? 400 : 2).steady()).isTrue();
        assertThat(latency(i -> i % 2 == 0 ? 1 : 4).steady()).isTrue();

        SteadyState.Judgement everyThird = latency(i -> i % 3 == 0 ? 400 : 2);
        assertThat(everyThird.steady()).isFalse();
        assertThat(everyThird.text())
                .startsWith(
                        "its latency swings: in 7 of 20 s the p99 was more than 5.0 times its median of 2.0 ms (up to 400.0 ms)");
    }
}
