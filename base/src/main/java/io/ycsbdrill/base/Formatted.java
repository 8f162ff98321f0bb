package io.ycsbdrill.base;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text with numbers in it that is the same on every machine, whatever its language: {@code 1,234.5}. Stateless. */
public final class Formatted {
    private static final Pattern CHOICE = Pattern.compile("(?<![0-9.,])([0-9,]+) \\{([^{}|]*)\\|([^{}|]*)}");

    private Formatted() {}

    /**
     * The values in their places, and of <code>%d {call was|calls were}</code> what goes with the number.
     *
     * @param format as of {@link java.util.Formatter}
     */
    public static String of(String format, Object... values) {
        String text = String.format(Locale.ROOT, format, values);
        return format.contains("d {")
                ? CHOICE.matcher(text)
                        .replaceAll(found -> Matcher.quoteReplacement(found.group(1) + " "
                                + found.group(found.group(1).equals("1") ? 2 : 3)))
                : text;
    }
}
