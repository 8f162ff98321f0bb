package io.ycsbdrill.base;

import java.time.Duration;
import java.time.Instant;

/**
 * Pairs the monotonic clock with the wall clock once, at the start of a run. Everything recorded is nanoseconds since run
 * start; a later step of the wall clock changes nothing. Immutable and thread-safe.
 *
 * @param clock the monotonic source
 * @param originNanos the source's reading at run start
 * @param originWall the wall-clock time at run start
 */
public record RunClock(NanoClock clock, long originNanos, Instant originWall) {

    /** Starts now, on the system's clocks. */
    public static RunClock startingNow() {
        return new RunClock(NanoClock.SYSTEM, System.nanoTime(), Instant.now());
    }

    /** Nanoseconds since run start, now. */
    public long now() {
        return clock.nanoTime() - originNanos;
    }

    /** Nanoseconds since run start of a reading of the monotonic source; negative when it was before the start. */
    public long sinceStart(long nanoTime) {
        return nanoTime - originNanos;
    }

    /** The wall-clock time of a moment of the run. */
    public Instant wall(long sinceStartNanos) {
        return originWall.plus(Duration.ofNanos(sinceStartNanos));
    }
}
