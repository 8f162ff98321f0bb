package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PhaseTest {

    @Test
    void unhealthyPhasesLieBetweenSteadyAndRecoveredAndHaveColoursOfTheirOwn() {
        assertThat(Phase.unhealthy())
                .startsWith(Phase.FAULT)
                .endsWith(Phase.WAIT_CHECKPOINT)
                .hasSize(6);
        assertThat(Phase.unhealthy()).extracting(Phase::colour).doesNotHaveDuplicates();
    }

    @Test
    void aPhaseIsFoundByItsLabelOnly() {
        assertThat(Phase.labelled("failure-handling")).contains(Phase.FAILURE_HANDLING);
        assertThat(Phase.labelled("handling")).isEqualTo(Optional.empty());
    }
}
