package io.ycsbdrill.fault.node;

import java.util.Optional;
import java.util.function.Consumer;

/** The controller of servers that nobody watches: it reports no events, knows no primary, and by itself can do nothing to them. */
public interface UnwatchedNodes extends NodeController {

    @Override
    default String engineVersion() {
        return "unknown";
    }

    @Override
    default Optional<String> primary() {
        return Optional.empty();
    }

    @Override
    default <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    default AutoCloseable listen(Consumer<EngineEvent> listener) {
        return () -> {};
    }

    @Override
    default void close() {}
}
