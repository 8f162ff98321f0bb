package io.ycsbdrill.binding.rest.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The event loop of a thread's own connection, which the thread runs itself while it waits. Owned by the thread that made it. */
final class OwnLoop {
    private final HttpSettings settings;
    private final ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), NioIoHandler.newFactory());
    private final IdleTime idle;

    OwnLoop(HttpSettings settings) {
        this.settings = settings;
        this.idle = new IdleTime(settings.idleTimeout());
    }

    EventLoopGroup group() {
        return loop;
    }

    /** Waits for something to do, and does it. */
    void run(long nanos) {
        loop.run(nanos);
    }

    /** Something was sent or came, at this time. */
    void used(long nanos) {
        idle.used(nanos);
    }

    /** After a pause, sees what the server has done meanwhile; returns whether the connection was unused for too long. */
    boolean isIdleTooLong() {
        long now = System.nanoTime();
        if (idle.isTooLong(now)) {
            return true;
        }
        if (idle.isWorthALook(now)) {
            loop.runNow();
        }
        return false;
    }

    /** @throws IOException when it fails, or lasts longer than a connection may take */
    <T> T await(Future<T> future) throws IOException {
        long end = System.nanoTime() + settings.connectTimeout().toNanos();
        while (!future.isDone()) {
            long left = end - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                throw Connector.late(settings);
            }
            loop.run(left);
        }
        if (!future.isSuccess()) {
            throw Connector.failure(future.cause());
        }
        return future.getNow();
    }

    void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        // Another thread than the owner cannot run the loop; it can only ask for the end.
        while (loop.inEventLoop(Thread.currentThread()) && !loop.isTerminated()) {
            loop.runNow();
        }
    }
}
