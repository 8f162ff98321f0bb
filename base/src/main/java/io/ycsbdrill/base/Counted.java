package io.ycsbdrill.base;

/** Numbers of things in words. */
public final class Counted {
    private Counted() {}

    /** {@code 1 node}, {@code 3 nodes}: of a noun whose plural has only an s more at its end. */
    public static String of(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
