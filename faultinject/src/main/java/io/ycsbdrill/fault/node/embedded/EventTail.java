package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.os.LogTail;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the events that are appended to a node's file. Owned by one thread. */
final class EventTail {
    private final LogTail lines;

    EventTail(Path path) {
        lines = new LogTail(path);
    }

    /** The complete events since the last call; none when the file is not there (yet). Damaged lines are left out. */
    List<NodeEvent> poll() {
        return lines.readable().stream()
                .map(NodeEvent::parse)
                .flatMap(Optional::stream)
                .toList();
    }
}
