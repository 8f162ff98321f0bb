package io.ycsbdrill.experiment.spec;

import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster that the experiment starts itself.
 *
 * @param engine its engine
 * @param options of {@code cluster up}, by name without dashes
 */
public record ClusterSpec(String engine, Map<String, String> options) {
    public ClusterSpec {
        options = Map.copyOf(options);
    }

    /** The same with some options replaced. */
    ClusterSpec with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(options);
        all.putAll(more);
        return new ClusterSpec(engine, all);
    }
}
