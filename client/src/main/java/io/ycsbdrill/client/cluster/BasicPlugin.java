package io.ycsbdrill.client.cluster;

import io.ycsbdrill.binding.BindingPlugin;
import site.ycsb.BasicDB;

/** The binding {@code basic}: YCSB's own, which prints operations and stores nothing. */
public final class BasicPlugin implements BindingPlugin {

    /** For {@link java.util.ServiceLoader}. */
    public BasicPlugin() {}

    @Override
    public String name() {
        return "basic";
    }

    @Override
    public int order() {
        return 40;
    }

    @Override
    public String className() {
        return BasicDB.class.getName();
    }
}
