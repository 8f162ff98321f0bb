package io.ycsbdrill.fault.explore;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A step of a drill as it is written. Immutable.
 *
 * @param name unique in its drill
 * @param kind of its fault, for coverage
 * @param keys all others, in order
 */
public record DrawnStep(String name, String kind, Map<String, String> keys) {
    public DrawnStep {
        keys = new LinkedHashMap<>(keys);
    }

    DrawnStep with(String key, String value) {
        Map<String, String> changed = new LinkedHashMap<>(keys);
        changed.put(key, value);
        return new DrawnStep(name, kind, changed);
    }

    DrawnStep without(String... some) {
        Map<String, String> left = new LinkedHashMap<>(keys);
        for (String key : some) {
            left.remove(key);
        }
        return new DrawnStep(name, kind, left);
    }

    String key(String key) {
        return keys.getOrDefault(key, "");
    }

    String text() {
        return "  - {step: " + name
                + keys.entrySet().stream()
                        .map(key -> ", " + key.getKey() + ": " + quoted(key.getValue()))
                        .collect(Collectors.joining())
                + "}\n";
    }

    private static String quoted(String value) {
        return value.matches("[A-Za-z0-9.%+ -]+")
                ? value
                : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
