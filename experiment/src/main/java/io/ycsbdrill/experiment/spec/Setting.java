package io.ycsbdrill.experiment.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One setting of a cell.
 *
 * @param kind what it sets
 * @param key as in the file: {@code threads}
 * @param typed the option as typed ({@code -threads}), the property's name, or the name of the cluster's option
 * @param values one; several only for workload files
 */
public record Setting(Kind kind, String key, String typed, List<String> values) {
    /** The properties that options set. */
    private static final Map<String, String> OF_OPTIONS = Map.of(
            "-threads", "threadcount",
            "-target", "target",
            "--duration", "maxexecutiontime",
            "-l", "label",
            "-db", "db",
            "--on", "inventory");

    /** What a setting sets. */
    public enum Kind {
        BINDING,
        WORKLOAD,
        DRILL,
        OPTION,
        SWITCH,
        PROPERTY,
        CLUSTER
    }

    public Setting {
        values = List.copyOf(values);
    }

    /** The value, of several the last one. */
    public String value() {
        return values.get(values.size() - 1);
    }

    /** What it sets, whatever its name: the same for {@code threads} and {@code threadcount}. */
    public String sets() {
        String property = kind == Kind.PROPERTY ? typed : OF_OPTIONS.get(typed);
        return property == null ? key : Vocabulary.PROPERTY_PREFIX + property;
    }

    /** Its words on the command line; none for what is not set there. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        switch (kind) {
            case WORKLOAD -> values.forEach(file -> words.addAll(List.of("-P", file)));
            case DRILL -> words.addAll(List.of("-D", value()));
            case OPTION -> words.addAll(List.of(typed, value()));
            case PROPERTY -> words.addAll(List.of("-p", typed + "=" + value()));
            case BINDING -> words.add(value());
            case SWITCH -> {
                if (value().equals("true")) {
                    words.add(typed);
                }
            }
            case CLUSTER -> {
                // An option of "cluster up", which the cell only uses.
            }
        }
        return words;
    }
}
