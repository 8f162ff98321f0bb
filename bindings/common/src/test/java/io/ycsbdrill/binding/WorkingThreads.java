package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.Status;

/**
 * The threads of a test that work on a binding while the test kills what it is connected to. They say when they are connected, what each
 * operation returned, and what they have read that cannot be: a lie, which ends the test. An exception of a thread is one, too. Thread-safe.
 */
public final class WorkingThreads {
    private static final long BOUND_SECONDS = 100;
    private static final int POLL_MILLIS = 20;

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final List<String> lies = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final int count;
    private final CountDownLatch connected;
    private volatile boolean over;

    /** What one of the threads does until {@link #over}; it is given its number, from 0. */
    public interface Work {
        void run(int number) throws Exception;
    }

    public WorkingThreads(int count) {
        this.count = count;
        connected = new CountDownLatch(count);
    }

    /** Starts the threads and returns when each of them has called {@link #connected}. */
    public void start(Work work) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(new Thread(() -> run(work, number), "worker-" + i));
        }
        threads.forEach(Thread::start);
        long bound = bound();
        while (!connected.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            inTime(bound, "threads to connect: " + connected.getCount());
        }
    }

    private void run(Work work, int number) {
        try {
            work.run(number);
        } catch (Exception | Error e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            lie(Thread.currentThread().getName() + ": " + trace);
        }
    }

    /** To be called once by each thread. */
    public void connected() {
        connected.countDown();
    }

    /** Whether the threads are to end. */
    public boolean over() {
        return over;
    }

    /** Counts what an operation returned, and returns it. */
    public Status counted(Status status) {
        counts.computeIfAbsent(status.getName(), name -> new AtomicLong()).incrementAndGet();
        return status;
    }

    public long count(String status) {
        AtomicLong count = counts.get(status);
        return count == null ? 0 : count.get();
    }

    /** Names of all that was counted so far. */
    public Set<String> statuses() {
        return Set.copyOf(counts.keySet());
    }

    public void lie(String text) {
        synchronized (lies) {
            lies.add(text);
        }
    }

    /** Waits until so many more operations have returned a status; fails at a lie. */
    public void awaitMore(String status, long more) throws InterruptedException {
        long target = count(status) + more;
        long bound = bound();
        while (count(status) < target) {
            inTime(bound, more + " more " + status + "; so far " + counts);
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Ends the threads; fails when one of them does not end, or has told a lie. */
    public void end() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
            assertThat(thread.isAlive()).as(thread.getName() + " still runs").isFalse();
        }
        noLies();
    }

    private static long bound() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    }

    private void inTime(long bound, String what) {
        noLies();
        assertThat(System.nanoTime()).as("time for " + what).isLessThan(bound);
    }

    private void noLies() {
        synchronized (lies) {
            assertThat(lies).isEmpty();
        }
    }
}
