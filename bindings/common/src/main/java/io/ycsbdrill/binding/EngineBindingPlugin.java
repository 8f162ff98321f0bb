package io.ycsbdrill.binding;

import java.util.Optional;
import site.ycsb.DB;

/** A binding whose class reaches the clusters of one engine only. Stateless. */
public abstract class EngineBindingPlugin implements BindingPlugin {
    private final String name;
    private final int order;
    private final Class<? extends DB> binding;
    private final String engine;

    /** Describes the binding; {@code binding} is the class to make one of per client thread. */
    protected EngineBindingPlugin(String name, int order, Class<? extends DB> binding, String engine) {
        this.name = name;
        this.order = order;
        this.binding = binding;
        this.engine = engine;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int order() {
        return order;
    }

    @Override
    public final String className() {
        return binding.getName();
    }

    @Override
    public final Optional<String> engine() {
        return Optional.of(engine);
    }
}
