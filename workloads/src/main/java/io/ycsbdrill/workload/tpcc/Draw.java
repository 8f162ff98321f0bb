package io.ycsbdrill.workload.tpcc;

import java.util.SplittableRandom;

/** Random inputs and texts of the specification (TPC-C 2.1.6, 4.3.2), reproducible from a seed. Owned by one thread. */
final class Draw {
    private static final String[] SYLLABLES = {
        "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
    };
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    private final SplittableRandom random;

    Draw(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A whole number from min to max, both included. */
    int number(int min, int max) {
        return random.nextInt(min, max + 1);
    }

    /** NURand: some numbers are much more likely than others. */
    int skewed(int a, int c, int min, int max) {
        return ((number(0, a) | number(min, max)) + c) % (max - min + 1) + min;
    }

    boolean percent(int share) {
        return random.nextInt(100) < share;
    }

    String text(int min, int max) {
        int length = number(min, max);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    String digits(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        return text.toString();
    }

    /** S_DATA and I_DATA: a tenth of them says ORIGINAL somewhere. */
    String data() {
        String text = text(26, 50);
        if (!percent(10)) {
            return text;
        }
        int at = number(0, text.length() - 8);
        return text.substring(0, at) + "ORIGINAL" + text.substring(at + 8);
    }

    /** The last name of that number, 0 to 999. */
    static String lastName(int number) {
        return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
    }

    /** Another number for each seed, well mixed (SplitMix64). */
    static long mix(long seed) {
        long z = seed + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
