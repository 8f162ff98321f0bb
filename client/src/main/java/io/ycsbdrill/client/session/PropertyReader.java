package io.ycsbdrill.client.session;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import java.util.Collection;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;

/** Reads typed values from properties and reports every invalid one. For one thread. */
public final class PropertyReader {
    private final Properties properties;
    private final Problems problems;
    private final Set<String> refused = new HashSet<>();

    public PropertyReader(Properties properties, Problems problems) {
        this.properties = properties;
        this.problems = problems;
    }

    boolean has(String key) {
        return properties.getProperty(key) != null;
    }

    /** Whether {@link #whole} has found the value wrong, so that the absent one it gave says nothing. */
    public boolean refused(String key) {
        return refused.contains(key);
    }

    public long whole(String key, long absent, long min, long max) {
        if (!has(key)) {
            return absent;
        }
        String value = properties.getProperty(key);
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, with the same words as a number out of range.
        }
        refused.add(key);
        problems.add(key + "=" + value + " is not a whole number " + range(min, max));
        return absent;
    }

    /** The value of an option, with the words that a property would get; absent when the text is null. */
    public static long option(String name, String text, long absent, long min, long max, Problems problems) {
        if (text == null) {
            return absent;
        }
        Properties one = new Properties();
        one.setProperty(name, text);
        return new PropertyReader(one, problems).whole(name, absent, min, max);
    }

    public double number(String key, double absent, double min, double max) {
        if (!has(key)) {
            return absent;
        }
        String value = properties.getProperty(key);
        try {
            double number = Double.parseDouble(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, with the same words as a number out of range.
        }
        String upper = max == Double.MAX_VALUE ? "" : " and at most " + plain(max);
        problems.add(key + "=" + value + " is not a number of at least " + plain(min) + upper);
        return absent;
    }

    String oneOf(String key, String absent, Collection<String> allowed) {
        if (!has(key)) {
            return absent;
        }
        String value = properties.getProperty(key);
        if (!allowed.contains(value)) {
            problems.add(key + "=" + value + " is not one of " + String.join(", ", allowed)
                    + NearestName.hint(value, allowed));
            return absent;
        }
        return value;
    }

    private static String range(long min, long max) {
        if (max == Long.MAX_VALUE) {
            return min == Long.MIN_VALUE ? "of 64 bits" : "of at least " + min;
        }
        return "from " + min + " to " + max;
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
