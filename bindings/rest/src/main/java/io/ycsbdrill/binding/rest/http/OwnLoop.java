package io.ycsbdrill.binding.rest.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The event loop of a thread's own connection, which the thread runs itself while it waits. Owned by the thread that made it. */
final class OwnLoop {
    private final HttpSettings settings;
    private final ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), OwnLoop::handler);
    private final IdleTime idle;

    OwnLoop(HttpSettings settings) {
        this.settings = settings;
        this.idle = new IdleTime(settings.idleTimeout());
    }

    private static IoHandler handler(ThreadAwareExecutor executor) {
        return new InterruptibleHandler(NioIoHandler.newFactory().newHandler(executor));
    }

    EventLoopGroup group() {
        return loop;
    }

    /** Waits for events and handles them. */
    void run(long nanos) {
        loop.run(nanos);
    }

    /** Notes that something was sent or received at this time. */
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

    /**
     * NioIoHandler clears the interrupt of a thread that waits in its selector, unless the thread may not block any more: so
     * an interrupted one may not, and whoever runs the loop still sees the interrupt.
     */
    private record InterruptibleHandler(IoHandler handler) implements IoHandler {

        @Override
        public int run(IoHandlerContext context) {
            return handler.run(new IoHandlerContext() {
                @Override
                public boolean canBlock() {
                    return context.canBlock() && !Thread.currentThread().isInterrupted();
                }

                @Override
                public long delayNanos(long currentTimeNanos) {
                    return context.delayNanos(currentTimeNanos);
                }

                @Override
                public long deadlineNanos() {
                    return context.deadlineNanos();
                }
            });
        }

        @Override
        public void initialize() {
            handler.initialize();
        }

        @Override
        public void prepareToDestroy() {
            handler.prepareToDestroy();
        }

        @Override
        public void destroy() {
            handler.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return handler.register(handle);
        }

        @Override
        public void wakeup() {
            handler.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return handler.isCompatible(type);
        }
    }
}
