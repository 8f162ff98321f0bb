package io.ycsbdrill.experiment.spec;

import java.time.Duration;

/**
 * When a cell counts; one that does not is {@code NA}, with its reason.
 *
 * @param okShare least share of operations that succeeded, 0 to 1
 * @param rateHeld least share of the offered rate that was reached, 0 to 1; only for cells with a constant rate
 * @param measured least time that is measured after the warm-up
 * @param leastRowsMb megabytes of 1024 x 1024 bytes that the rows of every table must have, so that they are not in the servers' memory;
 *     0 for any. Known beforehand, so nothing is started otherwise
 */
public record Success(double okShare, double rateHeld, Duration measured, long leastRowsMb) {
    /** In less time a client, a cache or a compiler that is still warming up is what is measured. */
    static final Duration LEAST_MEASURED = Duration.ofSeconds(10);

    /** Everything must succeed, as in FaunaDB's published comparison, and an offered rate be held to 5 %. */
    public static final Success ALL = new Success(1, 0.95, LEAST_MEASURED, 0);
    /** For drills, in which operations are meant to fail; how long they have to be depends on their faults. */
    public static final Success ANY = new Success(0, 0, Duration.ZERO, 0);

    /** What applies unless the file says otherwise. */
    static Success standard(Command command) {
        return command == Command.DRILL ? ANY : ALL;
    }
}
