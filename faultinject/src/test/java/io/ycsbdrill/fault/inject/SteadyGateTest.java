package io.ycsbdrill.fault.inject;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyGateTest {
    private static final SteadyState BOUNDS = new SteadyState(ofSeconds(0), ofSeconds(2), 0.1, 0.1, ofSeconds(60));

    private final List<ServedSecond> seconds = new ArrayList<>(Collections.nCopies(4, DrillStage.second(1000)));
    private final SteadyGate gate = new SteadyGate(BOUNDS, length -> seconds);

    /** Whoever looks each second until something fits finds it: a stretch that looks steady by chance. */
    @Test
    void itLooksOnceInEachWindow() {
        seconds.set(0, DrillStage.second(2000));
        assertThat(gate.steady(ofSeconds(4).toNanos())).isEmpty();

        seconds.set(0, DrillStage.second(1000));
        assertThat(gate.steady(ofSeconds(5).toNanos())).isEmpty();
        assertThat(gate.steady(ofSeconds(6).toNanos())).isPresent();
    }

    @Test
    void betweenStepsItComparesWithTheFirstTime() {
        assertThat(gate.steady(0)).isPresent();

        Collections.fill(seconds, DrillStage.second(400));
        assertThat(gate.steady(ofSeconds(10).toNanos())).isEmpty();
        assertThat(gate.last()).contains("only 40% of the first steady state's");

        Collections.fill(seconds, DrillStage.second(950));
        assertThat(gate.steady(ofSeconds(20).toNanos())).isPresent();
    }

    @Test
    void whileThereIsTooLittleThroughputNoWindowIsUsedUp() {
        List<ServedSecond> all = List.copyOf(seconds);
        seconds.clear();
        assertThat(gate.steady(0)).isEmpty();

        seconds.addAll(all);
        assertThat(gate.steady(1)).isPresent();
    }
}
