package io.ycsbdrill.client.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Answers OK at once and meters the loop around it from init to cleanup, both of which every loop calls on its client threads:
 * the same ruler for both.
 */
public final class NoOpDb extends DB {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final AtomicLong CALLS = new AtomicLong();
    private static final AtomicLong ALLOCATED = new AtomicLong();
    private static final AtomicLong STARTED = new AtomicLong(Long.MIN_VALUE);
    private static final AtomicLong ENDED = new AtomicLong(Long.MIN_VALUE);
    private static final AtomicLong CPU_AT_START = new AtomicLong();
    private static final AtomicLong CPU_AT_END = new AtomicLong();

    private long calls;
    private long allocatedBefore;

    /** One line: calls, wall nanoseconds, CPU nanoseconds of the process, bytes allocated by client threads. */
    static String readings() {
        return CALLS.get() + " " + (ENDED.get() - STARTED.get()) + " " + (CPU_AT_END.get() - CPU_AT_START.get()) + " "
                + ALLOCATED.get();
    }

    @Override
    public void init() {
        CPU_AT_START.set(SYSTEM.getProcessCpuTime());
        STARTED.accumulateAndGet(System.nanoTime(), Math::max);
        allocatedBefore = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    @Override
    public void cleanup() {
        ALLOCATED.addAndGet(
                THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocatedBefore);
        ENDED.accumulateAndGet(System.nanoTime(), Math::max);
        CPU_AT_END.accumulateAndGet(SYSTEM.getProcessCpuTime(), Math::max);
        CALLS.addAndGet(calls);
    }

    private Status ok() {
        calls++;
        return Status.OK;
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return ok();
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return ok();
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return ok();
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return ok();
    }

    @Override
    public Status delete(String table, String key) {
        return ok();
    }
}
