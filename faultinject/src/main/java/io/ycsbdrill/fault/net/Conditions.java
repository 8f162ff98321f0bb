package io.ycsbdrill.fault.net;

import java.util.List;

/** What the disturbances in force amount to, for new connections and for each stream. Immutable. */
record Conditions(boolean cut, Stream toServer, Stream toClient) {
    static final Conditions FREE = of(List.of());

    /**
     * What is done to one stream.
     *
     * @param blackhole whether nothing passes
     * @param latencyNanos least delay
     * @param jitterNanos up to this much more
     * @param bytesPerSecond {@link Long#MAX_VALUE} when it is not throttled
     */
    record Stream(boolean blackhole, long latencyNanos, long jitterNanos, long bytesPerSecond) {
        boolean delayed() {
            return latencyNanos > 0 || jitterNanos > 0;
        }

        boolean throttled() {
            return bytesPerSecond != Long.MAX_VALUE;
        }

        boolean free() {
            return !blackhole && !delayed() && !throttled();
        }
    }

    static Conditions of(List<Disturbance> inForce) {
        return new Conditions(
                inForce.stream().anyMatch(d -> d instanceof Disturbance.Cut),
                stream(inForce, Direction.TO_SERVER),
                stream(inForce, Direction.TO_CLIENT));
    }

    private static Stream stream(List<Disturbance> inForce, Direction stream) {
        boolean blackhole = false;
        long latency = 0;
        long jitter = 0;
        long rate = Long.MAX_VALUE;
        for (Disturbance each : inForce) {
            if (each instanceof Disturbance.Blackhole b && b.direction().covers(stream)) {
                blackhole = true;
            } else if (each instanceof Disturbance.Delay d && d.direction().covers(stream)) {
                latency += d.latency().toNanos();
                jitter += d.jitter().toNanos();
            } else if (each instanceof Disturbance.Throttle t && t.direction().covers(stream)) {
                rate = Math.min(rate, t.bytesPerSecond());
            }
        }
        return new Stream(blackhole, latency, jitter, rate);
    }

    Stream of(Direction stream) {
        return stream == Direction.TO_SERVER ? toServer : toClient;
    }
}
