package io.ycsbdrill.binding.jdbc;

import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A server that is started for the first test class that wants it, shared by all, and ended with the last. */
abstract class SharedServer<T extends AutoCloseable> implements BeforeAllCallback, ParameterResolver {
    private final Class<T> type;
    private final Supplier<Optional<String>> lack;
    private final Supplier<T> start;

    /** @param lack what this machine lacks, so that the tests are skipped */
    SharedServer(Class<T> type, Supplier<Optional<String>> lack, Supplier<T> start) {
        this.type = type;
        this.lack = lack;
        this.start = start;
    }

    @Override
    public final void beforeAll(ExtensionContext context) {
        lack.get().ifPresent(Assumptions::abort);
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == type;
    }

    @Override
    public final T resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(type, key -> start.get(), type);
    }
}
