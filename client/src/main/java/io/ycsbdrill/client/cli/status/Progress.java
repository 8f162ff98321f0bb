package io.ycsbdrill.client.cli.status;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a run is.
 *
 * @param operations in all; 0 = no limit by count
 * @param limit longest time; empty = no limit by time
 */
record Progress(long operations, Optional<Duration> limit) {

    /** From 0 to 1. */
    double fraction(long done, double elapsedSeconds) {
        double byCount = operations == 0 ? 0 : (double) done / operations;
        double byTime = limit.map(l -> elapsedSeconds / seconds(l)).orElse(0.0);
        return Math.min(1, Math.max(byCount, byTime));
    }

    /** What a bar counts up to: operations, else seconds; -1 when the run has no end of its own, as a drill. */
    long total() {
        return operations > 0
                ? operations
                : limit.map(l -> Math.max(1, l.toSeconds())).orElse(-1L);
    }

    /** How much of {@link #total} is reached; operations when there is none. */
    long reached(long done, double elapsedSeconds) {
        return total() < 0 ? done : Math.round(total() * fraction(done, elapsedSeconds));
    }

    /** What is left at the pace so far; empty before anything is done. */
    Optional<Duration> left(long done, double elapsedSeconds) {
        double byCount = operations == 0 || done == 0
                ? Double.POSITIVE_INFINITY
                : elapsedSeconds * Math.max(0, operations - done) / done;
        double byTime = limit.map(l -> seconds(l) - elapsedSeconds).orElse(Double.POSITIVE_INFINITY);
        double left = Math.max(0, Math.min(byCount, byTime));
        return left == Double.POSITIVE_INFINITY ? Optional.empty() : Optional.of(Duration.ofSeconds(Math.round(left)));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
