package io.ycsbdrill.base;

/**
 * Text of foreign origin (files, servers, hosts) as it may be printed: what would move the cursor, change colours, ring, hide text or
 * turn its direction is written out as <code>&#92;u001b</code>. Stateless.
 */
public final class PlainText {
    /** More characters of one line than anybody reads. */
    public static final int LONGEST = 2_000;
    /** More problems of one file than anybody corrects at once. */
    public static final int MOST_PROBLEMS = 20;

    private PlainText() {}

    /** The text with its ends of lines and tabs as they are, and all other control characters written out. */
    public static String of(String text) {
        return escaped(text, "\n\t");
    }

    /** The text as one line: ends of lines are written out, too. */
    public static String line(String text) {
        return escaped(text, "\t");
    }

    /** A JSON document whose texts are plain for whoever shows them. */
    public static String inJson(String json) {
        StringBuilder plain = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            boolean escape = c == '\\' && i + 1 < json.length();
            if (escape
                    && json.charAt(i + 1) == 'u'
                    && i + 6 <= json.length()
                    && controls((char) Integer.parseInt(json, i + 2, i + 6, 16), "\n\t\r")) {
                plain.append("\\\\").append(json, i + 1, i + 6);
                i += 5;
            } else if (escape) {
                plain.append(c).append(json.charAt(++i));
            } else if (controls(c, "\n\t\r")) {
                plain.append(Formatted.of("\\\\u%04x", (int) c));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    /** At most {@link #LONGEST} characters of each line, and how many more there are. */
    public static String bounded(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        StringBuilder bounded = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            bounded.append(bounded.isEmpty() ? "" : "\n");
            int end = Math.min(LONGEST, line.length());
            // Never half of a pair.
            end -= end < line.length() && Character.isHighSurrogate(line.charAt(end - 1)) ? 1 : 0;
            bounded.append(line, 0, end);
            if (end < line.length()) {
                bounded.append(Formatted.of("… (%,d more characters)", line.length() - end));
            }
        }
        return bounded.toString();
    }

    /** The beginning of a text, with dots where it was cut. */
    public static String shortened(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }

    static String escaped(String text, String kept) {
        int first = 0;
        while (first < text.length() && !controls(text.charAt(first), kept)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean end = c == '\r' && kept.indexOf('\n') >= 0 && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (end || !controls(c, kept)) {
                plain.append(c);
            } else {
                plain.append(Formatted.of("\\u%04x", (int) c));
            }
        }
        return plain.toString();
    }

    /** C0, DEL and C1; marks, overrides and isolates of direction; characters without width; separators of lines. */
    private static boolean controls(char c, String kept) {
        if (c < 0x7f) {
            return c < ' ' && kept.indexOf(c) < 0;
        }
        return c <= 0x9f
                || c == 0xad
                || c == 0x61c
                || c >= 0x200b && c <= 0x200f
                || c >= 0x2028 && c <= 0x202e
                || c >= 0x2060 && c <= 0x206f
                || c == 0xfeff;
    }
}
