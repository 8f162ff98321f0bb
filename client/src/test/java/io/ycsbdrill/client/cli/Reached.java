package io.ycsbdrill.client.cli;

import io.ycsbdrill.fault.node.LocalCluster;
import java.util.Properties;

/** How a binding reaches a cluster, for tests that make it themselves. */
final class Reached {
    private Reached() {}

    /**
     * The properties that the cluster gives to {@code rest}.
     *
     * @param more names and values in turn, which win
     */
    static Properties byRest(LocalCluster cluster, String... more) {
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("rest"));
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        return properties;
    }
}
