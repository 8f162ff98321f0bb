package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Acknowledged writes survive the death and the initial start of each node in turn, while the load goes on. */
@Tag("process")
@Tag("soak")
@EnabledOnOs(OS.LINUX)
class DurabilityIT {
    private static final Duration BOUND = Duration.ofSeconds(180);
    private static final int WRITERS = 4;

    /** Between the inserts of a writer: what is written must be read three times in the end. */
    private static final long PAUSE_NANOS = 20_000_000;

    @TempDir
    Path directory;

    private final CountDownLatch connected = new CountDownLatch(WRITERS);
    private volatile boolean ended;
    private final List<Reconnects.Server> lost = new CopyOnWriteArrayList<>();

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void noAcknowledgedInsertIsLost() throws Exception {
        LocalCluster cluster =
                new EmbeddedEngine().up(directory.resolve("cluster"), Map.of(), Lifetime.OWNED, System.out::println);
        ExecutorService executor = Executors.newFixedThreadPool(WRITERS);
        try {
            Properties properties = new Properties();
            properties.putAll(cluster.descriptor().bindings().get("native"));
            List<Future<List<String>>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(executor.submit(() -> acknowledged(properties, writer)));
            }

            assertThat(connected.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Killable killable = cluster.capability(Killable.class).orElseThrow();
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            Initialisable initialisable =
                    cluster.capability(Initialisable.class).orElseThrow();
            for (NodeInfo node : cluster.nodes()) {
                killable.kill(node.id());
                initialisable.startInitial(node.id());
                startable.awaitStarted(node.id(), BOUND);
            }
            ended = true;

            List<String> written = new ArrayList<>();
            for (Future<List<String>> writer : writers) {
                written.addAll(writer.get());
            }
            assertThat(written).hasSizeGreaterThan(100);
            // Each node was killed once; what the writers share counts once. The last one may have come back too late.
            assertThat(lost.stream()
                            .collect(Collectors.toMap(
                                    Reconnects.Server::server, Function.identity(), Reconnects.Server::plus))
                            .values())
                    .hasSameSizeAs(cluster.nodes())
                    .allSatisfy(server ->
                            assertThat(server.lost()).as(server.server()).isOne())
                    .filteredOn(server -> server.regained() == 1)
                    .hasSizeGreaterThanOrEqualTo(cluster.nodes().size() - 1);
            assertThat(missing(properties, written)).isEmpty();
            // The copies as well: each node alone must have them all.
            killable.kill("node1");
            assertThat(missing(properties, written)).isEmpty();
            killable.kill("node2");
            assertThat(missing(properties, written)).isEmpty();
            System.out.println(written.size() + " acknowledged inserts, none lost");
        } finally {
            ended = true;
            executor.shutdownNow();
            cluster.down();
        }
    }

    private List<String> acknowledged(Properties properties, int writer) throws DBException {
        EmbeddedBinding db = opened(properties);
        connected.countDown();
        try {
            List<String> keys = new ArrayList<>();
            for (int i = 0; !ended; i++) {
                String key = "w" + writer + "-" + i;
                if (db.insert("usertable", key, row(key)).isOk()) {
                    keys.add(key);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return keys;
        } finally {
            lost.addAll(db.reconnects());
            db.cleanup();
        }
    }

    /** Those that are not there, or have another value. A node that was killed just now is forgiven for a while. */
    private static List<String> missing(Properties properties, List<String> keys) throws DBException {
        EmbeddedBinding db = opened(properties);
        try {
            List<String> missing = new ArrayList<>();
            long end = System.nanoTime() + BOUND.toNanos();
            for (String key : keys) {
                Map<String, ByteIterator> row = new HashMap<>();
                while (!db.read("usertable", key, null, row).isOk() && row.isEmpty() && System.nanoTime() < end) {
                    if (db.read("usertable", key, null, row) == Status.NOT_FOUND) {
                        break;
                    }
                }
                if (row.isEmpty() || !row.get("field0").toString().equals(key)) {
                    missing.add(key);
                }
            }
            return missing;
        } finally {
            db.cleanup();
        }
    }

    private static EmbeddedBinding opened(Properties properties) throws DBException {
        EmbeddedBinding db = new EmbeddedBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static Map<String, ByteIterator> row(String key) {
        return new HashMap<>(Map.of("field0", new ByteArrayByteIterator(key.getBytes(StandardCharsets.UTF_8))));
    }
}
