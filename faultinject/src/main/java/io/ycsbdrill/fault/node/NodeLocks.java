package io.ycsbdrill.fault.node;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs one operation at a time on each node of a cluster, and does the waiting of such operations. Every wait ends when its
 * thread is interrupted. Thread-safe.
 */
public final class NodeLocks {
    /** How often a wait checks its condition, unless it says otherwise. */
    public static final Duration POLL = Duration.ofMillis(10);

    private final Supplier<? extends Collection<String>> nodes;
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    /** @param nodes gives the ids of all nodes, in their order; asked at each operation */
    public NodeLocks(Supplier<? extends Collection<String>> nodes) {
        this.nodes = nodes;
    }

    /** @throws NodeControlException when there is no such node */
    public void check(String node) {
        Collection<String> all = nodes.get();
        if (!all.contains(node)) {
            throw new NodeControlException("no node " + node + " in this cluster; it has " + String.join(", ", all));
        }
    }

    /**
     * Runs an operation while no other runs on the node.
     *
     * @throws NodeControlException when there is no such node, or the thread is interrupted while it waits
     */
    public void locked(String node, Runnable operation) {
        check(node);
        ReentrantLock lock = locks.computeIfAbsent(node, n -> new ReentrantLock());
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try {
            operation.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a condition holds.
     *
     * @param complaint the message when it does not hold within the bound
     * @throws NodeControlException with the complaint, or when the thread is interrupted
     */
    public static void await(Duration bound, BooleanSupplier condition, Supplier<String> complaint) {
        await(bound, POLL, condition, complaint);
    }

    /** As {@link #await(Duration, BooleanSupplier, Supplier)}, checking the condition once per poll interval. */
    public static void await(Duration bound, Duration poll, BooleanSupplier condition, Supplier<String> complaint) {
        if (!holds(bound, poll, condition)) {
            throw new NodeControlException(complaint.get());
        }
    }

    /**
     * Waits until a condition holds, or the bound has passed.
     *
     * @return whether it holds
     * @throws NodeControlException when the thread is interrupted
     */
    public static boolean holds(Duration bound, BooleanSupplier condition) {
        return holds(bound, POLL, condition);
    }

    private static boolean holds(Duration bound, Duration poll, BooleanSupplier condition) {
        long end = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            pause(poll);
        }
        return true;
    }

    /** @throws NodeControlException when the thread is interrupted; its interrupt flag is kept */
    public static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Restores the thread's interrupt flag and returns the exception to throw. */
    public static NodeControlException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new NodeControlException("interrupted while waiting for a node", e);
    }
}
