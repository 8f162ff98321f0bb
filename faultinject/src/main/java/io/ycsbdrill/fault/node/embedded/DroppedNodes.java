package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.base.NanoClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long the processes of nodes that the others have dropped are known to be so. Such a node ends itself once it notices; one whose
 * links were mended in the moment in which it was dropped may never, and has to be ended. Thread-safe.
 */
final class DroppedNodes {
    /** A node that notices that it was dropped needs some seconds to end. */
    static final Duration LEAVING = Duration.ofSeconds(20);

    private final NanoClock clock;
    private final Map<Long, Long> since = new ConcurrentHashMap<>();

    DroppedNodes(NanoClock clock) {
        this.clock = clock;
    }

    /** Whether this process of a dropped node had the time to end itself, and has not. */
    boolean overstays(long pid) {
        long now = clock.nanoTime();
        return now - since.computeIfAbsent(pid, p -> now) > LEAVING.toNanos();
    }
}
