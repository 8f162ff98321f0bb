package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads the options of a local cluster and collects what is wrong with them, so that all of it is reported at once. Owned by
 * one thread.
 */
public final class OptionReader {
    private static final Pattern SIZE = Pattern.compile("[1-9][0-9]{0,5}[MG]");

    private final List<Option> known;
    private final Map<String, String> given;
    private final List<String> problems = new ArrayList<>();

    /**
     * @param engine for messages
     * @param known every option of the engine
     * @param given values by name
     */
    public OptionReader(String engine, List<Option> known, Map<String, String> given) {
        this.known = known;
        this.given = given;
        List<String> names = known.stream().map(Option::name).toList();
        for (String name : new TreeSet<>(given.keySet())) {
            if (!names.contains(name)) {
                problem("--" + name + " is not an option of the " + engine + " cluster; it has --"
                        + String.join(", --", names));
            }
        }
    }

    /** Whether the option was given a value. */
    public boolean given(String name) {
        return given.containsKey(name);
    }

    /** The value, or the default. */
    public String text(String name) {
        return given.getOrDefault(name, defaultOf(name)).strip();
    }

    /** A whole number in a range, both ends included; the default when the value is invalid. */
    public int number(String name, int least, int most) {
        try {
            int value = Integer.parseInt(text(name));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        problem("--" + name + " " + text(name) + ": expected a whole number from " + least + " to " + most);
        return Integer.parseInt(defaultOf(name));
    }

    /** A time with its unit, in a range, both ends included; the default when the value is invalid. */
    public Duration duration(String name, Duration least, Duration most) {
        try {
            return Durations.parse(text(name), least, most);
        } catch (IllegalArgumentException e) {
            problem("--" + name + " " + e.getMessage());
            return Durations.parse(defaultOf(name));
        }
    }

    /** Whether it is {@code true}; {@code false} when the value is invalid. */
    public boolean flag(String name) {
        String value = text(name);
        if (!value.matches("true|false")) {
            problem("--" + name + " " + value + ": expected true or false");
        }
        return value.equals("true");
    }

    /** A size such as {@code 256M} or {@code 2G}, in capitals. */
    public String size(String name, int leastMegabytes) {
        String size = text(name).toUpperCase(Locale.ROOT);
        if (!SIZE.matcher(size).matches() || megabytes(size) < leastMegabytes) {
            problem("--" + name + " " + size + ": expected a size such as 256M or 2G, at least " + leastMegabytes
                    + "M");
        }
        return size;
    }

    /** The megabytes of a size as {@link #size} returns it; 0 when it is none. */
    public static long megabytes(String size) {
        if (!SIZE.matcher(size).matches()) {
            return 0;
        }
        long number = Long.parseLong(size.substring(0, size.length() - 1));
        return size.endsWith("G") ? number * 1024 : number;
    }

    private String defaultOf(String name) {
        return known.stream()
                .filter(o -> o.name().equals(name))
                .findFirst()
                .orElseThrow()
                .defaultValue();
    }

    /** Adds something that is wrong. */
    public void problem(String problem) {
        problems.add(problem);
    }

    /** @throws IllegalArgumentException naming every problem, when there is one */
    public void check() {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }
}
