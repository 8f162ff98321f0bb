package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.AbstractBindingPlugin;
import java.util.List;

/** The binding {@code native} on the embedded cluster. */
public final class EmbeddedPlugin extends AbstractBindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public EmbeddedPlugin() {
        super("native", 10, EmbeddedBinding.class, "embedded");
    }

    /** The packages that Ignite's client accesses by reflection. */
    @Override
    public List<String> openPackages() {
        return List.of("java.nio", "java.util", "sun.nio.ch", "java.io");
    }
}
