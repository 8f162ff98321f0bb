package io.ycsbdrill.base;

import java.util.Locale;

/** Text with numbers in it that is the same on every machine, whatever its language: {@code 1,234.5}. Stateless. */
public final class Formatted {
    private Formatted() {}

    /**
     * The values in their places.
     *
     * @param format as of {@link java.util.Formatter}
     */
    public static String of(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
