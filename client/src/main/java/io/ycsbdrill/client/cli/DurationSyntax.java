package io.ycsbdrill.client.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as typed: a number and a unit, {@code 100ms}, {@code 0.5s}, {@code 10m}, {@code 2h}. */
final class DurationSyntax {
    /** What is accepted, for messages. */
    static final String EXPECTED = "a number with a unit: 100ms, 10s, 5m or 2h";

    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");
    private static final Map<String, Long> NANOS =
            Map.of("ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

    private DurationSyntax() {}

    /** @throws IllegalArgumentException saying what is expected, without naming the option */
    static Duration parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + EXPECTED);
        }
        BigDecimal nanos = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(NANOS.get(form.group(2))));
        try {
            return Duration.ofNanos(nanos.longValueExact());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("\"" + text + "\" is longer or finer than can be measured", e);
        }
    }

    /** The shortest exact way to write it: {@code 90s}, {@code 250ms}. */
    static String print(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
