package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.embedded.NodeLink.Connection;
import org.junit.jupiter.api.Test;

class NodeLinkTest {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final NodeLink link = new NodeLink("127.0.0.1:7001");

    /** Such is a node on another side of a partition, which takes connections that are of no use. */
    @Test
    void aNodeWhoseConnectionsAreGivenUpAtOnceIsTriedOnceASecond() {
        long before = 0;
        for (int i = 0; i < 6; i++) {
            assertThat(link.due(System.nanoTime() + SECOND_NANOS)).isTrue();
            Connection made = new Connection(null);
            link.attempted(made);
            before = System.nanoTime();
            assertThat(link.drop(made)).isTrue();
        }

        assertThat(link.due(before + SECOND_NANOS * 9 / 10)).isFalse();
        assertThat(link.due(System.nanoTime() + SECOND_NANOS)).isTrue();
    }

    @Test
    void aConnectionIsGivenUpByOneCallerOnly() {
        Connection made = new Connection(null);
        link.attempted(made);

        assertThat(link.drop(made)).isTrue();
        assertThat(link.drop(made)).isFalse();
        assertThat(link.connection()).isNull();
        assertThat(link.reconnects()).singleElement().satisfies(server -> {
            assertThat(server.lost()).isEqualTo(1);
            assertThat(server.regained()).isZero();
        });
    }
}
