package io.ycsbdrill.fault.schedule;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
final class Names {

    private Names() {}

    /** What is allowed, with the nearest name first if there is one near. */
    static String hint(String typed, Collection<String> allowed) {
        String list = "; allowed: " + (allowed.isEmpty() ? "none" : String.join(", ", allowed));
        return nearest(typed, allowed).map(n -> "; did you mean \"" + n + "\"?").orElse("") + list;
    }

    static Optional<String> nearest(String typed, Collection<String> allowed) {
        String lower = typed.toLowerCase(Locale.ROOT);
        return allowed.stream()
                .filter(name -> edits(lower, name.toLowerCase(Locale.ROOT)) <= Math.max(1, lower.length() / 3))
                .min(Comparator.comparingInt(name -> edits(lower, name.toLowerCase(Locale.ROOT))));
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int exchange = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchange, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
