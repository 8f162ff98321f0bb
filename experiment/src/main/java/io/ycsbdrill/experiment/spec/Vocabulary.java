package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.experiment.spec.Setting.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names that settings may have; they come from the command line of the tool, so that there is one list of options. Immutable.
 *
 * @param options of each command, by their name without dashes
 * @param clusterOptions of {@code cluster up}, by engine
 * @param properties those of YCSB's core and of the client
 */
public record Vocabulary(
        Map<Command, Map<String, Option>> options, Map<String, Set<String>> clusterOptions, Set<String> properties) {

    /** What precedes the name of a property that this program cannot know. */
    public static final String PROPERTY_PREFIX = "property.";

    /** Settings with a name of their own here. */
    private static final Map<String, Kind> OWN =
            Map.of("binding", Kind.BINDING, "workload", Kind.WORKLOAD, "drill", Kind.DRILL);

    /**
     * An option of the command line.
     *
     * @param typed with its dashes
     * @param isSwitch whether it takes no value
     */
    public record Option(String typed, boolean isSwitch) {}

    /** The setting of that name, without its value; empty when there is none. */
    Optional<Setting> find(String key, Command command, Optional<String> engine) {
        if (OWN.containsKey(key) && (command == Command.DRILL || !key.equals("drill"))) {
            return Optional.of(new Setting(OWN.get(key), key, key, List.of("")));
        }
        Option option = options.getOrDefault(command, Map.of()).get(key);
        if (option != null) {
            return Optional.of(
                    new Setting(option.isSwitch() ? Kind.SWITCH : Kind.OPTION, key, option.typed(), List.of("")));
        }
        if (engine.filter(name -> clusterOptions.getOrDefault(name, Set.of()).contains(key))
                .isPresent()) {
            return Optional.of(new Setting(Kind.CLUSTER, key, key, List.of("")));
        }
        if (key.startsWith(PROPERTY_PREFIX) && key.length() > PROPERTY_PREFIX.length()) {
            return Optional.of(new Setting(Kind.PROPERTY, key, key.substring(PROPERTY_PREFIX.length()), List.of("")));
        }
        return properties.contains(key) || key.matches("\\w[\\w-]*(\\.[\\w-]+)+")
                ? Optional.of(new Setting(Kind.PROPERTY, key, key, List.of("")))
                : Optional.empty();
    }

    /** What to say of a name that is none: what was probably meant, and what there is. */
    String unknown(String key, Command command, Optional<String> engine) {
        Set<String> known =
                new TreeSet<>(options.getOrDefault(command, Map.of()).keySet());
        known.addAll(OWN.keySet());
        engine.ifPresent(name -> known.addAll(clusterOptions.getOrDefault(name, Set.of())));
        known.addAll(properties);
        Optional<String> ofCluster = clusterOptions.entrySet().stream()
                .filter(entry -> engine.isEmpty() && entry.getValue().contains(key))
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst();
        if (ofCluster.isPresent()) {
            return "is an option of \"cluster up\"; say which cluster: cluster: {engine: " + ofCluster.get() + "}";
        }
        return "is neither a setting nor an option of \"" + command.word() + "\" or of the cluster, nor one of YCSB's"
                + " properties" + NearestName.hint(key, known) + "; write any other property as " + PROPERTY_PREFIX
                + key;
    }
}
