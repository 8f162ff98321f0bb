package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryPhasesTest {
    private final List<String> told = new ArrayList<>();
    private final RecoveryPhases phases = new RecoveryPhases((at, kind, fields) -> told.add(at + " " + kind));

    @Test
    void initialStartCopiesThenWaitsForItsCheckpoint() {
        phases.rebalanceStarted("t", 100);
        phases.joined(150);
        phases.partitions(200, true, 64, 64, false);
        phases.partitions(300, true, 64, 0, false);
        phases.rebalanceStopped("t", 400);
        phases.partitions(450, true, 0, 0, false);
        phases.partitions(500, true, 0, 0, true);

        assertThat(told).containsExactly("100 SYNCHRONISE_STARTED", "300 WAIT_CHECKPOINT_STARTED", "500 RECOVERED");
        assertThat(phases.done()).isTrue();
    }

    @Test
    void startWithNothingToCopyPassesThroughEveryPhase() {
        phases.joined(100);
        phases.partitions(101, true, 0, 0, false);
        phases.partitions(105, true, 0, 0, true);

        assertThat(told).containsExactly("100 SYNCHRONISE_STARTED", "101 WAIT_CHECKPOINT_STARTED", "105 RECOVERED");
    }

    /** As when all nodes were lost: it was told as a phase of 0 s. */
    @Test
    void waitThatIsNotThereIsAbsent() {
        phases.joined(100);
        phases.partitions(105, false, 0, 0, false);
        phases.partitions(110, true, 0, 0, true);

        assertThat(told).containsExactly("100 SYNCHRONISE_STARTED", "110 RECOVERED");
    }

    @Test
    void copyThatIsOverBetweenTwoLooksEndsWithItsRebalance() {
        phases.joined(100);
        phases.partitions(101, true, 3, 0, false);
        phases.rebalanceStarted("t", 102);
        phases.rebalanceStopped("t", 104);
        phases.partitions(110, true, 0, 0, true);

        assertThat(told).containsExactly("100 SYNCHRONISE_STARTED", "104 WAIT_CHECKPOINT_STARTED", "110 RECOVERED");
    }

    @Test
    void rebalanceThatHasNotYetCountedItsPartitionsIsNotOver() {
        phases.joined(100);
        phases.rebalanceStarted("t", 101);
        phases.partitions(102, true, 64, 0, false);

        assertThat(told).containsExactly("100 SYNCHRONISE_STARTED");
    }

    @Test
    void rebalanceThatBeginsAnewTurnsTheWaitIntoACopyAgain() {
        phases.joined(100);
        phases.rebalanceStarted("t", 101);
        phases.rebalanceStopped("t", 110);
        phases.rebalanceStarted("t", 120);
        phases.partitions(125, true, 5, 5, false);
        phases.rebalanceStopped("t", 130);
        phases.partitions(140, true, 0, 0, true);

        assertThat(told)
                .containsExactly(
                        "100 SYNCHRONISE_STARTED",
                        "110 WAIT_CHECKPOINT_STARTED",
                        "120 SYNCHRONISE_STARTED",
                        "130 WAIT_CHECKPOINT_STARTED",
                        "140 RECOVERED");
    }

    @Test
    void nothingIsWholeBeforeTheClusterIsActive() {
        phases.joined(100);
        phases.partitions(200, false, 0, 0, true);

        assertThat(told).containsExactly("100 SYNCHRONISE_STARTED");
    }

    @Test
    void rebalancesOfAWholeNodeAreNotItsRecovery() {
        phases.joined(100);
        phases.partitions(101, true, 0, 0, true);
        told.clear();

        phases.rebalanceStarted("t", 200);
        phases.rebalanceStopped("t", 210);
        phases.partitions(220, true, 0, 0, true);

        assertThat(told).isEmpty();
    }
}
