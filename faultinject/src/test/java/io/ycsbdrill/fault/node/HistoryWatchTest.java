package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HistoryWatchTest {

    @Test
    void aLineThatCannotBeReadDoesNotEndTheWatch() throws Exception {
        LinkedBlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
        HistoryWatch<List<String>> watch = new HistoryWatch<>("scripted-watch", sink -> new ArrayList<>()) {
            private int reads;

            @Override
            protected void read(List<String> history) {
                reads++;
                if (reads == 2) {
                    throw new IllegalStateException("no such level: FATAAL");
                }
                if (reads == 3) {
                    note("node1", "script", "read again");
                }
            }

            @Override
            protected void readFirst(List<String> history) {}
        };
        try (watch) {
            watch.listen(events::add);
            watch.start();

            assertThat(events.poll(30, TimeUnit.SECONDS))
                    .returns("node1", EngineEvent::node)
                    .returns(EngineEvent.Signal.NOTE, EngineEvent::signal)
                    .returns("read again", EngineEvent::text);
        }
    }
}
