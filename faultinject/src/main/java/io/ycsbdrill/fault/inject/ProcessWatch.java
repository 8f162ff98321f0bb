package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.inject.InjectionContext.Seen;
import io.ycsbdrill.fault.node.EndedProcess;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks whether the process of a node that was started has ended: such a node does not recover, and no phase of it says so. Owned by
 * {@code fault-injector}.
 */
final class ProcessWatch {
    private final InjectionContext world;
    private final EndedProcess process;
    private CompletableFuture<Seen> look = CompletableFuture.failedFuture(new IllegalStateException("none yet"));
    private long lookedAt;

    private ProcessWatch(InjectionContext world, EndedProcess process) {
        this.world = world;
        this.process = process;
    }

    /** A watch on a node's process; empty when nodes of this cluster cannot be started. */
    static Optional<ProcessWatch> of(InjectionContext world, NodeInfo node) {
        return world.controller
                .capability(Startable.class)
                .map(nodes -> new ProcessWatch(world, new EndedProcess(() -> nodes.ended(node.id()))));
    }

    /** How it has ended; empty while that is not known. */
    Optional<String> poll(long now) {
        if (!look.isDone() || now - lookedAt < EndedProcess.EVERY.toNanos()) {
            return Optional.empty();
        }
        if (!look.isCompletedExceptionally() && look.join().sight().effect()) {
            return Optional.of(look.join().sight().text());
        }
        lookedAt = now;
        look = world.look(() -> {
            Optional<String> ended = process.ask();
            return new Sight(ended.isPresent(), ended.orElse("it has a process"));
        });
        return Optional.empty();
    }
}
