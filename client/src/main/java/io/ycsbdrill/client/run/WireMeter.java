package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.IntervalTotals.Slices;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the bytes that this process sends and receives over TCP, from the start of the load until the first client thread has
 * done its work, and the operations that have ended meanwhile. The kernel counts the bytes of each connection (tcp(7),
 * {@code TCP_INFO}), and {@code ss} of iproute2 prints its counters: they are without headers, and what was sent twice counts
 * twice. Nothing is known where there is no {@code ss}. Thread-safe.
 */
final class WireMeter implements RunCompanion {
    private static final List<String> COMMAND = List.of("ss", "-tineHO");
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern INODE = Pattern.compile(" ino:(\\d+)");
    private static final Pattern SENT = Pattern.compile(" bytes_sent:(\\d+)");
    private static final Pattern RECEIVED = Pattern.compile(" bytes_received:(\\d+)");

    /** What one connection has carried so far. */
    record Bytes(long sent, long received) {
        static final Bytes NONE = new Bytes(0, 0);

        private Bytes plus(Bytes other) {
            return new Bytes(sent + other.sent, received + other.received);
        }

        private Bytes minus(Bytes other) {
            return new Bytes(sent - other.sent, received - other.received);
        }
    }

    /** The counters of this process's connections by their inodes; empty when they cannot be read. */
    interface Source {
        Optional<Map<String, Bytes>> read();
    }

    private final Source source;
    private final long sliceNanos;
    private Optional<Map<String, Bytes>> before = Optional.empty();
    private Optional<Map<String, Bytes>> after = Optional.empty();
    private volatile long untilNanos = Long.MAX_VALUE;
    private long operations;

    WireMeter(long sliceNanos) {
        this(sliceNanos, WireMeter::now);
    }

    WireMeter(long sliceNanos, Source source) {
        this.sliceNanos = sliceNanos;
        this.source = source;
    }

    /** All connections are made, and the load is about to begin. */
    synchronized void begin() {
        before = source.read();
    }

    /** A client thread has done its work and will close its connections when this returns; only the first one counts. */
    synchronized void end(long sinceStartNanos) {
        if (untilNanos == Long.MAX_VALUE) {
            untilNanos = sinceStartNanos;
            after = before.isEmpty() ? before : source.read();
        }
    }

    @Override
    public void started(RunControl run) {
        // It counts by intervals.
    }

    @Override
    public synchronized void interval(IntervalTotals interval, Operations names) {
        for (int i = 0; i < interval.slices() && interval.startNanos() + i * sliceNanos < untilNanos; i++) {
            for (Map.Entry<Integer, Slices> operation : interval.sliced().entrySet()) {
                if (Operations.isCall(operation.getKey())) {
                    for (Outcome outcome : Outcome.values()) {
                        operations += operation.getValue().count(outcome, i);
                    }
                }
            }
        }
    }

    /** The object {@code wire} of {@code run.json}; null when nothing is known. */
    synchronized JsonNode json() {
        if (after.isEmpty()) {
            return NullNode.instance;
        }
        Map<String, Bytes> first = before.orElseThrow();
        Map<String, Bytes> last = after.get();
        Bytes sum = last.entrySet().stream()
                .map(now -> now.getValue().minus(first.getOrDefault(now.getKey(), Bytes.NONE)))
                .reduce(Bytes.NONE, Bytes::plus);
        Set<String> closed = new HashSet<>(first.keySet());
        closed.removeAll(last.keySet());
        return RunDirectory.JSON
                .createObjectNode()
                .put("sentBytes", sum.sent)
                .put("receivedBytes", sum.received)
                .put("operations", operations)
                .put("seconds", untilNanos / 1e9)
                .put("closedConnections", closed.size());
    }

    private static Optional<Map<String, Bytes>> now() {
        return Io.or(Optional.empty(), () -> {
            Set<String> own = sockets();
            ProgramOutput output = ProgramOutput.of(COMMAND, BOUND);
            return output.exit() == 0 ? Optional.of(parse(output.text(), own)) : Optional.empty();
        });
    }

    private static Set<String> sockets() throws IOException {
        Set<String> inodes = new HashSet<>();
        for (Path descriptor : Io.list(DESCRIPTORS)) {
            Matcher socket = SOCKET.matcher(target(descriptor));
            if (socket.matches()) {
                inodes.add(socket.group(1));
            }
        }
        return inodes;
    }

    /** Empty when it was closed meanwhile. */
    private static String target(Path descriptor) {
        return Io.or("", () -> Files.readSymbolicLink(descriptor).toString());
    }

    /**
     * @param text one connection a line
     * @param own the inodes to look for
     */
    static Map<String, Bytes> parse(String text, Set<String> own) {
        Map<String, Bytes> connections = new HashMap<>();
        text.lines().forEach(line -> {
            Matcher inode = INODE.matcher(line);
            if (inode.find() && own.contains(inode.group(1))) {
                connections.put(inode.group(1), new Bytes(number(SENT, line), number(RECEIVED, line)));
            }
        });
        return connections;
    }

    /** A counter that is zero is not printed. */
    private static long number(Pattern counter, String line) {
        Matcher found = counter.matcher(line);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
