package io.ycsbdrill.binding;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import site.ycsb.DBException;

/**
 * Reads a binding's properties with their types. Problems are collected, not thrown: {@link #check}, called last, reports all of
 * them at once, among them every key under the binding's own prefixes that was never read. A value is never corrected silently;
 * the getter of an invalid one returns the default, so that reading can continue until the check.
 *
 * <p>Owned by the thread that reads the properties.
 */
public final class BindingProperties {
    /** With this property rows expire; see {@link #timeToLive}. */
    public static final String TIME_TO_LIVE = "record.ttl";

    private final Properties properties;
    private final Set<String> read = new HashSet<>();
    private final Problems problems = new Problems();

    /**
     * @param properties as given to {@link site.ycsb.DB#setProperties}, defaults included
     */
    public BindingProperties(Properties properties) {
        this.properties = properties;
    }

    /** A text without the blanks around it. A blank value is a problem. */
    public String text(String key, String defaultValue) {
        return optionalText(key).orElse(defaultValue);
    }

    /** A text without a default; empty when the key is absent. A blank value is a problem. */
    public Optional<String> optionalText(String key) {
        read.add(key);
        String value = properties.getProperty(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value.isBlank()) {
            problem(key, value, "a value");
            return Optional.empty();
        }
        return Optional.of(value.strip());
    }

    /** A text that the binding needs; when it is absent, that is a problem, and the result is the empty string. */
    public String requiredText(String key, String meaning) {
        if (properties.getProperty(key) == null) {
            problems.add(key + " is missing; expected " + meaning);
        }
        return optionalText(key).orElse("");
    }

    /** Texts separated by commas; blanks around them and empty ones are dropped. */
    public List<String> list(String key, List<String> defaultValue) {
        return optionalText(key)
                .map(value -> Arrays.stream(value.split(","))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .toList())
                .orElse(defaultValue);
    }

    /** A whole number from min to max, both included. */
    public int integer(String key, int defaultValue, int min, int max) {
        return (int) number(key, defaultValue, min, max);
    }

    /** A whole number from min to max, both included. */
    public long number(String key, long defaultValue, long min, long max) {
        Optional<String> value = optionalText(key);
        if (value.isEmpty()) {
            return defaultValue;
        }
        try {
            long number = Long.parseLong(value.get());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: the same message serves both.
        }
        problem(key, value.get(), "a whole number from " + min + " to " + max);
        return defaultValue;
    }

    /** Exactly {@code true} or {@code false}, in any case. */
    public boolean flag(String key, boolean defaultValue) {
        Optional<String> value = optionalText(key);
        if (value.isEmpty()) {
            return defaultValue;
        }
        switch (value.get().toLowerCase(Locale.ROOT)) {
            case "true":
                return true;
            case "false":
                return false;
            default:
                problem(key, value.get(), "true or false");
                return defaultValue;
        }
    }

    /** A time with its unit, from min to max, both included: {@code 200ms}, {@code 5s}. Units: us, ms, s, m, h. */
    public Duration duration(String key, Duration defaultValue, Duration min, Duration max) {
        Optional<String> value = optionalText(key);
        if (value.isEmpty()) {
            return defaultValue;
        }
        try {
            // Blanks before the unit are accepted, too.
            return Durations.parse(value.get(), min, max);
        } catch (IllegalArgumentException e) {
            problem(
                    key,
                    value.get(),
                    "a time from " + Durations.print(min) + " to " + Durations.print(max)
                            + " with its unit (us, ms, s, m or h)");
            return defaultValue;
        }
    }

    /**
     * The property {@link #TIME_TO_LIVE}: the database removes a row this long after its last write, 1 s to 1000 h in whole seconds;
     * empty when rows stay.
     */
    public Optional<Duration> timeToLive() {
        Duration time = duration(TIME_TO_LIVE, Duration.ZERO, Duration.ofSeconds(1), Duration.ofHours(1000));
        if (time.getNano() != 0) {
            problem(TIME_TO_LIVE, properties.getProperty(TIME_TO_LIVE), "whole seconds");
        }
        return Optional.of(time).filter(given -> !given.isZero());
    }

