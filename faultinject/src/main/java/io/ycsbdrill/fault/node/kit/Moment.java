package io.ycsbdrill.fault.node.kit;

import java.time.Duration;
import java.time.Instant;

/**
 * A moment by both clocks. Immutable.
 *
 * @param nanos on the scale of {@link System#nanoTime()}
 * @param wall the same moment as wall-clock time
 */
public record Moment(long nanos, Instant wall) {

    /** This one. */
    public static Moment now() {
        return new Moment(System.nanoTime(), Instant.now());
    }

    /** The later one of two; the first when they are the same. */
    public static Moment latest(Moment a, Moment b) {
        return a.nanos - b.nanos >= 0 ? a : b;
    }

    /** Whether this one is earlier. */
    public boolean before(Moment other) {
        return nanos - other.nanos < 0;
    }

    /** The moment of that wall-clock time, by the difference of the two clocks in this one. */
    public Moment at(Instant time) {
        return new Moment(nanos - Duration.between(time, wall).toNanos(), time);
    }
}
