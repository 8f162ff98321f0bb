package io.ycsbdrill.fault.inject;

import java.time.Duration;
import java.util.List;

/** The clients' throughput, for the steady-state gate. Called on the thread {@code fault-injector}. */
@FunctionalInterface
public interface ThroughputSource {

    /** Successful operations of each of the newest complete 100 ms slices, oldest first, at most {@code length} of them. */
    List<Long> recentSlices(Duration length);
}
