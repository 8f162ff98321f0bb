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

    /** Insertions, deletions, exchanges and swaps of neighbours. */
    private static int edits(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int exchange = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(exchange, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
