package io.ycsbdrill.fault.node;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/**
 * The record by which commands after {@code cluster up} find the cluster: written as JSON under
 * {@link ClusterDirectory}.
 *
 * @param engine engine name, for example {@code embedded}
 * @param directory the cluster's own state directory: configuration, pid files, logs, data
 * @param createdAt when it was started
 * @param engineVersion as reported at start
 * @param bindings per binding name ({@code native}, {@code jdbc}, {@code rest}) the YCSB properties that reach this cluster
 * @param engineState what the engine's controller needs to attach again; its keys are the engine's own business
 */
public record ClusterDescriptor(
        String engine,
        Path directory,
        Instant createdAt,
        String engineVersion,
        Map<String, Map<String, String>> bindings,
        Map<String, String> engineState) {
    public ClusterDescriptor {
        bindings = Map.copyOf(bindings);
        engineState = Map.copyOf(engineState);
    }

    /** The same cluster with another version of the engine. */
    public ClusterDescriptor withEngineVersion(String version) {
        return new ClusterDescriptor(engine, directory, createdAt, version, bindings, engineState);
    }

    /**
     * The engine's state.
     *
     * @throws NodeControlException when one of the keys is absent
     */
    public Map<String, String> requireState(String... keys) {
        for (String key : keys) {
            if (!engineState.containsKey(key)) {
                throw new NodeControlException("the cluster descriptor of " + directory + " lacks " + key
                        + "; it was not written by this engine");
            }
        }
        return engineState;
    }
}
