package io.ycsbdrill.fault.node;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One operation at a time on each node of a cluster, and the waiting that such operations do. Thread-safe. */
public final class NodeLocks {
    /** How often a wait looks. */
    public static final Duration POLL = Duration.ofMillis(10);

    private final Map<String, ReentrantLock> locks = new LinkedHashMap<>();

    /** @param nodes the ids of all nodes, in their order */
    public NodeLocks(Collection<String> nodes) {
        nodes.forEach(node -> locks.put(node, new ReentrantLock()));
    }

    /** @throws NodeControlException when there is no such node */
    public void check(String node) {
        if (!locks.containsKey(node)) {
            throw new NodeControlException(
                    "there is no " + node + "; the nodes are " + String.join(", ", locks.keySet()));
        }
    }

    /**
     * Runs an operation when no other is under way on the node.
     *
     * @throws NodeControlException when there is no such node, or the thread is interrupted while it waits
     */
    public void locked(String node, Runnable operation) {
        check(node);
        ReentrantLock lock = locks.get(node);
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
        long end = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new NodeControlException(complaint.get());
            }
            pause(POLL);
        }
    }

    /** @throws NodeControlException when the thread is interrupted, which stays so */
    public static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Marks the thread as interrupted and says so. */
    public static NodeControlException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new NodeControlException("interrupted while waiting for a node", e);
    }
}
