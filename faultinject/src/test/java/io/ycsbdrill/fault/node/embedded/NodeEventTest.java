package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeEventTest {
    @TempDir
    Path directory;

    @Test
    void tailReadsWhatTheWriterWroteAndKeepsHalfLinesForLater() throws IOException {
        Path file = directory.resolve("events.jsonl");
        EventTail tail = new EventTail(file);
        assertThat(tail.poll()).isEmpty();
        NodeEventWriter writer = new NodeEventWriter(file);
        writer.write(42, NodeEvent.Kind.STEP, Map.of("text", "größer\nals \"eins\""));

        assertThat(tail.poll()).singleElement().satisfies(event -> {
            assertThat(event.atNanos()).isEqualTo(42);
            assertThat(event.text()).isEqualTo("größer\nals \"eins\"");
        });

        Files.writeString(file, "{\"nanos\":43,\"wall\":\"2026-01-01T00:00:00Z\",", StandardOpenOption.APPEND);
        assertThat(tail.poll()).isEmpty();
        Files.writeString(file, "\"event\":\"STEP\"}\n", StandardOpenOption.APPEND);
        assertThat(tail.poll()).extracting(NodeEvent::atNanos).containsExactly(43L);
    }

    @Test
    void lineThatAKilledNodeLeftUnfinishedDoesNotSpoilTheNextOne() throws IOException {
        Path file = directory.resolve("events.jsonl");
        Files.writeString(file, "{\"nanos\":1,\"wa");
        new NodeEventWriter(file).write(2, NodeEvent.Kind.RECOVERED, Map.of());

        assertThat(new EventTail(file).poll()).extracting(NodeEvent::kind).containsExactly(NodeEvent.Kind.RECOVERED);
    }
}
