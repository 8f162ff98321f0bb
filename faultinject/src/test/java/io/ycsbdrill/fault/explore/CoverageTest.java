package io.ycsbdrill.fault.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.explore.Coverage.Cell;
import io.ycsbdrill.fault.explore.Coverage.Entered;
import io.ycsbdrill.fault.explore.Coverage.Hit;
import io.ycsbdrill.fault.explore.Coverage.Pair;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoverageTest {
    private final Coverage coverage = new Coverage();

    @Test
    void aSecondFaultIsCountedInThePhaseThatTheNodeOfTheFirstWasIn() {
        List<Entered> phases = List.of(
                new Entered("n1", Phase.FAULT, 1),
                new Entered("n1", Phase.DOWN, 2),
                new Entered("n2", Phase.FAULT, 2.4),
                new Entered("n1", Phase.SYNCHRONISE, 3),
                new Entered("n1", Phase.RECOVERED, 4));

        coverage.add(List.of(new Hit("kill", "n1", 1), new Hit("pause", "n2", 2.5)), phases);
        coverage.add(List.of(new Hit("kill", "n1", 1), new Hit("pause", "n2", 3.5)), phases);
        coverage.add(List.of(new Hit("kill", "n1", 1), new Hit("pause", "n2", 3.6)), phases);
        coverage.add(List.of(new Hit("kill", "n1", 1), new Hit("pause", "n2", 5)), phases);

        assertThat(coverage.counts())
                .containsEntry(new Cell("kill", "pause", Phase.DOWN), 1)
                .containsEntry(new Cell("kill", "pause", Phase.SYNCHRONISE), 2)
                .containsEntry(new Cell("kill", "pause", Phase.RECOVERED), 1)
                .hasSize(3);
        assertThat(coverage.hit(Set.of(new Pair(Phase.DOWN, "pause"), new Pair(Phase.FAULT, "pause"))))
                .as("what was hit and never drawn does not count")
                .isEqualTo(1);
    }

    /** The second fault on the same node begins a phase itself, at the same moment. */
    @Test
    void aFaultOnTheSameNodeIsCountedInThePhaseThatItHasEnded() {
        coverage.add(
                List.of(new Hit("kill", "n1", 1), new Hit("kill", "n1", 3.5)),
                List.of(
                        new Entered("n1", Phase.FAULT, 1),
                        new Entered("n1", Phase.SYNCHRONISE, 3),
                        new Entered("n1", Phase.FAULT, 3.5)));

        assertThat(coverage.counts()).containsOnlyKeys(new Cell("kill", "kill", Phase.SYNCHRONISE));
    }
}
