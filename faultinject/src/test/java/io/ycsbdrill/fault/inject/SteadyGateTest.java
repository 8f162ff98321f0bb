package io.ycsbdrill.fault.inject;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.schedule.SteadyState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyGateTest {
    private static final SteadyState BOUNDS = new SteadyState(ofSeconds(0), ofSeconds(2), 0.1, 0.1, ofSeconds(60));

    private final List<Long> slices = new ArrayList<>(Collections.nCopies(40, 100L));
    private final SteadyGate gate = new SteadyGate(BOUNDS, length -> slices);

    /** Whoever looks each second until something fits finds it: a stretch that looks steady by chance. */
    @Test
    void itLooksOnceInEachWindow() {
        slices.set(0, 10_000L);
        assertThat(gate.steady(ofSeconds(4).toNanos())).isEmpty();

        slices.set(0, 100L);
        assertThat(gate.steady(ofSeconds(5).toNanos())).isEmpty();
        assertThat(gate.steady(ofSeconds(6).toNanos())).isPresent();
    }

    @Test
    void betweenStepsItComparesWithTheFirstTime() {
        assertThat(gate.steady(0)).isPresent();

        Collections.fill(slices, 40L);
        assertThat(gate.steady(ofSeconds(10).toNanos())).isEmpty();
        assertThat(gate.last()).contains("only 40% of the first steady state's");

        Collections.fill(slices, 95L);
        assertThat(gate.steady(ofSeconds(20).toNanos())).isPresent();
    }

    @Test
    void whileThereIsTooLittleThroughputNoWindowIsUsedUp() {
        List<Long> all = List.copyOf(slices);
        slices.clear();
        assertThat(gate.steady(0)).isEmpty();

        slices.addAll(all);
        assertThat(gate.steady(1)).isPresent();
    }
}
