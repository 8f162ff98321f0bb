package io.ycsbdrill.experiment.spec;

import java.util.Locale;

/** In which order the cells are run. */
public enum Order {
    /**
     * Every repeat is a block of all variants; each second block is reversed (ABBA), so that a slow drift hits all variants alike; what
     * comes back every few runs does not.
     */
    INTERLEAVED,
    /** All repeats of a variant, then those of the next one. */
    SEQUENTIAL,
    /** Every repeat is a block of all variants in an order that is drawn by the seed, each variant as often at each position. */
    RANDOM;

    /** As in a file: {@code interleaved}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
