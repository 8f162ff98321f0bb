package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.StartGate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Coordinates the first client of a run with the others. Thread-safe; no client is notified under the lock. */
final class StartRendezvous implements StartGate, RunCompanion, OtherClient.Listener {
    /** For the message to arrive on a machine that is busy. */
    private static final Duration LEAD = Duration.ofSeconds(2);

    /** Longer than a client may take for its initialisation. */
    private static final long READY_BOUND_NANOS = TimeUnit.MINUTES.toNanos(11);

    /** Counted from the order to end; less than this process has when it is asked to end itself. */
    private static final long END_BOUND_NANOS = TimeUnit.SECONDS.toNanos(50);

    private final String firstName;
    private final Optional<Instant> asked;
    private final Consumer<String> interruptFirst;
    private final List<OtherClient> others = new CopyOnWriteArrayList<>();
    private final Set<OtherClient> ready = new HashSet<>();
    private final Set<OtherClient> over = new HashSet<>();
    private final Set<OtherClient> gone = new HashSet<>();
    private final Set<OtherClient> killed = new HashSet<>();
    private final Set<OtherClient> lost = new HashSet<>();
    private final List<String> reasons = new ArrayList<>();
    private Optional<Instant> start = Optional.empty();
    private long firstReadyNanos;
    private boolean firstReady;
    private String order;
    private long endBy;

    /**
     * @param asked the start, when it is not to be agreed on
     * @param interruptFirst ends the first client's run
     */
    StartRendezvous(String firstName, Optional<Instant> asked, Consumer<String> interruptFirst) {
        this.firstName = firstName;
        this.asked = asked;
        this.interruptFirst = interruptFirst;
    }

    /** One more client takes part. */
    void joined(OtherClient client) {
        String missed;
        synchronized (this) {
            others.add(client);
            missed = order;
        }
        if (missed != null) {
            client.order(missed);
        }
    }

    /** The first client is ready. */
    @Override
    public synchronized void ready() {
        firstReady = true;
        firstReadyNanos = System.nanoTime();
    }

    @Override
    public Optional<Instant> agreed() {
        synchronized (this) {
            if (start.isPresent()) {
                return start;
            }
            if (firstReady && ready.containsAll(others)) {
                start = Optional.of(asked.orElseGet(() -> Instant.now().plus(LEAD)));
            }
        }
        if (start().isPresent()) {
            everybody(ClientProcess.START + start().get());
        } else if (overdueToStart()) {
            stop("the clients were not ready within " + TimeUnit.NANOSECONDS.toMinutes(READY_BOUND_NANOS) + " min");
        }
        return start();
    }

    private synchronized Optional<Instant> start() {
        return start;
    }

    private synchronized boolean overdueToStart() {
        return firstReady && System.nanoTime() - firstReadyNanos > READY_BOUND_NANOS;
    }

    @Override
    public synchronized void ready(OtherClient client) {
        ready.add(client);
    }

    @Override
    public void over(OtherClient client, String state) {
        synchronized (this) {
            over.add(client);
        }
        if (!state.equals(RunResult.State.COMPLETE.name()) && !state.equals(RunResult.State.INVALID.name())) {
            stop(client.name() + " ended early, so all do");
        }
    }

    @Override
    public void exited(OtherClient client, int exitCode) {
        boolean early;
        boolean othersGoOn;
        synchronized (this) {
            gone.add(client);
            early = !over.contains(client);
            othersGoOn = early && client.mayBeLost() && start.isPresent();
            if (othersGoOn && !killed.contains(client)) {
                lost.add(client);
                reasons.add(client.name() + " was lost during the run (" + ClientProcess.ending(exitCode)
                        + "); the others went on");
            } else if (killed.contains(client)) {
                reasons.add(client.name() + " did not end within " + TimeUnit.NANOSECONDS.toSeconds(END_BOUND_NANOS)
                        + " s of being asked to, and was killed");
            } else if (early) {
                reasons.add(client.name() + " ended before it was done (" + ClientProcess.ending(exitCode) + ")");
            }
            notifyAll();
        }
        if (early && !othersGoOn) {
            stop(client.name() + " ended before it was done, so all do");
        }
    }

    @Override
    public void started(RunControl run) {
        // The others start by themselves.
    }

    /** The first client has ended, and what it did to the cluster is over: so do the others. */
    @Override
    public void ended(RunControl run) {
        order(ClientProcess.END);
    }

    /** Ends all clients as incomplete; again has no effect. */
    void stop(String reason) {
        if (order(ClientProcess.STOP + reason.replaceAll("\\s+", " "))) {
            interruptFirst.accept(reason);
        }
    }

    /** The first client's run is over. */
    void firstIsOver(RunResult.State state) {
        if (state == RunResult.State.INCOMPLETE) {
            stop(firstName + " ended early, so all do");
        }
    }

    /** A stop counts after an end, but not the other way round. */
    private boolean order(String line) {
        synchronized (this) {
            boolean stopped = order != null && order.startsWith(ClientProcess.STOP);
            if (stopped || line.equals(order)) {
                return false;
            }
            order = line;
            endBy = System.nanoTime() + END_BOUND_NANOS;
            notifyAll();
        }
        everybody(line);
        return true;
    }

    private void everybody(String line) {
        others.forEach(client -> client.order(line));
    }

    /** Waits until all others have ended; those that were ordered to, and do not, are killed. */
    void awaitOthers() {
        boolean interrupted = false;
        while (!allGone()) {
            try {
                changed();
            } catch (InterruptedException e) {
                interrupted = true;
                stop("the thread that executes the run was interrupted");
            }
            overdue().forEach(OtherClient::kill);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean allGone() {
        return gone.containsAll(others);
    }

    private synchronized void changed() throws InterruptedException {
        if (!allGone()) {
            TimeUnit.SECONDS.timedWait(this, 1);
        }
    }

    private synchronized List<OtherClient> overdue() {
        if (order == null || System.nanoTime() - endBy < 0) {
            return List.of();
        }
        killed.addAll(others);
        killed.removeAll(gone);
        return List.copyOf(killed);
    }

    /** Ends at once what has not ended. */
    void killOthers() {
        others.forEach(OtherClient::kill);
    }

    /** Whether the others have gone on without it. */
    synchronized boolean hasLost(OtherClient client) {
        return lost.contains(client);
    }

    /** One more reason why the run is incomplete. */
    synchronized void incomplete(String reason) {
        reasons.add(reason);
    }

    /** Why the run is incomplete, beside what its clients say themselves. */
    synchronized List<String> reasons() {
        return List.copyOf(reasons);
    }
}
