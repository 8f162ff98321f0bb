package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final Deadlines deadlines = new Deadlines(Duration.ofHours(1));
    private final long now = System.nanoTime();
    private SocketChannel socket;
    private Deadlines.Deadline deadline;

    @BeforeEach
    void open() throws Exception {
        socket = SocketChannel.open();
        deadline = deadlines.of(socket);
    }

    @AfterEach
    void close() {
        deadline.close();
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void aConnectionIsClosedWhenItsReplyIsLateAndNotBefore() {
        deadline.begin(now + HOUR);
        deadlines.look(now + HOUR - 1_000);
        assertThat(socket.isOpen()).isTrue();

        deadlines.look(now + HOUR + 1_000);

        assertThat(socket.isOpen()).isFalse();
        assertThat(deadline.end()).as("the request was late").isTrue();
    }

    @Test
    void aRequestThatIsOverIsNotLateAndTheNextOneHasItsOwnTime() {
        deadline.begin(now + HOUR);
        assertThat(deadline.end()).isFalse();
        deadlines.look(now + 2 * HOUR);
        deadline.begin(now + 3 * HOUR);
        deadlines.look(now + 2 * HOUR);

        assertThat(socket.isOpen()).isTrue();
        assertThat(deadline.end()).isFalse();
    }

    @Test
    void aConnectionThatWasGivenUpIsNotLookedAtAnyMore() {
        deadline.begin(now + HOUR);
        deadline.close();

        deadlines.look(now + 2 * HOUR);

        assertThat(deadline.end()).isFalse();
    }
}
