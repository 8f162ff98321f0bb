package io.ycsbdrill.fault.net;

import java.time.Duration;
import java.util.Objects;

/** What a proxy does to the connections through it. Immutable; several may be in force at once. */
public sealed interface Disturbance {

    /** The name in drill files: {@code delay}. */
    String name();

    /** Whether it is over as soon as it is done, so that there is nothing to lift. */
    default boolean momentary() {
        return false;
    }

    /** Closes every connection, and each new one as soon as it is accepted: a server that is gone. */
    record Cut() implements Disturbance {
        @Override
        public String name() {
            return "cut";
        }
    }

    /** Resets every connection there is (TCP RST), once; new ones are let through: a firewall that has lost its state. */
    record Reset() implements Disturbance {
        @Override
        public String name() {
            return "reset";
        }

        @Override
        public boolean momentary() {
            return true;
        }
    }

    /**
     * Lets nothing through, neither bytes nor the end of a connection; new connections are accepted and hear nothing: a
     * network that drops packets. What was held back is delivered, in order, when it is lifted.
     */
    record Blackhole(Direction direction) implements Disturbance {
        public Blackhole {
            Objects.requireNonNull(direction, "direction");
        }

        @Override
        public String name() {
            return "blackhole";
        }
    }

    /**
     * Holds everything back for a while; the order is kept. Delays that are in force together add up.
     *
     * @param latency the least time; not negative
     * @param jitter up to this much more, evenly distributed; not negative, and not both zero
     */
    record Delay(Duration latency, Duration jitter, Direction direction) implements Disturbance {
        public Delay {
            Objects.requireNonNull(direction, "direction");
            if (latency.isNegative()
                    || jitter.isNegative()
                    || latency.plus(jitter).isZero()) {
                throw new IllegalArgumentException("latency " + latency + " with jitter " + jitter + " is no delay");
            }
        }

        @Override
        public String name() {
            return "delay";
        }
    }

    /**
     * Lets through so many bytes a second for each connection; of several the lowest counts.
     *
     * @param bytesPerSecond positive
     */
    record Throttle(long bytesPerSecond, Direction direction) implements Disturbance {
        public Throttle {
            Objects.requireNonNull(direction, "direction");
            if (bytesPerSecond <= 0) {
                throw new IllegalArgumentException("rate " + bytesPerSecond + " is not positive");
            }
        }

        @Override
        public String name() {
            return "throttle";
        }
    }
}
