package io.ycsbdrill.fault.net;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What a proxy does to the connections through it. Immutable; several may be in force at once. */
public sealed interface Disturbance {

    /** The name in drill files: {@code delay}. */
    default String name() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Whether it is over as soon as it is done, so that there is nothing to lift. */
    default boolean momentary() {
        return false;
    }

    /** The streams that feel it. */
    default Direction direction() {
        return Direction.BOTH;
    }

    /** What becomes of the connections there are when it begins. */
    default Fate existing() {
        return Fate.KEPT;
    }

    /** What it alone amounts to, for a stream that feels it. */
    default Conditions conditions() {
        return Conditions.FREE;
    }

    /** Whether the traces show its effect. */
    Sight seenIn(Traces traces);

    /** What becomes of a connection. */
    enum Fate {
        KEPT,
        CLOSED,
        /** Closed with a TCP RST. */
        RESET
    }

    /**
     * What the disturbances in force amount to, for one stream.
     *
     * @param refused whether new connections are closed at once
     * @param blackhole whether nothing passes
     * @param latencyNanos least delay
     * @param jitterNanos up to this much more
     * @param bytesPerSecond {@link Long#MAX_VALUE} when it is not throttled
     */
    record Conditions(boolean refused, boolean blackhole, long latencyNanos, long jitterNanos, long bytesPerSecond) {
        private static final long UNLIMITED = Long.MAX_VALUE;
        static final Conditions FREE = new Conditions(false, false, 0, 0, UNLIMITED);

        static Conditions of(List<Disturbance> inForce, Direction stream) {
            Conditions all = FREE;
            for (Disturbance each : inForce) {
                all = each.direction().covers(stream) ? all.and(each.conditions()) : all;
            }
            return all;
        }

        private Conditions and(Conditions other) {
            return new Conditions(
                    refused || other.refused,
                    blackhole || other.blackhole,
                    latencyNanos + other.latencyNanos,
                    jitterNanos + other.jitterNanos,
                    Math.min(bytesPerSecond, other.bytesPerSecond));
        }

        boolean delayed() {
            return latencyNanos > 0 || jitterNanos > 0;
        }

        boolean throttled() {
            return bytesPerSecond != UNLIMITED;
        }

        boolean free() {
            return !blackhole && !delayed() && !throttled();
        }
    }

    /** Closes every connection, and each new one as soon as it is accepted: a server that is gone. */
    record Cut() implements Disturbance {
        @Override
        public Fate existing() {
            return Fate.CLOSED;
        }

        @Override
        public Conditions conditions() {
            return new Conditions(true, false, 0, 0, Conditions.UNLIMITED);
        }

        @Override
        public Sight seenIn(Traces traces) {
            return new Sight(
                    traces.endedConnections() + traces.refusedConnections() > 0,
                    "connections closed: " + traces.endedConnections() + ", refused: " + traces.refusedConnections());
        }
    }

    /** Resets every connection there is (TCP RST), once; new ones are let through: a firewall that has lost its state. */
    record Reset() implements Disturbance {
        @Override
        public boolean momentary() {
            return true;
        }

        @Override
        public Fate existing() {
            return Fate.RESET;
        }

        @Override
        public Sight seenIn(Traces traces) {
            return new Sight(traces.endedConnections() > 0, "connections reset: " + traces.endedConnections());
        }
    }

    /**
     * Blocks everything, both bytes and the ends of connections; new connections are accepted and receive nothing: a
     * network that drops packets. What was held back is delivered, in order, when it is lifted.
     */
    record Blackhole(Direction direction) implements Disturbance {
        public Blackhole {
            Objects.requireNonNull(direction, "direction");
        }

        @Override
        public Conditions conditions() {
            return new Conditions(false, true, 0, 0, Conditions.UNLIMITED);
        }

        @Override
        public Sight seenIn(Traces traces) {
            return new Sight(traces.bytesHeld() > 0, "bytes held back: " + traces.bytesHeld());
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
                throw new IllegalArgumentException("latency " + latency + " with jitter " + jitter + " adds no delay");
            }
        }

        @Override
        public Conditions conditions() {
            return new Conditions(false, false, latency.toNanos(), jitter.toNanos(), Conditions.UNLIMITED);
        }

        @Override
        public Sight seenIn(Traces traces) {
            long longest = traces.longestDelayNanos();
            return new Sight(
                    longest > 0 && longest >= latency.toNanos(),
                    Formatted.of("longest delay of a byte: %.1f ms", longest / 1e6));
        }
    }

    /**
     * Limits each connection to so many bytes a second; of several limits the lowest applies.
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
        public Conditions conditions() {
            return new Conditions(false, false, 0, 0, bytesPerSecond);
        }

        @Override
        public Sight seenIn(Traces traces) {
            return new Sight(traces.bytesPaced() > 0, "bytes that had to wait: " + traces.bytesPaced());
        }
    }
}
