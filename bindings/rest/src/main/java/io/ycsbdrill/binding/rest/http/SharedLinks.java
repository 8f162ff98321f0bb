package io.ycsbdrill.binding.rest.http;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The HTTP/2 connections that all threads share, {@code rest.connections} to each server, used in turn. A connection is
 * opened by the first thread that needs it, and again by the first that needs it after it broke. Thread-safe.
 */
public final class SharedLinks implements AutoCloseable {
    private final Connector connector;
    private final HttpSettings settings;
    private final MultiThreadIoEventLoopGroup loops;
    private final Map<Endpoint, Slot[]> slots = new HashMap<>();
    private final AtomicInteger turn = new AtomicInteger();

    private static final class Slot {
        private SharedLink link;
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
        // Those who come meanwhile wait for the attempt, and make their own when it fails.
        synchronized (slot) {
            if (slot.link == null || !slot.link.usable()) {
                if (slot.link != null) {
                    slot.link.retire();
                }
                slot.link = open(endpoint);
            }
            return slot.link;
        }
    }

    private SharedLink open(Endpoint endpoint) throws IOException {
        Connector.Opening<SharedLink> opening =
                connector.connect(endpoint, loops, channel -> new SharedLink(settings, connector, endpoint, channel));
        try {
            if (!opening.link().await(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                throw Connector.late(settings);
            }
            if (!opening.link().isSuccess()) {
                throw Connector.failure(opening.link().cause());
            }
            return opening.link().getNow();
        } catch (InterruptedException e) {
            opening.channel().close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (Throwable e) {
            opening.channel().close();
            throw e;
        }
    }

    @Override
    public void close() {
        slots.values().stream().flatMap(Arrays::stream).forEach(slot -> {
            synchronized (slot) {
                if (slot.link != null) {
                    slot.link.retire();
                }
            }
        });
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
