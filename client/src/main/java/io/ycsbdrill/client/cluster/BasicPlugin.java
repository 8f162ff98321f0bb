package io.ycsbdrill.client.cluster;

import io.ycsbdrill.binding.AbstractBindingPlugin;
import site.ycsb.BasicDB;

/** The binding {@code basic}: YCSB's own, which prints operations and stores nothing. */
public final class BasicPlugin extends AbstractBindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public BasicPlugin() {
        super("basic", 40, BasicDB.class);
    }
}
