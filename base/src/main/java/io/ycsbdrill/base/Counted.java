package io.ycsbdrill.base;

/** Numbers of things in words. */
public final class Counted {
    private Counted() {}

    /** {@code 1 node}, {@code 3 nodes}: of a noun whose plural has only an s more at its end. */
    public static String of(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** {@code 1 row was}, {@code 1,200 rows were}. */
    public static String of(long count, String one, String several) {
        return Formatted.of("%,d %s", count, count == 1 ? one : several);
    }
}
