package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.embedded.NodeLink.Connection;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeLinkTest {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final NodeLink link = new NodeLink("127.0.0.1:7001");

    /** Such is a node on another side of a partition, which takes connections that are of no use. */
    @Test
    void aNodeWhoseConnectionsAreGivenUpAtOnceIsTriedOnceASecond() {
        long now = System.nanoTime();
        for (int i = 0; i < 6; i++) {
            now += SECOND_NANOS;
            assertThat(link.due(now)).isTrue();
            Connection made = new Connection(null, Optional.empty());
            link.attempted(made, now);
            assertThat(link.drop(made, now)).isTrue();
        }

        assertThat(link.due(now + SECOND_NANOS - 1)).isFalse();
        assertThat(link.due(now + SECOND_NANOS)).isTrue();
    }

    @Test
    void aConnectionThatHasLastedIsReplacedAtOnce() {
        long now = System.nanoTime();
        Connection made = new Connection(null, Optional.empty());
        link.attempted(made, now);

        assertThat(link.drop(made, now + 2 * SECOND_NANOS)).isTrue();

        assertThat(link.due(now + 2 * SECOND_NANOS)).isTrue();
    }

    @Test
    void aConnectionIsGivenUpByOneCallerOnly() {
        Connection made = new Connection(null, Optional.empty());
        link.attempted(made, System.nanoTime());

        assertThat(link.drop(made)).isTrue();
        assertThat(link.drop(made)).isFalse();
        assertThat(link.connection()).isNull();
        assertThat(link.reconnects()).singleElement().satisfies(server -> {
            assertThat(server.lost()).isEqualTo(1);
            assertThat(server.regained()).isZero();
        });
    }
}
