package io.ycsbdrill.binding;

import java.util.Optional;
import site.ycsb.DB;

/** A binding with its name, place and class, and the engine if its class reaches the clusters of one only. Stateless. */
public abstract class AbstractBindingPlugin implements BindingPlugin {
    private final String name;
    private final int order;
    private final Class<? extends DB> binding;
    private final Optional<String> engine;

    /** Describes a binding of any server; {@code binding} is the class to make one of per client thread. */
    protected AbstractBindingPlugin(String name, int order, Class<? extends DB> binding) {
        this(name, order, binding, Optional.empty());
    }

    /** Describes a binding of one engine's clusters. */
    protected AbstractBindingPlugin(String name, int order, Class<? extends DB> binding, String engine) {
        this(name, order, binding, Optional.of(engine));
    }

    private AbstractBindingPlugin(String name, int order, Class<? extends DB> binding, Optional<String> engine) {
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
        return engine;
    }
}
