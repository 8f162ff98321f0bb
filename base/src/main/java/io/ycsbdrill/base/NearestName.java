package io.ycsbdrill.base;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. Stateless. */
public final class NearestName {
    private NearestName() {}

    /** The known name with the fewest edits from the typed one, if they are few for its length. */
    public static Optional<String> of(String typed, Collection<String> known) {
        return of(typed, known, Math.max(1, typed.length() / 3));
    }

    /** The known name at most {@code bound} edits (insertion, deletion, exchange, swap of neighbours) away, without regard to case. */
    public static Optional<String> of(String typed, Collection<String> known, int bound) {
        String lower = typed.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(name -> edits(lower, name.toLowerCase(Locale.ROOT)) <= bound)
                .min(Comparator.<String>comparingInt(name -> edits(lower, name.toLowerCase(Locale.ROOT)))
                        // A first letter is rarely mistyped.
                        .thenComparing(name -> !name.regionMatches(true, 0, typed, 0, 1))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** {@code ; did you mean "x"?}, or nothing. */
    public static String hint(String typed, Collection<String> known) {
        return of(typed, known).map(name -> "; did you mean \"" + name + "\"?").orElse("");
    }

    /** The hint, followed by the list of everything that is allowed. */
    public static String hintOf(String typed, Collection<String> allowed) {
        return hint(typed, allowed) + "; allowed: " + (allowed.isEmpty() ? "none" : String.join(", ", allowed));
    }

    private static int edits(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int exchange = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(d[i - 1][j - 1] + exchange, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
