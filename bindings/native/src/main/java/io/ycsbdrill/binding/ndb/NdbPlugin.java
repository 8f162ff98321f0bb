package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.BindingPlugin;
import java.util.Optional;

/** The binding {@code native} on NDB. */
public final class NdbPlugin implements BindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public NdbPlugin() {}

    @Override
    public String name() {
        return "native";
    }

    @Override
    public int order() {
        return 10;
    }

    @Override
    public String className() {
        return NdbBinding.class.getName();
    }

    @Override
    public Optional<String> engine() {
        return Optional.of("ndb");
    }
}
