package io.ycsbdrill.report.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ChanceTest {
    @Test
    void theChanceOfAMeanIsStudents() {
        // Student's 95 % interval of 5 pairs that just touches 0.
        assertThat(Chance.above(1, 1, 5, PairCount.PLANNED)).isCloseTo(0.025, within(1e-9));
        assertThat(Chance.above(1, 1, 50, PairCount.PILOTED))
                .as("only the first five say how much they scatter")
                .isCloseTo(0.025, within(1e-9));
        assertThat(Chance.above(2, 1, 50, PairCount.PILOTED))
                .isEqualTo(Chance.above(2, 1, 5, PairCount.PLANNED))
                .isGreaterThan(Chance.above(2, 1, 50, PairCount.PLANNED));
        assertThat(Chance.above(-1, 1, 5, PairCount.PLANNED)).isEqualTo(1);
        assertThat(Chance.above(1, 0, 3, PairCount.PLANNED))
                .as("no scatter at all")
                .isCloseTo(1 / 27.0, within(1e-12));
    }

    @Test
    void whichOfThreeRunsLacksSomethingIsChance() {
        assertThat(Chance.lacking(new int[] {0, 1, 0}, 1)).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(Chance.lacking(new int[] {1, 1, 1, 1, 1}, 5)).isCloseTo(1 / 243.0, within(1e-12));
        assertThat(Chance.lacking(new int[] {3, 2, 0}, 2)).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(Chance.lacking(new int[] {1, 0}, 0)).isCloseTo(1, within(1e-12));
    }

    @Test
    void severalAreEstablishedByHolm() {
        assertThat(Chance.established(0.03, 0.01, 0.02)).containsExactly(true, true, true);
        assertThat(Chance.established(0.02, 0.02, 0.02)).containsExactly(false, false, false);
        assertThat(Chance.established(0.9, 0.01, 0.04)).containsExactly(false, true, false);
        assertThat(Chance.established()).isEmpty();
    }

    @Test
    void amongManyResultsWithoutAnEffectOneIsSeldomEstablished() {
        Random random = new Random(1);
        int alarms = 0;
        for (int i = 0; i < 4000; i++) {
            for (boolean established : Chance.established(random.doubles(20).toArray())) {
                alarms += established ? 1 : 0;
            }
        }
        assertThat(alarms / 4000.0).isBetween(0.035, 0.065);
    }
}
