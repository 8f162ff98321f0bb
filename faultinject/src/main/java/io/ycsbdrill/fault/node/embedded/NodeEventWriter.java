package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.base.Io;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;

/** Appends to a node's event file, one write per line. Thread-safe. */
final class NodeEventWriter {
    private final FileChannel file;

    NodeEventWriter(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        long size = file.size();
        file.position(size);
        if (size > 0) {
            ByteBuffer last = ByteBuffer.allocate(1);
            file.read(last, size - 1);
            if (last.get(0) != '\n') {
                // The process before was killed while it wrote.
                write("\n");
            }
        }
    }

    /** Something that happened just now. */
    void write(NodeEvent.Kind kind, Map<String, String> fields) {
        write(System.nanoTime(), kind, fields);
    }

    /** Something that happened a moment ago. */
    void write(long atNanos, NodeEvent.Kind kind, Map<String, String> fields) {
        Instant wall = Instant.now().minusNanos(System.nanoTime() - atNanos);
        write(new NodeEvent(atNanos, wall, kind, fields).toLine());
    }

    private synchronized void write(String line) {
        Io.run(() -> {
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        });
    }
}
