package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.EngineObserved;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.inject.InjectionContext.Seen;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks for the effect of one fault on one node, from the request of the fault on until it is seen. Owned by {@code fault-injector}.
 */
final class EffectProbe {
    private static final Duration EVERY = Duration.ofMillis(100);

    private final InjectionContext world;
    private final Fault fault;
    private final NodeInfo node;
    private final EngineObserved downBefore;
    private Optional<Seen> seen = Optional.empty();
    private CompletableFuture<Seen> look = new CompletableFuture<>();
    private String last = "nothing yet";
    private long nextAt;
    private boolean injected;

    EffectProbe(InjectionContext world, Fault fault, NodeInfo node) {
        this.world = world;
        this.fault = fault;
        this.node = node;
        downBefore = world.lastDown(node.id());
        look.cancel(false);
    }

    /** When the effect was seen, and how; empty as long as it was not. */
    Optional<Seen> poll(long now) {
        if (fault.showsWhenInjected() && !injected) {
            return Optional.empty();
        }
        seen = seen.or(this::reported).or(this::answered);
        // A starved node is stopped most of the time, which is not the work of a command; only the engine can say that.
        boolean stopSaysNothing = fault.provenByNodeDown() && fault.leadsTo().isEmpty() && world.starved(node.id());
        if (seen.isEmpty() && !stopSaysNothing && look.isDone() && now >= nextAt) {
            nextAt = now + EVERY.toNanos();
            look = world.look(() -> fault.look(world.controller, node, world.context));
            seen = answered();
        }
        return seen;
    }

    /** What {@link #poll} answered at last. */
    Optional<Seen> seen() {
        return seen;
    }

    /** The injection is confirmed: the next look need not wait. */
    void hurry() {
        injected = true;
        nextAt = 0;
    }

    /** What the last look found instead of the effect. */
    String last() {
        return last;
    }

    private Optional<Seen> reported() {
        EngineObserved down = world.lastDown(node.id());
        return !fault.provenByNodeDown() || down == null || down == downBefore
                ? Optional.empty()
                : Optional.of(
                        new Seen(down.atNanos(), new Sight(true, "reported by " + down.source() + ": " + down.text())));
    }

    private Optional<Seen> answered() {
        if (!look.isDone() || look.isCancelled()) {
            return Optional.empty();
        }
        if (look.isCompletedExceptionally()) {
            last = look.handle((found, failure) -> TargetRun.reason(failure.getCause()))
                    .join();
            return Optional.empty();
        }
        last = look.join().sight().text();
        return look.join().sight().effect() ? Optional.of(look.join()) : Optional.empty();
    }
}
