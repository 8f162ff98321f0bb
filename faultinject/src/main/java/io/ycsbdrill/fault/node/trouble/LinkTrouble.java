package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.base.Formatted;
import java.time.Duration;
import java.util.Objects;

/** What is wrong with the links of one node: links that are cut, or else its cable, by which it reaches everything. Immutable. */
public sealed interface LinkTrouble
        permits LinkCut,
                LinkTrouble.Loss,
                LinkTrouble.Duplication,
                LinkTrouble.Corruption,
                LinkTrouble.Throttle,
                LinkTrouble.Delay,
                LinkTrouble.Flaky {

    /** What it is, for markers and messages: {@code cut off to and from node2}. */
    String text();

    /**
     * Packets are lost by chance, each for itself, in both directions.
     *
     * @param share of them, above 0 and below 1
     */
    record Loss(double share) implements LinkTrouble {
        public Loss {
            requireShare(share);
        }

        @Override
        public String text() {
            return percent(share) + " of the packets lost";
        }
    }

    /**
     * Packets arrive twice by chance, each for itself, in both directions; a copy may be copied again.
     *
     * @param share of them, above 0 and below 1
     */
    record Duplication(double share) implements LinkTrouble {
        public Duplication {
            requireShare(share);
        }

        @Override
        public String text() {
            return "duplicating " + percent(share) + " of the packets";
        }
    }

    /**
     * A bit of what packets carry is flipped by chance, in both directions, and their checksums are right: the receiver takes them.
     *
     * @param share of them, above 0 and below 1
     */
    record Corruption(double share) implements LinkTrouble {
        public Corruption {
            requireShare(share);
        }

        @Override
        public String text() {
            return "corrupting " + percent(share) + " of the packets";
        }
    }

    private static void requireShare(double share) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and below 1");
        }
    }

    private static String percent(double share) {
        return Formatted.of("%.1f %%", 100 * share);
    }

    /**
     * In each direction not more passes than that; the rest waits, and is lost when too much waits.
     *
     * @param bytesPerSecond positive
     */
    record Throttle(long bytesPerSecond) implements LinkTrouble {
        public Throttle {
            if (bytesPerSecond <= 0) {
                throw new IllegalArgumentException(bytesPerSecond + " bytes/s is not positive");
            }
        }

        @Override
        public String text() {
            return "throttled to " + bytesPerSecond + " bytes/s";
        }
    }

    /**
     * In each direction every packet arrives later.
     *
     * @param latency the least delay, positive
     * @param jitter up to this much more, drawn for each packet; 0 or more
     */
    record Delay(Duration latency, Duration jitter) implements LinkTrouble {
        public Delay {
            if (latency.isNegative() || latency.isZero() || jitter.isNegative()) {
                throw new IllegalArgumentException("latency " + latency + ", jitter " + jitter);
            }
        }

        @Override
        public String text() {
            return "delayed by " + latency.toMillis() + " ms"
                    + (jitter.isZero() ? "" : " and up to " + jitter.toMillis() + " ms more");
        }
    }

    /**
     * The cable is in and out by turns: nothing passes in either direction, then everything does. Each time is between half and one and a
     * half times the mean.
     *
     * @param up mean time in, positive
     * @param down mean time out, positive
     * @param seed the same one gives the same times
     */
    record Flaky(Duration up, Duration down, long seed) implements LinkTrouble {
        public Flaky {
            Objects.requireNonNull(up, "up");
            Objects.requireNonNull(down, "down");
            if (up.isNegative() || up.isZero() || down.isNegative() || down.isZero()) {
                throw new IllegalArgumentException("up " + up + ", down " + down);
            }
        }

        @Override
        public String text() {
            return "cut off by turns, " + up.toMillis() + " ms in and " + down.toMillis() + " ms out on average";
        }
    }
}
