package io.ycsbdrill.base;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as text, with one grammar for the command line, drill files, inventories and properties: a number and a unit,
 * {@code 250us}, {@code 100ms}, {@code 0.5s}, {@code 10m}, {@code 2h}. Stateless.
 */
public final class Durations {
    /** The accepted form, for messages. */
    public static final String EXPECTED = "a number with a unit: 200ms, 0.5s, 10m or 2h";

    private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(us|ms|s|m|h)");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
    private static final Map<String, Long> NANOS =
            Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

    private Durations() {}

    /**
     * Reads a duration; blanks around it are ignored.
     *
     * @throws IllegalArgumentException with the text and what is expected, without naming the key
     */
    public static Duration parse(String text) {
        String stripped = text.strip();
        Matcher form = FORM.matcher(stripped);
        if (!form.matches()) {
            boolean bare = NUMBER.matcher(stripped).matches();
            throw new IllegalArgumentException(
                    "\"" + text + "\"" + (bare ? " has no unit" : "") + "; expected " + EXPECTED);
        }
        BigDecimal nanos = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(NANOS.get(form.group(2))));
        try {
            return Duration.ofNanos(nanos.longValueExact());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is out of range; expected whole nanoseconds, at most 292 years", e);
        }
    }

    /**
     * Reads a duration within bounds, both included.
     *
     * @throws IllegalArgumentException with the text and what is expected, without naming the key
     */
    public static Duration parse(String text, Duration least, Duration most) {
        Duration value = parse(text);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is out of range; allowed: " + print(least) + " to " + print(most));
        }
        return value;
    }

    /** The shortest exact form, which {@link #parse} reads back: {@code 2h}, {@code 90s}, {@code 250ms}, {@code 10us}. */
    public static String print(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos % NANOS.get("h") == 0 && nanos != 0) {
            return nanos / NANOS.get("h") + "h";
        }
        for (String unit : new String[] {"s", "ms", "us"}) {
            if (nanos % NANOS.get(unit) == 0) {
                return nanos / NANOS.get(unit) + unit;
            }
        }
        return BigDecimal.valueOf(nanos, 3).toPlainString() + "us";
    }
}
