package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.BindingPlugin;
import java.util.List;
import java.util.Optional;

/** The binding {@code native} on the embedded cluster. */
public final class EmbeddedPlugin implements BindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public EmbeddedPlugin() {}

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
        return EmbeddedBinding.class.getName();
    }

    @Override
    public Optional<String> engine() {
        return Optional.of("embedded");
    }

    /** Ignite's client reaches into them. */
    @Override
    public List<String> openPackages() {
        return List.of("java.nio", "java.util", "sun.nio.ch", "java.io");
    }
}
