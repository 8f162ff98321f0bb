package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Delay;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Throttle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The queueing disciplines of {@code tc} in which the packets of a troubled link wait. */
final class LinkQueues {
    /** Two packets as the network takes them; larger ones, of which the kernel makes several, are taken apart. */
    private static final long TWO_PACKETS = 3_100;

    private static final int MOMENTS_PER_SECOND = 10;
    private static final int MOMENTS_OF_WAIT = 4;

    private LinkQueues() {}

    /** What {@code tc} puts at each end of the cable; empty when packets are dropped and not kept waiting. */
    static Optional<List<String>> discipline(LinkTrouble trouble) {
        if (trouble instanceof Throttle throttle) {
            long moment = throttle.bytesPerSecond() / MOMENTS_PER_SECOND;
            return Optional.of(List.of(
                    "tbf",
                    "rate",
                    8 * throttle.bytesPerSecond() + "bit",
                    "burst",
                    Long.toString(Math.max(TWO_PACKETS, moment)),
                    "limit",
                    Long.toString(Math.max(TWO_PACKETS, MOMENTS_OF_WAIT * moment))));
        }
        if (trouble instanceof Delay delay) {
            return Optional.of(List.of(
                    "netem",
                    "limit",
                    "1000000",
                    "delay",
                    micros(delay.latency()
                            .plus(delay.jitter().dividedBy(2))), // it may be less by what follows, or more
                    micros(delay.jitter().dividedBy(2))));
        }
        return Optional.empty();
    }

    private static String micros(Duration time) {
        return time.toNanos() / 1000 + "us";
    }
}
