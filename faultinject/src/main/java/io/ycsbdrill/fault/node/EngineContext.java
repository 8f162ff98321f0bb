package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.HttpServers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What an engine may look at to find a cluster on other machines and to diagnose this one.
 *
 * @param properties all in effect; not to be changed
 * @param environment environment variables
 * @param workingDirectory relative paths start here
 * @param clusters the clusters of this machine that are up
 * @param servers what the bindings know of servers that are managed over HTTP
 */
public record EngineContext(
        Properties properties,
        Map<String, String> environment,
        Path workingDirectory,
        ClusterDirectory clusters,
        HttpAccess servers) {

    /** Knows how the servers that a binding uses are managed over HTTP. */
    public interface HttpAccess {
        /**
         * Where and how the servers are managed, if the properties name servers of this kind.
         *
         * @param kind as the binding knows it, for example a {@code rest.dialect}
         * @throws IllegalArgumentException naming every property of the binding that is invalid
         */
        Optional<HttpServers> of(String kind);
    }

    /** A property's value without surrounding blanks; empty text when it is absent. */
    public String property(String name) {
        return properties.getProperty(name, "").strip();
    }
}
