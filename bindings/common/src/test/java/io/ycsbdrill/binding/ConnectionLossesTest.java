package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Reconnects.Server;
import org.junit.jupiter.api.Test;

class ConnectionLossesTest {
    private final ConnectionLosses losses = new ConnectionLosses();

    @Test
    void lossesOfAServerAddUp() {
        losses.lost("a", 100);
        assertThat(losses.regained(130)).isEqualTo(30);
        losses.lost("b", 200);
        losses.regained(210);
        losses.lost("a", 300);
        losses.regained(350);

        assertThat(losses.until(1000)).containsExactly(new Server("a", 2, 2, 80, 50), new Server("b", 1, 1, 10, 10));
    }

    @Test
    void aLossThatLastsCountsUpToNowAndIsNotRegained() {
        losses.lost("a", 100);

        assertThat(losses.until(160)).containsExactly(new Server("a", 1, 0, 60, 60));
        assertThat(losses.until(170)).containsExactly(new Server("a", 1, 0, 70, 70));
    }

    @Test
    void whatIsLostCannotBeLostAgainNorWhatIsThereRegained() {
        assertThat(losses.regained(50)).isZero();
        losses.lost("a", 100);
        losses.lost("b", 120);
        losses.regained(130);
        losses.regained(140);

        assertThat(losses.until(200)).containsExactly(new Server("a", 1, 1, 30, 30));
    }
}
