package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.HostedProcess;
import io.ycsbdrill.fault.inventory.HostedProcess.Seen;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.kit.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A server on another host, whose process is looked for twice a second over one connection. A host that does not answer says nothing of
 * it. What an answer shows is dated by the moment at which its question was sent. Thread-safe; the asking thread is {@code
 * declared-host-ID}.
 */
final class HostedView implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final long EVERY_MILLIS = 500;
    /** After so long without an answer nothing is known any more. */
    static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** From one proof that there is no process to the next: each is a connection of its own. */
    private static final long PROOF_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String id;
    private final HostedProcess host;
    private final Supplier<Optional<Boolean>> proof;
    private volatile ProcessSight sight = new ProcessSight(Optional.empty(), Moment.now(), Moment.now(), false);
    private volatile boolean closed;
    /** When it was asked for last; owned by the asking thread. */
    private Optional<Moment> proven = Optional.empty();

    HostedView(Inventory inventory, HostedNode node) {
        this.id = node.id();
        this.host = new HostedProcess(node);
        this.proof = () -> inventory.isProvenDown(id);
    }

    /** Begins to ask; to be called once. */
    void begin() {
        Daemon.thread(this::loop, "declared-host-" + id).start();
    }

    private void loop() {
        while (!closed) {
            try {
                sight = next(sight, host.look(BOUND), Moment.now(), this::isProven);
            } catch (RuntimeException e) {
                sight = unseen(sight, Moment.now()); // what is no answer
            }
            try {
                Thread.sleep(EVERY_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Empty when that was asked a moment ago, or is not answered. */
    private Optional<Boolean> isProven() {
        Moment now = Moment.now();
        if (proven.isPresent() && now.nanos() - proven.get().nanos() < PROOF_NANOS) {
            return Optional.empty();
        }
        proven = Optional.of(now);
        return proof.get();
    }

    /**
     * What is known after a look.
     *
     * @param seen empty when the host did not answer
     * @param proof asks whether there surely is no process where none is seen; empty when that is not answered now
     */
    static ProcessSight next(ProcessSight before, Optional<Seen> seen, Moment now, Supplier<Optional<Boolean>> proof) {
        if (seen.isEmpty()) {
            return unseen(before, now);
        }
        Moment asked = earlier(now, now.nanos() - seen.get().askedNanos());
        Optional<NodeUse> use = seen.get().use();
        if (use.isPresent()) {
            Moment begun = earlier(asked, (long) (use.get().ageSeconds() * 1e9));
            return new ProcessSight(use.map(NodeUse::process), asked, begun, true);
        }
        if (seen.get().ended()) {
            return new ProcessSight(Optional.empty(), asked);
        }
        // A pid file that is not there says nothing of a process that is known, and has not ended.
        if (seen.get().none() && before.process().isEmpty()) {
            return proof.get().orElse(before.known())
                    ? new ProcessSight(Optional.empty(), asked)
                    : new ProcessSight(Optional.empty(), before.at(), before.begun(), false);
        }
        return unseen(before, now);
    }

    private static Moment earlier(Moment than, long nanos) {
        return new Moment(than.nanos() - nanos, than.wall().minusNanos(nanos));
    }

    private static ProcessSight unseen(ProcessSight before, Moment now) {
        boolean recent = now.nanos() - before.at().nanos() < UNKNOWN_NANOS;
        return new ProcessSight(before.process(), before.at(), before.begun(), before.known() && recent);
    }

    /** What was seen last. */
    ProcessSight sight() {
        return sight;
    }

    @Override
    public void close() {
        closed = true;
        host.close();
    }
}
