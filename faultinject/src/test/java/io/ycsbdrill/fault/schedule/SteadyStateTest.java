package io.ycsbdrill.fault.schedule;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
    private static final SteadyState BOUNDS = SteadyState.DEFAULT;

    /** Twenty seconds of throughput. */
    private static List<ServedSecond> seconds(IntToDoubleFunction second) {
        return run(20, second);
    }

    private static List<ServedSecond> run(int length, IntToDoubleFunction second) {
        return IntStream.range(0, length)
                .mapToObj(i -> Math.round(second.applyAsDouble(i)))
                .map(ok -> new ServedSecond(ok, 0, 0, ok, Double.NaN, 1, 1))
                .toList();
    }

    private static SteadyState.Judgement judge(IntToDoubleFunction second) {
        return BOUNDS.judge(seconds(second), OptionalDouble.empty());
    }

    @Test
    void evenThroughputIsSteadyAndSoIsNoise() {
        assertThat(judge(t -> 1000).steady()).isTrue();
        assertThat(judge(t -> 1000 + (t % 2 == 0 ? 50 : -50)).steady()).isTrue();
    }

    /** The bound is on the whole stretch: 22 % in ten seconds once counted as steady. */
    @Test
    void aRampIsNotSteady() {
        assertThat(judge(t -> 1000 * (1 + 0.022 * t)).steady()).isFalse();
        assertThat(judge(t -> 1000 * (1 + 0.006 * t)).steady()).isFalse();
        assertThat(judge(t -> 1000 * (1 - 0.006 * t)).steady()).isFalse();
        assertThat(judge(t -> 1000 * (1 + 0.004 * t)).steady()).isTrue();
    }

    /** Each window falls, so the line through both is nearly level; but the second is 13 % above the first. */
    @Test
    void twoWindowsWhoseMeansDifferAreNotSteady() {
        SteadyState.Judgement saw = judge(t -> (t < 10 ? 1000 : 1130) - 20 * (t % 10));

        assertThat(saw.steady()).isFalse();
        assertThat(saw.text()).contains("slope +9.", "(bound 10.0%)", "its halves differ by 13.3%");
    }

    @Test
    void scatterIsNotSteady() {
        assertThat(judge(t -> t % 2 == 0 ? 750 : 1250).steady()).isFalse();
    }

    @Test
    void oneWindowIsNotEnough() {
        SteadyState.Judgement early = BOUNDS.judge(seconds(t -> 1000).subList(0, 15), OptionalDouble.empty());

        assertThat(early.steady()).isFalse();
        assertThat(early.text()).isEqualTo("only 15 s of throughput so far, of 20");
        assertThat(early.opsPerSecond()).isEmpty();
    }

    @Test
    void laterItMustBeAtTheLevelOfTheFirstTime() {
        OptionalDouble first = OptionalDouble.of(1000);

        assertThat(BOUNDS.judge(seconds(t -> 850), first).steady()).isTrue();
        assertThat(BOUNDS.judge(seconds(t -> 1500), first).steady()).isTrue();
        SteadyState.Judgement low = BOUNDS.judge(seconds(t -> 400), first);
        assertThat(low.steady()).isFalse();
        assertThat(low.text()).contains("only 40% of the first steady state's 1000 ops/s");
    }

    @Test
    void theDefaultsAndThoseOfTheSampleDrillsCanFail() {
        assertThat(BOUNDS.slope()).isEqualTo(0.1);
        assertThat(BOUNDS.length()).isEqualTo(ofSeconds(20));
    }
    /** A baseline of the last two windows would be 20 s of a quarter of an hour. */
    @Test
    void allOfTheSteadyTimeCountsButNotWhatWasBeforeIt() {
        List<ServedSecond> warming = run(95, t -> t < 42 ? 500 : 1000 + 20 * (t % 3));
        List<ServedSecond> longer = run(900, t -> 1000 + 20 * (t % 3));

        assertThat(BOUNDS.judge(warming, OptionalDouble.empty()).seconds()).isEqualTo(50);
        assertThat(BOUNDS.judge(warming, OptionalDouble.empty()).text()).contains("over 50 s");
        assertThat(BOUNDS.judge(longer, OptionalDouble.empty()).seconds()).isEqualTo(600);
    }

    /** Windows within bounds each may still be a trend together. */
    @Test
    void aSlowTrendEndsTheSteadyTime() {
        int seconds = BOUNDS.judge(run(300, t -> 1000 * (1 + 0.001 * t)), OptionalDouble.empty())
                .seconds();

        assertThat(seconds).isBetween(100, 130);
    }

    /** Neighbouring seconds that depend on each other understate how far a closed loop falls by itself. */
    @Test
    void aClosedLoopThatWandersIsNotSteadyAndAtARateItIs() {
        IntToDoubleFunction wandering = t -> 1000 + 110 * Math.sin(t / 2.0);
        // Its level is some 33 %: a service that gives a fifth less for ever would pass.
        assertThat(judge(t -> 1000 + (t % 2 == 0 ? 80 : -80)).steady()).isFalse();
        assertThat(judge(t -> 1000 + (t % 2 == 0 ? 60 : -60)).steady()).isTrue();
        List<ServedSecond> closed = run(20, wandering);
        List<ServedSecond> open = closed.stream()
                .map(s -> new ServedSecond(s.ok(), 0, 0, s.done(), s.ok(), 1, 1))
                .toList();

        SteadyState.Judgement judged = BOUNDS.judge(closed, OptionalDouble.empty());
        assertThat(judged.steady()).isFalse();
        assertThat(judged.text()).contains("in this closed loop it may fall by more than half by chance", "load: 60%");
        assertThat(BOUNDS.judge(open, OptionalDouble.empty()).steady()).isTrue();
        SteadyState loose = new SteadyState(BOUNDS.after(), BOUNDS.window(), 0.1, 0.3, BOUNDS.within());
        assertThat(loose.judge(closed, OptionalDouble.empty()).steady()).isTrue();
    }
}
