package io.ycsbdrill.client.run.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRangeTest {
    @Test
    void neighboursAndOverlapsAreJoined() {
        assertThat(KeyRange.parse("20-29,5-5,6-7,25-40,100-100"))
                .containsExactly(new KeyRange(5, 7), new KeyRange(20, 40), new KeyRange(100, 100));
        assertThat(KeyRange.text(KeyRange.parse("5-5,6-7"))).isEqualTo("5-7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "7-5", "-1-5", "1-2,", "a-b"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> KeyRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLedgerHandsOutTheKeysOfItsRangesAndKnowsWhatIsLeft() {
        LoadLedger ledger =
                new LoadLedger(List.of(new KeyRange(5, 6), new KeyRange(10, 10), new KeyRange(20, 22)), true);

        assertThat(List.of(ledger.take(), ledger.take(), ledger.take(), ledger.take()))
                .containsExactly(5L, 6L, 10L, 20L);
        ledger.done(20, "k", Outcome.FAILED);

        assertThat(ledger.count()).isEqualTo(6);
        assertThat(ledger.notStarted()).containsExactly(new long[] {21, 22});
        assertThat(ledger.ranges(Outcome.FAILED)).containsExactly(new long[] {20, 20});
        assertThat(List.of(ledger.take(), ledger.take(), ledger.take())).containsExactly(21L, 22L, -1L);
        assertThat(ledger.notStarted()).isEmpty();
    }

    @Test
    void rangesNotReachedAreLeftWhole() {
        LoadLedger ledger = new LoadLedger(List.of(new KeyRange(1, 2), new KeyRange(8, 9)), true);
        ledger.take();

        assertThat(ledger.notStarted()).containsExactly(new long[] {2, 2}, new long[] {8, 9});
    }
}
