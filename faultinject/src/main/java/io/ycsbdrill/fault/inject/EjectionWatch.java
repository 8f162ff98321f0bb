package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.node.EndedProcess;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Starts a node that the cluster has ejected: it ends itself some time after it was left alone, and then somebody has to start it.
 * Owned by {@code fault-injector}.
 */
final class EjectionWatch {
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

    /** To be called while the node is out; why it could not be started, empty when that is not so. */
    Optional<String> poll(long now) {
        if (!check.isDone() || now - checkedAt < EndedProcess.EVERY.toNanos()) {
            return Optional.empty();
        }
        try {
            check.join();
        } catch (CompletionException e) {
            return Optional.of(NodeControlException.reason(e.getCause()));
        }
        checkedAt = now;
        check = world.submit(() -> {
            boolean down = world.controller.status().stream()
                    .anyMatch(s -> s.id().equals(node.id()) && s.state().needsStart());
            if (down) {
                fault.startAgain(world.controller, node);
            }
        });
        return Optional.empty();
    }
}
