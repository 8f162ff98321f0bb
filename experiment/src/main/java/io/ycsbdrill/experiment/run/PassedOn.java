package io.ycsbdrill.experiment.run;

import io.ycsbdrill.experiment.spec.ClusterSpec;
import java.util.Optional;

/**
 * What an experiment of a suite leaves to the next one.
 *
 * @param cluster that is up and in order; empty for none
 * @param table identifies the rows of its usual table, which are as they were loaded; the empty string for none
 */
public record PassedOn(Optional<ClusterSpec> cluster, String table) {
    /** What the first experiment finds. */
    public static final PassedOn NOTHING = new PassedOn(Optional.empty(), "");
}
