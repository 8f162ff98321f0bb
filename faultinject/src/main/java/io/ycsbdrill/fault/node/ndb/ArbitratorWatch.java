package io.ycsbdrill.fault.node.ndb;

import io.netty.channel.EventLoop;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.EventStream;
import io.ycsbdrill.fault.node.ndb.mgm.MgmEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for a new cluster's arbitrator, which is elected about half a second after all data nodes are STARTED. Until then
 * the cluster gives itself up when half of its nodes are lost ("no arbitrator available", error 2305). To be opened before
 * the data nodes start, as the event comes once.
 */
final class ArbitratorWatch implements EventStream.Listener, AutoCloseable {
    /** {@code ArbitCode::ApiStart} of {@code ArbitSignalData.hpp}, in the low half of the event's code. */
    private static final int STARTED = 31;

    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final EventStream stream;
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final CompletableFuture<Void> started = new CompletableFuture<>();

    ArbitratorWatch(ConnectString servers, EventLoop loop) {
        stream = new EventStream(servers, loop, SILENCE, this);
    }

    /**
     * Returns when events flow.
     *
     * @throws NodeControlException when they do not within the bound
     */
    void open(Duration bound) {
        stream.open();
        await(connected, bound, "no event stream from the management server");
    }

    /** @throws NodeControlException when there is no arbitrator within the bound */
    void awaitStarted(Duration bound) {
        await(started, bound, "the cluster has no arbitrator, so it would not survive the loss of half of its nodes");
    }

    private static void await(CompletableFuture<Void> event, Duration bound, String complaint) {
        try {
            event.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while waiting for the arbitrator", e);
        } catch (TimeoutException | ExecutionException e) {
            throw new NodeControlException(complaint + ", after " + bound.toSeconds() + " s", e);
        }
    }

    @Override
    public void event(MgmEvent event, long atNanos) {
        if (event.type() == MgmEvent.ARBIT_STATE && (event.number("code") & 0xFFFF) == STARTED) {
            started.complete(null);
        }
    }

    @Override
    public void connected(ConnectString.Server server, boolean again) {
        connected.complete(null);
    }

    @Override
    public void disconnected(ConnectString.Server server, String reason) {
        // Opened again by the stream.
    }

    @Override
    public void close() {
        stream.close();
    }
}
