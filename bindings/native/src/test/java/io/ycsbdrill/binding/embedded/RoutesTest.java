package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.embedded.Routes.Version;
import org.junit.jupiter.api.Test;

class RoutesTest {

    @Test
    void anAnswerHasVersionLiveNodesAndPrimaries() {
        Routes routes = Routes.of(new long[] {1_700_000_000_000L, 5, 2, 10_800, 10_801, 10_801, 0, 10_800});

        assertThat(routes.version()).isEqualTo(new Version(1_700_000_000_000L, 5));
        assertThat(routes.live()).containsExactlyInAnyOrder(10_800, 10_801);
        assertThat(routes.primaries()).containsExactly(10_801, 0, 10_800);
    }

    @Test
    void aVersionIsOnlyOlderThanALaterOneOfTheSameRing() {
        Version known = new Version(1, 5);

        assertThat(new Version(1, 4).isBefore(known)).isTrue();
        assertThat(new Version(1, 5).isBefore(known)).isFalse();
        assertThat(new Version(1, 6).isBefore(known)).isFalse();
        assertThat(new Version(2, 3).isBefore(known))
                .as("all nodes were started again")
                .isFalse();
    }

    @Test
    void theSameNumberInAnotherRingIsAnotherVersion() {
        assertThat(new Version(2, 3)).isNotEqualTo(new Version(1, 3));
    }
}
