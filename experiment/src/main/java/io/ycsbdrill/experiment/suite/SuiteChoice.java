package io.ycsbdrill.experiment.suite;

import java.util.Map;
import java.util.Optional;

/**
 * For what a suite is wanted.
 *
 * @param engine whose cluster is started; empty for the first one of the file, or with properties for none
 * @param scale the name of a scale, or a factor by which rows and operations of the scale {@value #SEED} are multiplied
 * @param properties of all cells, by name
 */
public record SuiteChoice(Optional<String> engine, String scale, Map<String, String> properties) {
    /** The way the source did it. */
    public static final String SEED = "seed";

    public SuiteChoice {
        properties = Map.copyOf(properties);
    }
}
