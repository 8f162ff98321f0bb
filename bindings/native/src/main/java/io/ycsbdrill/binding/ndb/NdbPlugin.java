package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.AbstractBindingPlugin;

/** The binding {@code native} on NDB. */
public final class NdbPlugin extends AbstractBindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public NdbPlugin() {
        super("native", 10, NdbBinding.class, "ndb");
    }
}
