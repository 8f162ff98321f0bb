package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Starts a node that the cluster has ejected: it ends itself some time after it was left alone, and then somebody has to start it.
 * Owned by {@code fault-injector}.
 */
final class EjectionWatch {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final InjectionContext world;
    private final NodeInfo node;
    private final Fault fault;
    private CompletableFuture<Long> check = CompletableFuture.completedFuture(0L);
    private long checkedAt;

    EjectionWatch(InjectionContext world, NodeInfo node, Fault fault) {
        this.fault = fault;
        this.world = world;
        this.node = node;
    }

    /** To be called while the node is out; false when it could not be started. */
    boolean poll(long now) {
        if (!check.isDone() || now - checkedAt < EVERY.toNanos()) {
            return true;
        }
        if (check.isCompletedExceptionally()) {
            return false;
        }
        checkedAt = now;
        check = world.submit(() -> {
            boolean down = world.controller.status().stream()
                    .anyMatch(s -> s.id().equals(node.id()) && s.state().needsStart());
            if (down) {
                fault.startAgain(world.controller, node);
            }
        });
        return true;
    }
}
