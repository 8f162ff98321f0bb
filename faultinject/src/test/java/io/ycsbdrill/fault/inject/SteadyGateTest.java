package io.ycsbdrill.fault.inject;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyGateTest {
    private static final SteadyState BOUNDS = new SteadyState(ofSeconds(0), ofSeconds(2), 0.1, 0.1, ofSeconds(60));

    private final List<ServedSecond> warmed = new ArrayList<>();
    private final List<ServedSecond> seconds = new ArrayList<>(Collections.nCopies(4, DrillStage.second(1000)));
    private final SteadyGate gate = new SteadyGate(BOUNDS, true, length -> seconds);

    /** Whoever looks each second until something fits finds it: a stretch that looks steady by chance. */
    @Test
    void itLooksOnceInEachWindow() {
        seconds.set(0, DrillStage.second(2000));
        assertThat(gate.steady(ofSeconds(4).toNanos(), 0)).isEmpty();

        seconds.set(0, DrillStage.second(1000));
        assertThat(gate.steady(ofSeconds(5).toNanos(), 0)).isEmpty();
        assertThat(gate.steady(ofSeconds(6).toNanos(), 0)).isPresent();
    }

    @Test
    void betweenStepsItComparesWithTheFirstTime() {
        assertThat(gate.steady(0, 0)).isPresent();

        Collections.fill(seconds, DrillStage.second(400));
        assertThat(gate.steady(ofSeconds(10).toNanos(), 0)).isEmpty();
        assertThat(gate.last()).contains("only 40% of the first steady state's");

        Collections.fill(seconds, DrillStage.second(950));
        assertThat(gate.steady(ofSeconds(20).toNanos(), 0)).isPresent();
    }

    @Test
    void whileThereIsTooLittleThroughputNoWindowIsUsedUp() {
        List<ServedSecond> all = List.copyOf(seconds);
        seconds.clear();
        assertThat(gate.steady(0, 0)).isEmpty();

        seconds.addAll(all);
        assertThat(gate.steady(1, 0)).isPresent();
    }

    /** The median falls from 12 to 2 ms in twenty seconds; then it stays. */
    private static ServedSecond warming(int second) {
        return new ServedSecond(1000, 0, 0, 1000, 1000, Math.max(2, 12 - second / 2.0), 20);
    }

    private static Optional<SteadyReached> at(SteadyGate gate, List<ServedSecond> seen, int second) {
        while (seen.size() < second) {
            seen.add(warming(seen.size()));
        }
        return gate.steady(ofSeconds(second).toNanos(), 0);
    }

    private static SteadyState windows(int window, int within) {
        return new SteadyState(ofSeconds(0), ofSeconds(window), 0.1, 0.1, ofSeconds(within));
    }

    /** The normal level of a service that is warming up is not known yet, and nothing that comes later can be told from it. */
    @Test
    void aLatencyThatStillFallsIsGivenAsMuchTimeAgain() {
        List<ServedSecond> seen = new ArrayList<>();
        SteadyGate settling = new SteadyGate(windows(10, 180), true, length -> seen);

        assertThat(at(settling, seen, 20)).isEmpty();
        assertThat(settling.last())
                .matches("its median latency still falls, from 9\\.\\d to 4\\.\\d ms, .* 1.9 times as high");
        assertThat(at(settling, seen, 30)).isEmpty();
        assertThat(at(settling, seen, 40).orElseThrow().sinceNanos())
                .as("without the warm-up")
                .isEqualTo(ofSeconds(20).toNanos());
    }

    /** Whoever looks until a latency looks calm has a calmer baseline than the service is. */
    @Test
    void thenItIsTakenHoweverItLooks() {
        List<ServedSecond> seen = new ArrayList<>();
        SteadyGate settling = new SteadyGate(windows(10, 180), true, length -> seen);

        assertThat(at(settling, seen, 20)).isEmpty();
        IntStream.range(0, 20).mapToObj(SteadyGateTest::warming).forEach(seen::add);
        assertThat(settling.steady(ofSeconds(40).toNanos(), 0)).isPresent();
        assertThat(settling.steady(ofSeconds(50).toNanos(), 0))
                .as("between steps it is asked anew")
                .isEmpty();
    }

    @Test
    void aLatencyThatWandersUpwardsIsNotWaitedFor() {
        seconds.clear();
        IntStream.range(0, 20)
                .mapToObj(i -> new ServedSecond(1000, 0, 0, 1000, 1000, i < 10 ? 2 : 9, 20))
                .forEach(seconds::add);
        SteadyGate settling = new SteadyGate(windows(10, 180), true, length -> seconds);

        assertThat(settling.steady(ofSeconds(20).toNanos(), 0)).isPresent();
    }

    /** Another look that is not steady by chance would make it invalid. */
    @Test
    void nothingIsWaitedForWhenTimeRunsShort() {
        assertThat(at(new SteadyGate(windows(10, 59), true, length -> warmed), warmed, 20))
                .isPresent();
        assertThat(at(new SteadyGate(windows(10, 60), true, length -> warmed), warmed, 20))
                .isEmpty();
    }

    @Test
    void whereTheDrillSaysWhatIsSlowTheLatencyNeedNotSettle() {
        List<ServedSecond> seen = new ArrayList<>();
        SteadyGate declared = new SteadyGate(windows(10, 180), false, length -> seen);

        assertThat(at(declared, seen, 20))
                .get()
                .extracting(SteadyReached::text)
                .asString()
                .doesNotContain("wanders");
    }
}