    /** Whether the property {@link #TIME_TO_LIVE} is given, valid or not. */
    public static boolean expire(Properties properties) {
        return properties.getProperty(TIME_TO_LIVE) != null;
    }

    /** Refuses the property {@link #TIME_TO_LIVE} unless {@link #timeToLive} has been called: the binding's rows do not expire. */
    public void refuseUnusedTimeToLive() {
        if (expire(properties) && !read.contains(TIME_TO_LIVE)) {
            problem(
                    TIME_TO_LIVE,
                    properties.getProperty(TIME_TO_LIVE),
                    "no such property, as rows do not expire here; they can on the embedded cluster by native, and on FaunaDB and"
                            + " HarperDB by rest with rest.dialect=faunadb or harperdb");
        }
    }

    /** One of an enum's constants, written in lower case with {@code -} for {@code _}. */
    public <E extends Enum<E>> E choice(String key, E defaultValue) {
        Optional<String> value = optionalText(key);
        if (value.isEmpty()) {
            return defaultValue;
        }
        E[] all = defaultValue.getDeclaringClass().getEnumConstants();
        for (E constant : all) {
            if (label(constant).equalsIgnoreCase(value.get())) {
                return constant;
            }
        }
        List<String> labels = Arrays.stream(all).map(BindingProperties::label).toList();
        problem(key, value.get(), "one of " + String.join(", ", labels) + NearestName.hint(value.get(), labels));
        return defaultValue;
    }

    /**
     * A password or another secret, given directly, by the name of an environment variable ({@code key.env}) or by a file
     * ({@code key.file}; blanks and line ends at its end are dropped). Empty when none of the three is there.
     *
     * @param environment where the variable is looked up
     */
    public Optional<Secret> secret(String key, Map<String, String> environment) {
        Optional<String> plain = optionalText(key);
        Optional<String> variable = optionalText(key + ".env");
        Optional<String> file = optionalText(key + ".file");
        if (Stream.of(plain, variable, file).filter(Optional::isPresent).count() > 1) {
            problem(key, "", "only one of " + key + ", " + key + ".env and " + key + ".file");
        }
        if (variable.isPresent()) {
            String value = environment.get(variable.get());
            if (value == null) {
                problem(key + ".env", "", "the name of an environment variable that is set");
            }
            return Optional.of(new Secret(value == null ? "" : value));
        }
        if (file.isPresent()) {
            try {
                return Optional.of(new Secret(InputFile.text(Path.of(file.get()), InputFile.Kind.SECRET)
                        .stripTrailing()));
            } catch (IOException | RuntimeException e) {
                problem(key + ".file", "", "a readable file, not " + file.get());
                return Optional.empty();
            }
        }
        return plain.map(Secret::new);
    }

    /** Adds a problem that the binding has found, for example a conflict between two properties. */
    public void problem(String key, String value, String expected) {
        problems.add(key + "=" + (secret(key) ? "***" : value) + ": expected " + expected);
    }

    /**
     * Reports all problems; called once, after everything was read.
     *
     * @param prefixes the binding's own, for example {@code embedded.}: a key below one of them that was never read is a
     *     problem
     * @throws DBException naming every problem
     */
    public void check(String... prefixes) throws DBException {
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (Arrays.stream(prefixes).anyMatch(key::startsWith) && !read.contains(key)) {
                List<String> known = known(prefixes);
                problems.add(key + " is not a property of this binding; it has " + String.join(", ", known)
                        + NearestName.hint(key, known));
            }
        }
        problems.throwIfAny(
                all -> new DBException((all.size() == 1 ? "invalid property: " : all.size() + " invalid properties: ")
                        + String.join("; ", all)));
    }

    private List<String> known(String[] prefixes) {
        return read.stream()
                .filter(key -> Arrays.stream(prefixes).anyMatch(key::startsWith))
                .sorted()
                .toList();
    }

    private static boolean secret(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        return lower.contains("passw") || lower.contains("secret") || lower.contains("token") || lower.endsWith("key");
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
