package io.ycsbdrill.fault.node.harper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerHistoryTest {
    private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");

    private final List<EngineEvent> events = new ArrayList<>();
    private final ServerHistory history = new ServerHistory("node1", "5.0.0", events::add);

    @Test
    void serverIsRecoveredWhenItAnswersAfterItsStartAndIsDownWhenItsProcessEnds() {
        history.processSeen(7, 10, WALL);
        assertThat(history.recovered("node1")).isFalse();
        history.answers(30, WALL);
        history.answers(40, WALL);
        assertThat(history.recovered("node1")).isTrue();
        history.processEnded(7, 50, WALL);

        assertThat(events)
                .extracting(EngineEvent::signal)
                .containsExactly(Signal.PROCESS_STARTED, Signal.RECOVERED, Signal.NODE_DOWN);
        assertThat(events).extracting(EngineEvent::atNanos).containsExactly(10L, 30L, 50L);
        assertThat(history.running("node1")).isFalse();
        assertThat(history.recovered("node1")).isFalse();
    }

    @Test
    void answerToAServerThatHasEndedIsOfNoUse() {
        history.processSeen(7, 10, WALL);
        history.processEnded(7, 20, WALL);
        history.answers(30, WALL);

        assertThat(history.recovered("node1")).isFalse();
        assertThat(events).extracting(EngineEvent::signal).doesNotContain(Signal.RECOVERED);
    }
}
