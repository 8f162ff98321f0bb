package io.ycsbdrill.fault.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.ycsbdrill.fault.net.Disturbance.Conditions;
import java.util.Collection;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One stream of one connection: reads from its source and writes to its target, as the conditions allow. When the target
 * does not keep up, or much is held back, the source is not read, so that TCP slows the sender down. Both channels and both
 * pipes of a connection are on one event loop.
 */
final class Pipe extends ChannelInboundHandlerAdapter {
    /** Held bytes above which the source is not read. */
    private static final long MOST_HELD = 1 << 20;

    private final HeldBytes held;
    private final Supplier<Conditions> conditions;
    private Channel source;
    private Channel target;
    private Pipe opposite;
    private boolean ended;
    private boolean endPassedOn;
    private boolean endFlushed;
    private boolean closed;
    private ScheduledFuture<?> timer;

    Pipe(Supplier<Conditions> conditions, RandomGenerator random, Collection<Traces> traces) {
        this.conditions = conditions;
        held = new HeldBytes(conditions, random, traces);
    }

    /** Begins to read. */
    void join(Channel from, Channel to, Pipe other) {
        source = from;
        target = to;
        opposite = other;
        source.config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (held.isEmpty() && conditions.get().free()) {
            target.write(bytes, target.voidPromise());
        } else {
            held.add(bytes, System.nanoTime());
            pump();
        }
        regulate();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        target.flush();
    }

    /** Passes on what may go now, and comes back when more may. */
    void pump() {
        long now = System.nanoTime();
        while (target.isWritable()) {
            ByteBuf bytes = held.take(now);
            if (bytes == null) {
                break;
            }
            target.write(bytes, target.voidPromise());
        }
        target.flush();
        comeBack(target.isWritable() ? held.waitNanos(now) : HeldBytes.NEVER);
        regulate();
        passEndOn();
    }

    /** The one timer of this pipe is always that of the bytes that are first now: conditions change while it runs. */
    private void comeBack(long wait) {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        if (wait != HeldBytes.NEVER) {
            timer = source.eventLoop().schedule(this::pump, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void regulate() {
        boolean read = target.isWritable() && held.size() < MOST_HELD;
        if (source.config().isAutoRead() != read && !ended) {
            source.config().setAutoRead(read);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        // The channel that this pipe reads is the one that the opposite pipe writes.
        opposite.pump();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            end();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
        end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Reset by its peer: the other side is to see the same, unless nothing passes.
        if (!conditions.get().blackhole()) {
            reset(target);
        }
        context.close();
    }

    private void end() {
        ended = true;
        passEndOn();
        if (opposite != null && opposite.endFlushed) {
            source.close(); // nothing more to read from it or to write to it
        }
    }

    /** The end of a stream travels behind its bytes. */
    private void passEndOn() {
        if (target == null
                || !ended
                || endPassedOn
                || !held.isEmpty()
                || conditions.get().blackhole()) {
            return;
        }
        endPassedOn = true;
        target.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            endFlushed = true;
            if (closed || opposite.ended) {
                target.close();
            } else {
                ((DuplexChannel) target).shutdownOutput();
            }
        });
    }

    /** Drops what is held; to be called when both channels are closed. */
    void release() {
        held.release();
        comeBack(HeldBytes.NEVER);
    }

    /** Ends a connection with RST, so that its peer sees "connection reset". */
    static void reset(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }
}
