package io.ycsbdrill.fault.net;

import io.netty.buffer.ByteBuf;
import io.ycsbdrill.fault.net.Disturbance.Conditions;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The bytes that one stream of a connection holds back: decides which may go now, and when to ask again. Reads no clock. For
 * one thread.
 *
 * <p>A throttled stream goes in pieces. Timers are late, but a late piece does not make those behind it late: each keeps the time that
 * the rate gives it. Of lateness no more than the time of one piece is made up for. So in any stretch of time there passes at most what
 * the rate allows in it and two pieces: one that goes at its beginning, and one of arrears.
 */
final class HeldBytes {
    /** {@link #waitNanos} when no time will help. */
    static final long NEVER = Long.MAX_VALUE;

    /** A throttled stream is passed on in pieces of this many milliseconds, so that it is smooth. */
    private static final long PIECE_MILLIS = 10;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private record Held(ByteBuf bytes, long cameNanos, long dueNanos) {}

    private final Supplier<Conditions> conditions;
    private final RandomGenerator random;
    private final Collection<Traces> traces;
    private final Deque<Held> held = new ArrayDeque<>();
    private long size;
    private long lastDue = Long.MIN_VALUE;
    private long freeAt = Long.MIN_VALUE;

    /** @param traces of the disturbances that are in force now */
    HeldBytes(Supplier<Conditions> conditions, RandomGenerator random, Collection<Traces> traces) {
        this.conditions = conditions;
        this.random = random;
        this.traces = traces;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Bytes held. */
    long size() {
        return size;
    }

    /** Takes bytes over; they are released by whoever gets them from {@link #take}, or by {@link #release}. */
    void add(ByteBuf bytes, long now) {
        Conditions stream = conditions.get();
        long due = now
                + stream.latencyNanos()
                + (stream.jitterNanos() == 0 ? 0 : random.nextLong(stream.jitterNanos() + 1));
        lastDue = held.isEmpty() ? due : Math.max(lastDue, due);
        held.add(new Held(bytes, now, lastDue));
        size += bytes.readableBytes();
        if (stream.blackhole()) {
            traces.forEach(each -> each.held(bytes.readableBytes()));
        }
    }

    /** How long the first bytes still have to wait: 0 when they may go, {@link #NEVER} in a black hole or when none is held. */
    long waitNanos(long now) {
        Conditions stream = conditions.get();
        if (held.isEmpty() || stream.blackhole()) {
            return NEVER;
        }
        long due = stream.delayed() ? held.peek().dueNanos() : now;
        long paced = stream.throttled() && freeAt != Long.MIN_VALUE ? freeAt : now;
        return Math.max(0, Math.max(due - now, paced - now));
    }

    /** The next bytes that may go now; null when none may. */
    ByteBuf take(long now) {
        if (waitNanos(now) != 0) {
            return null;
        }
        Conditions stream = conditions.get();
        Held first = held.peek();
        int length = first.bytes().readableBytes();
        int piece = length;
        if (stream.throttled()) {
            piece = paced(first, length, stream, now);
        } else {
            freeAt = Long.MIN_VALUE;
        }
        if (stream.delayed()) {
            traces.forEach(each -> each.delayed(now - first.cameNanos()));
        }
        size -= piece;
        if (piece == length) {
            held.remove();
            return first.bytes();
        }
        return first.bytes().readRetainedSlice(piece);
    }

    /** How many of these bytes may go now, at the stream's rate; the next ones wait for that. */
    private int paced(Held first, int length, Conditions stream, long now) {
        int piece = (int) Math.min(length, Math.max(1, stream.bytesPerSecond() * PIECE_MILLIS / 1000));
        if (piece < length || freeAt > first.cameNanos()) {
            traces.forEach(each -> each.paced(piece));
        }
        long due = Math.max(freeAt, stream.delayed() ? first.dueNanos() : first.cameNanos());
        long from = Math.max(due, now - PIECE_MILLIS * NANOS_PER_MILLI);
        freeAt = from + Math.round(piece * 1e9 / stream.bytesPerSecond());
        return piece;
    }

    /** Drops everything. */
    void release() {
        held.forEach(h -> h.bytes().release());
        held.clear();
        size = 0;
    }
}
