package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.inject.InjectionContext.Seen;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultEffective;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks for the effect of one fault on one node, from the request of the fault on until it is proven. Owned by {@code fault-injector}.
 */
final class EffectProbe {
    private static final Duration EVERY = Duration.ofMillis(100);

    private final InjectionContext world;
    private final Fault fault;
    private final Occurrence of;
    private final NodeInfo node;
    private final long beganAt;
    private final EngineObserved downBefore;
    private Optional<Seen> seen = Optional.empty();
    private CompletableFuture<Seen> look = new CompletableFuture<>();
    private String last = "nothing yet";
    private long nextAt;
    private boolean injected;
    private boolean proven;
    private long provenAt;

    EffectProbe(InjectionContext world, Fault fault, Occurrence of, NodeInfo node, long beganAt) {
        this.world = world;
        this.fault = fault;
        this.of = of;
        this.node = node;
        this.beganAt = beganAt;
        downBefore = world.lastDown(node.id());
        look.cancel(false);
    }

    /** Whether the effect was seen, and written down. */
    boolean proven() {
        return proven;
    }

    /** When it was seen; 0 while it was not. */
    long provenAt() {
        return provenAt;
    }

    /** What the last look found instead of the effect. */
    String last() {
        return last;
    }

    /**
     * Looks. What was seen while the injection is under way is written down once it is known when that was confirmed, as the two come
     * from two threads: only then are they in order of time. What is seen after this poll has begun is for the next one: whatever else
     * begins in this one begins before.
     *
     * @param injecting whether the injection is under way
     */
    void poll(long now, boolean injecting) {
        if (!proven) {
            Optional<Seen> found = look(now).filter(sight -> sight.atNanos() <= now);
            if (!injecting) {
                found.ifPresent(this::prove);
            }
        }
    }

    /** The injection is confirmed: what was seen before that is written down, and the next look need not wait. */
    void confirmed(long at) {
        injected = true;
        nextAt = 0;
        proveBefore(at);
    }

    /** Writes down what was seen before then. */
    void proveBefore(long at) {
        if (!proven) {
            seen.filter(sight -> sight.atNanos() < at).ifPresent(this::prove);
        }
    }

    private void prove(Seen sight) {
        proven = true;
        provenAt = Math.max(sight.atNanos(), beganAt);
        world.emit(new FaultEffective(provenAt, node.id(), of, sight.sight().text()));
    }

    private Optional<Seen> look(long now) {
        if (fault.showsWhenInjected() && !injected) {
            return Optional.empty();
        }
        seen = seen.or(this::reported).or(this::answered);
        // A starved node is stopped most of the time, which is not the work of a command; only the engine can say that.
        boolean stopSaysNothing = fault.provenByNodeDown() && fault.leadsTo().isEmpty() && world.looksPaused(node.id());
        if (seen.isEmpty() && !stopSaysNothing && look.isDone() && now >= nextAt) {
            nextAt = now + EVERY.toNanos();
            look = world.look(() -> fault.look(world.controller, node, world.context));
            seen = answered();
        }
        return seen;
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
            last = look.handle((found, failure) -> NodeControlException.reason(failure.getCause()))
                    .join();
            return Optional.empty();
        }
        last = look.join().sight().text();
        return look.join().sight().effect() ? Optional.of(look.join()) : Optional.empty();
    }
}
