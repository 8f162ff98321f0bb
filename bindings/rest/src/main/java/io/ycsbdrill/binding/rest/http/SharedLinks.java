package io.ycsbdrill.binding.rest.http;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The HTTP/2 connections that all threads share, {@code rest.connections} to each server, used in turn. A connection is
 * opened by the first thread that needs it, and again by the first that needs it after it broke; those that come meanwhile
 * wait for the same attempt, and fail with it. Thread-safe.
 */
public final class SharedLinks implements AutoCloseable {
    private final Connector connector;
    private final HttpSettings settings;
    private final MultiThreadIoEventLoopGroup loops;
    private final Map<Endpoint, Slot[]> slots = new HashMap<>();
    private final AtomicInteger turn = new AtomicInteger();

    /** The place of one connection. Thread-safe. */
    private static final class Slot {
        /** The last attempt; null before the first. */
        private Connector.Opening<SharedLink> opening;

        /** The attempt that is under way or has led to a usable connection; a new one when there is none. */
        synchronized Connector.Opening<SharedLink> opening(Supplier<Connector.Opening<SharedLink>> attempt) {
            if (opening == null || opening.link().isDone() && !isUsable()) {
                retire();
                opening = attempt.get();
            }
            return opening;
        }

        private boolean isUsable() {
            return opening.link().isSuccess() && opening.link().getNow().usable();
        }

        synchronized void retire() {
            if (opening != null && opening.link().isSuccess()) {
                opening.link().getNow().retire();
            }
        }
    }

    public SharedLinks(Connector connector, HttpSettings settings) {
        this.connector = connector;
        this.settings = settings;
        int threads = Math.max(
                1, Math.min(settings.connections(), Runtime.getRuntime().availableProcessors()) / 2);
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("rest-io", true), NioIoHandler.newFactory());
        settings.endpoints().forEach(endpoint -> {
            Slot[] places = new Slot[settings.connections()];
            Arrays.setAll(places, i -> new Slot());
            slots.put(endpoint, places);
        });
    }

    /** A thread's place on a connection; closing it leaves the connection open for the others. */
    public Link place(Endpoint endpoint) throws IOException {
        Slot[] places = slots.get(endpoint);
        Slot slot = places[Math.floorMod(turn.getAndIncrement(), places.length)];
        return opened(slot.opening(() ->
                connector.connect(endpoint, loops, channel -> new SharedLink(settings, connector, endpoint, channel))));
    }

    /** The connection that an attempt leads to, for which others may wait, too. */
    private SharedLink opened(Connector.Opening<SharedLink> opening) throws IOException {
        Promise<SharedLink> link = opening.link();
        try {
            if (!link.await(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                link.tryFailure(Connector.late(settings));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!link.isSuccess()) {
            opening.channel().close();
            // Each thread has an exception of its own.
            throw new IOException(String.valueOf(link.cause().getMessage()), link.cause());
        }
        return link.getNow();
    }

    @Override
    public void close() {
        slots.values().stream().flatMap(Arrays::stream).forEach(Slot::retire);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
