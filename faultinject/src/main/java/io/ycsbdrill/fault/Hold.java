package io.ycsbdrill.fault;

import java.time.Duration;

/**
 * How long a fault lasts between its two halves.
 *
 * @param atLeast not negative; counted from the confirmed injection
 * @param untilHandled whether it lasts also until the surviving nodes have handled the failure, at most
 *     {@link #HANDLING_BOUND} from the confirmed injection
 */
public record Hold(Duration atLeast, boolean untilHandled) {

    /** How long an engine may take to report that the survivors have handled a failure. */
    public static final Duration HANDLING_BOUND = Duration.ofSeconds(60);

    public Hold {
        if (atLeast.isNegative()) {
            throw new IllegalArgumentException("hold " + atLeast + " is negative");
        }
    }
}
