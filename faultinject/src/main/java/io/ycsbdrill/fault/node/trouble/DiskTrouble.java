package io.ycsbdrill.fault.node.trouble;

import java.time.Duration;
import java.util.Locale;

/**
 * What is wrong with a disk. Reads are never affected.
 *
 * @param kind what happens to a call
 * @param latency of {@link Kind#SLOW}: by how much each call is delayed at least; else zero
 * @param jitter of {@link Kind#SLOW}: up to this much more; else zero
 */
public record DiskTrouble(Kind kind, Duration latency, Duration jitter) {

    /** What happens to a call. The order is known to the shim. */
    public enum Kind {
        /** Each write and sync is delayed. */
        SLOW,
        /** Each write and sync waits until the trouble is lifted, and is then done. */
        STALL,
        /** Each write and sync fails with an I/O error (EIO). */
        ERROR,
        /** Each write that makes a file longer fails, as there is no space left (ENOSPC). */
        FULL;

        /** The name of the fault: {@code disk-slow}. */
        public String fault() {
            return "disk-" + name().toLowerCase(Locale.ROOT);
        }
    }

    public DiskTrouble {
        if (latency.isNegative() || jitter.isNegative()) {
            throw new IllegalArgumentException("latency " + latency + " and jitter " + jitter + " cannot be negative");
        }
        if ((kind == Kind.SLOW) == latency.plus(jitter).isZero()) {
            throw new IllegalArgumentException(
                    kind.fault() + (kind == Kind.SLOW ? " needs a latency" : " has no latency"));
        }
    }

    /** A trouble without a latency. */
    public static DiskTrouble of(Kind kind) {
        return new DiskTrouble(kind, Duration.ZERO, Duration.ZERO);
    }
}
