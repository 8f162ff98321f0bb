package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The controller of servers whose nodes can be neither controlled nor watched: it has no nodes. Immutable. */
public record NoNodes(String engine) implements NodeController {

    @Override
    public String engineVersion() {
        return "unknown";
    }

    @Override
    public List<NodeInfo> nodes() {
        return List.of();
    }

    @Override
    public List<NodeStatus> status() {
        return List.of();
    }

    @Override
    public Optional<String> primary() {
        return Optional.empty();
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return () -> {};
    }

    @Override
    public void close() {}
}
