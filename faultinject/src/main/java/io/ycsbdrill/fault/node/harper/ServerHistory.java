package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Derives the events of one server from its process and from its ports. It has no peers: nobody handles its failure, and it copies
 * nothing. Pure: everything comes with its time. Calls must not overlap.
 */
final class ServerHistory implements ProcessHistory {
    private final String node;
    private final String version;
    private final Consumer<EngineEvent> sink;
    private boolean running;
    private boolean serving;

    ServerHistory(String node, String version, Consumer<EngineEvent> sink) {
        this.node = node;
        this.version = version;
        this.sink = sink;
    }

    @Override
    public boolean running(String name) {
        return running;
    }

    @Override
    public boolean recovered(String name) {
        return serving;
    }

    @Override
    public String version() {
        return version;
    }

    /** Whether it runs and has not answered yet. */
    boolean starting() {
        return running && !serving;
    }

    void processSeen(long pid, long atNanos, Instant wall) {
        running = true;
        serving = false;
        tell(Signal.PROCESS_STARTED, "process", "process " + pid + " started", atNanos, wall);
    }

    void processEnded(long pid, long atNanos, Instant wall) {
        running = false;
        serving = false;
        tell(Signal.NODE_DOWN, "process", "process " + pid + " has ended", atNanos, wall);
    }

    /** @param atNanos when the question was sent that showed it */
    void answers(long atNanos, Instant wall) {
        if (starting()) {
            serving = true;
            tell(Signal.RECOVERED, "health", "REST and operations API answer", atNanos, wall);
        }
    }

    private void tell(Signal signal, String source, String text, long atNanos, Instant wall) {
        sink.accept(new EngineEvent(atNanos, wall, node, signal, source, text));
    }
}
