package io.ycsbdrill.client.run.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlateauTest {
    private static Plateau of(int seconds, IntToDoubleFunction second) {
        return Plateau.of(IntStream.range(0, seconds).mapToDouble(second).toArray());
    }

    @Test
    void anEvenThroughputIsItsMaximum() {
        Plateau plateau = of(13, t -> 1000 + (t % 2 == 0 ? 50 : -50));

        assertThat(plateau.doubt()).isEmpty();
        assertThat(plateau.usable()).isTrue();
        assertThat(plateau.level()).isEqualTo(1050);
    }

    /** One that once made a third of the maximum, and so an easier load. */
    @Test
    void aStallOfThreeSecondsIsNoPlateau() {
        Plateau stalled = of(13, t -> t >= 5 && t < 8 ? 0 : 1000);

        assertThat(stalled.doubt()).contains("it stalled in 3 of the last 13 s");
        assertThat(stalled.usable()).isFalse();
    }

    @Test
    void oneSecondOfTwelveMovesNothing() {
        Plateau plateau = of(12, t -> t == 4 ? 200 : 1000);

        assertThat(plateau.doubt()).isEmpty();
        assertThat(plateau.level()).isEqualTo(1000);
    }

    @Test
    void aClusterThatIsStillWarmingUpIsNoPlateau() {
        Plateau rising = of(13, t -> 1000 * (1 + 0.05 * t));

        assertThat(rising.doubt().orElseThrow()).startsWith("throughput rose by 46 % \u00b1 0 % over the last 13 s");
        assertThat(rising.usable()).isFalse();
        assertThat(of(13, t -> 1000 * (1 - 0.05 * t)).doubt().orElseThrow()).startsWith("throughput fell by");
    }

    /** Seconds that scatter by a quarter of their mean say as little about a trend as about the mean: more of them do. */
    @Test
    void muchScatterNeedsMoreSeconds() {
        Random random = new Random(1);
        double[] noise = random.doubles(200, 0.6, 1.4).toArray();

        Plateau few = of(12, t -> noise[t]);
        assertThat(few.doubt()).isPresent();
        assertThat(few.usable()).isTrue();
        assertThat(of(200, t -> noise[t]).doubt()).isEmpty();
    }

    @Test
    void nothingIsNoPlateau() {
        assertThat(of(3, t -> 0).usable()).isFalse();
    }
}
