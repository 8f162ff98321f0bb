package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.binding.BindingPlugin;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A binding that nothing knows but a services file. */
public final class ToyBinding implements BindingPlugin {

    @Override
    public String name() {
        return "toystore";
    }

    @Override
    public int order() {
        return 90;
    }

    @Override
    public String className() {
        return StoreDb.class.getName();
    }

    @Override
    public List<Finding> diagnose(Properties properties, Map<String, String> environment) {
        return List.of(
                Finding.bad("toystore: " + properties.getProperty("toy.colour", "no colour") + " is out of stock"));
    }
}
