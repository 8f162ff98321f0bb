package io.ycsbdrill.testing;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.node.FakeNodeController;
import java.time.Duration;
import java.util.Optional;

/** Small drills on nodes and tables in memory. */
public final class Drills {
    private Drills() {}

    /** A cluster of three nodes that do what they are told at once. */
    public static DrillClusterBuilder cluster(String store) {
        return DrillCluster.given(new FakeNodeController(NanoClock.SYSTEM, 3))
                .binding(MemoryDb.class)
                .property("store", store);
    }

    /** A crash without a steady state before it. */
    public static Drill crash(DrillCluster cluster) {
        return cluster.drill("crash")
                .step("crash", new RestartNode(StopMode.KILL, Duration.ZERO))
                .steady(Optional.empty())
                .records(100)
                .cooldown(Duration.ofMillis(300));
    }
}
