package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** What a running client sees of killed data nodes, one and then all: the same threads work before, meanwhile and after. */
@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbFaultsIT {
    private static final int THREADS = 4;
    private static final Duration BOUND = Duration.ofSeconds(100);
    /** For how long after a kill its failure is handled, also on a busy machine. */
    private static final long FAILURE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final String TABLE = "faults";

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final CountDownLatch connected = new CountDownLatch(THREADS);
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<String> lies = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private volatile long killed = System.nanoTime();

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void threadsSurviveTheLossOfANodeAndOfTheCluster(RealCluster.Running running) throws Exception {
        LocalCluster cluster = running.cluster();
        Killable kill = cluster.capability(Killable.class).orElseThrow();
        Startable start = cluster.capability(Startable.class).orElseThrow();
        Properties properties = running.properties(TABLE);
        properties.setProperty("fieldcount", "1");
        properties.setProperty("ndb.connections", "2");
        NdbBinding own = readerOfANode(properties);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> work(properties, number), "worker-" + i);
            thread.start();
            threads.add(thread);
        }
        assertThat(connected.await(BOUND.toSeconds(), TimeUnit.SECONDS))
                .as("all threads are connected; %s", lies)
                .isTrue();
        awaitMore("OK", 2_000);

        String victim = cluster.nodes().get(2).id();
        killed = System.nanoTime();
        kill.kill(victim);
        awaitMore("OK", 2_000);
        own.read(TABLE, "worker0", null, new HashMap<>());
        assertThat(own.doubt())
                .as("another node's copy is not taken for this node's own")
                .contains("data node " + victim);
        own.cleanup();
        assertThat(counts).doesNotContainKeys(Statuses.UNAVAILABLE.getName(), Statuses.FAILED.getName());
        start.start(victim);
        start.awaitStarted(victim, BOUND);

        killed = System.nanoTime();
        for (NodeInfo node : cluster.nodes()) {
            kill.kill(node.id());
        }
        awaitMore(Statuses.UNAVAILABLE.getName(), 20);
        long before = count(Statuses.UNAVAILABLE.getName());
        Thread.sleep(3_000);
        assertThat(count(Statuses.UNAVAILABLE.getName()) - before)
                .as("operations that failed in 3 s on %d threads", THREADS)
                .isBetween(1L, THREADS * 100L);
        for (NodeInfo node : cluster.nodes()) {
            start.start(node.id());
        }
        for (NodeInfo node : cluster.nodes()) {
            start.awaitStarted(node.id(), BOUND);
        }
        awaitMore("OK", 2_000);

        stop.set(true);
        for (Thread thread : threads) {
            thread.join(60_000);
            assertThat(thread.isAlive()).as(thread.getName() + " still runs").isFalse();
        }
        assertThat(lies).isEmpty();
        late.forEach(read -> System.out.println("stale while NDB handled a failure: " + read));
        assertThat(late).as("stale reads while NDB handled failures").hasSizeLessThanOrEqualTo(THREADS);
        assertThat(counts.keySet()).isSubsetOf("OK", "TEMPORARY", "UNKNOWN", "UNAVAILABLE", "TIMEOUT");
    }

    private static NdbBinding readerOfANode(Properties properties) throws Exception {
        NdbBinding all = new NdbBinding();
        all.setProperties(properties);
        all.init();
        Properties own = new Properties();
        own.putAll(properties);
        own.putAll(all.nodes().nodes().get(2).properties());
        all.cleanup();
        NdbBinding node = new NdbBinding();
        node.setProperties(own);
        node.init();
        assertThat(node.read(TABLE, "worker0", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        assertThat(node.doubt()).isEmpty();
        return node;
    }

    /**
     * Counts up the rows of its own and reads them back: what was said to be stored must be there, and what was said not to
     * be must not. A cluster that comes back has lost its last seconds, so the row is set anew after a time without it.
     */
    private void work(Properties properties, int number) {
        NdbBinding db = new NdbBinding();
        try {
            db.setProperties(properties);
            db.init();
            connected.countDown();
            String key = "worker" + number;
            long stored = -1;
            long before = -1;
            boolean sure = false;
            for (long i = 0; !stop.get(); i++) {
                if (!sure) {
                    Status deleted = counted(db.delete(TABLE, key));
                    sure = deleted.isOk() || deleted.equals(Status.NOT_FOUND);
                    sure = sure && counted(db.insert(TABLE, key, value(i))).isOk();
                    stored = i;
                    continue;
                }
                Status updated = counted(db.update(TABLE, key, value(i)));
                if (updated.isOk()) {
                    before = stored;
                    stored = i;
                } else if (!updated.equals(Statuses.TEMPORARY)) {
                    sure = false;
                    continue;
                }
                Map<String, ByteIterator> row = new HashMap<>();
                Status read = counted(db.read(TABLE, key, null, row));
                boolean handled = System.nanoTime() - killed < FAILURE_NANOS;
                String found = text(row);
                if (read.equals(Statuses.UNAVAILABLE)) {
                    sure = false;
                } else if (read.isOk() && !found.equals("v" + stored)) {
                    List<String> then = again(db, key);
                    // One update behind, and soon no more: docs/ndb-binding.md.
                    boolean stale = handled
                            && found.equals("v" + before)
                            && then.get(then.size() - 1).equals("v" + stored);
                    String text = key + ": stored v" + stored + ", update " + i + " was " + updated.getName()
                            + ", read " + found + ", then " + String.join(", ", then);
                    synchronized (lies) {
                        (stale ? late : lies).add(text);
                    }
                }
            }
        } catch (Exception | Error e) {
            synchronized (lies) {
                StringWriter trace = new StringWriter();
                e.printStackTrace(new PrintWriter(trace));
                lies.add(Thread.currentThread().getName() + ": " + trace);
            }
        } finally {
            db.cleanup();
        }
    }

    /** Whether the row itself is wrong, or only the one answer was. */
    private static List<String> again(NdbBinding db, String key) {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Map<String, ByteIterator> row = new HashMap<>();
            Status read = db.read(TABLE, key, null, row);
            answers.add(read.isOk() ? text(row) : read.getName());
        }
        return answers;
    }

    /** Empties the value: to be called once. */
    private static String text(Map<String, ByteIterator> row) {
        ByteIterator value = row.get("field0");
        return value == null ? "no field0" : new String(value.toArray(), StandardCharsets.UTF_8);
    }

    private Status counted(Status status) {
        if (!status.equals(Status.NOT_FOUND)) {
            counts.computeIfAbsent(status.getName(), name -> new AtomicLong()).incrementAndGet();
        }
        return status;
    }

    private long count(String status) {
        AtomicLong count = counts.get(status);
        return count == null ? 0 : count.get();
    }

    private void awaitMore(String status, long more) throws InterruptedException {
        long target = count(status) + more;
        long end = System.nanoTime() + BOUND.toNanos();
        while (count(status) < target) {
            synchronized (lies) {
                assertThat(lies).isEmpty();
            }
            assertThat(System.nanoTime())
                    .as("time for %d more %s; so far %s", more, status, counts)
                    .isLessThan(end);
            Thread.sleep(50);
        }
    }

    private static Map<String, ByteIterator> value(long i) {
        Map<String, ByteIterator> row = new HashMap<>();
        row.put("field0", new ByteArrayByteIterator(("v" + i).getBytes(StandardCharsets.UTF_8)));
        return row;
    }
}
