package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.EngineBindingPlugin;

/** The binding {@code native} on NDB. */
public final class NdbPlugin extends EngineBindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public NdbPlugin() {
        super("native", 10, NdbBinding.class, "ndb");
    }
}
