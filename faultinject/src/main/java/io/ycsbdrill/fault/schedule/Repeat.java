package io.ycsbdrill.fault.schedule;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How often a step is injected.
 *
 * @param every time from one injection to the next, which always waits until the nodes of the one before have recovered
 * @param count 1 to 1000; empty: once per data node
 */
public record Repeat(Duration every, OptionalInt count) {

    /** The most injections of one step. */
    public static final int MOST = 1000;

    /** Just once. */
    public static final Repeat ONCE = new Repeat(Duration.ZERO, OptionalInt.of(1));

    public Repeat {
        Rules.notNegative("every", every);
        if (count.isPresent() && (count.getAsInt() < 1 || count.getAsInt() > MOST)) {
            throw new IllegalArgumentException("count " + count.getAsInt() + " is not within 1 to " + MOST);
        }
    }

    /** How many injections that is on a cluster of this many data nodes. */
    public int times(int nodes) {
        return count.orElse(nodes);
    }
}
