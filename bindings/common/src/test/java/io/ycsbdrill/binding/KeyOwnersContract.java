package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** What every binding that tells the owners of keys keeps to, on a real cluster of several nodes. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class KeyOwnersContract {
    private static final int KEYS = 60;
    private static final int OF_EACH = 6;
    /** Longer than another node would need to answer, shorter than any engine needs to give the paused one up. */
    private static final long WITHOUT_ANSWER_MILLIS = 500;

    /** A new instance, initialised, on a cluster whose nodes are all up. */
    protected abstract DB open() throws Exception;

    protected abstract String table();

    /** The owner of each key, as the servers say without the binding's help. */
    protected abstract List<String> ownersByServer(List<String> keys) throws Exception;

    /** The node answers nobody until it is resumed. */
    protected abstract void pause(String node) throws Exception;

    protected abstract void resume(String node) throws Exception;

    private static final List<String> NAMES =
            IntStream.range(0, KEYS).mapToObj(i -> "user" + 7919L * i * i).toList();

    private void load(DB db) {
        for (String key : NAMES) {
            Status status = db.insert(table(), key, Map.of("field0", new ByteArrayByteIterator(new byte[] {1})));
            assertThat(status).isIn(Status.OK, Statuses.DUPLICATE_KEY);
        }
    }

    private List<String> owners(DB db) throws Exception {
        KeyOwners asked = (KeyOwners) db;
        KeyOwners.Owners owners = asked.owners(table());
        assertThat(owners.reason()).isEmpty();
        return NAMES.stream()
                .map(key -> owners.byPartition().get(asked.partition(table(), key)))
                .toList();
    }

    @Test
    @Order(1)
    @Timeout(240)
    void ownersAreThoseThatTheServersName() throws Exception {
        DB db = open();
        try {
            load(db);

            List<String> owners = owners(db);

            assertThat(owners).isEqualTo(ownersByServer(NAMES));
            assertThat(owners.stream().distinct().count()).isGreaterThan(1);
            assertThat(((KeyOwners) db).owners("no_such_table").reason()).isNotEmpty();
            assertThat(((KeyOwners) db).partition("no_such_table", "user1")).isEqualTo(-1);
        } finally {
            db.cleanup();
        }
    }

    @Test
    @Order(2)
    @Timeout(240)
    void onlyTheKeysOfAPausedNodeStop() throws Exception {
        DB db = open();
        ExecutorService readers = Executors.newFixedThreadPool(OF_EACH);
        try {
            load(db);
            List<String> owners = owners(db);
            String target = owners.get(0);
            List<String> its = new ArrayList<>();
            List<String> others = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                List<String> keys = owners.get(i).equals(target) ? its : others;
                if (keys.size() < OF_EACH) {
                    keys.add(NAMES.get(i));
                }
            }
            List<DB> connected = new ArrayList<>();
            for (String key : its) {
                DB own = open();
                assertThat(read(own, key)).isEqualTo(Status.OK);
                connected.add(own);
            }
            List<Future<Status>> stopped = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(its.size());
            pause(target);
            try {
                for (int i = 0; i < its.size(); i++) {
                    DB own = connected.get(i);
                    String key = its.get(i);
                    stopped.add(readers.submit(() -> {
                        begun.countDown();
                        return read(own, key);
                    }));
                }
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                for (String key : others) {
                    assertThat(read(db, key)).as("key of another node").isEqualTo(Status.OK);
                }
                Thread.sleep(WITHOUT_ANSWER_MILLIS);
                assertThat(stopped).as("keys of " + target).noneMatch(Future::isDone);
            } finally {
                resume(target);
            }
            for (Future<Status> one : stopped) {
                one.get(60, TimeUnit.SECONDS); // OK, or given up on the way: it has come back, whatever it says.
            }
            for (DB own : connected) {
                own.cleanup();
            }
        } finally {
            readers.shutdownNow();
            db.cleanup();
        }
    }

    private Status read(DB db, String key) {
        return db.read(table(), key, null, new HashMap<>());
    }
}
