package io.ycsbdrill.binding.ndb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * A process of its own, whose threads do the first operation of each kind at the same moment, on rows that are not there. Its arguments are the
 * binding's properties, as name=value. Prints a line with each status, and exits when every thread has cleaned up.
 */
final class FirstOperations {
    static final int THREADS = 8;
    static final List<Status> EXPECTED = List.of(Status.NOT_FOUND, Status.NOT_FOUND, Status.NOT_FOUND, Status.OK);

    private FirstOperations() {}

    private interface Operation {
        Status on(NdbBinding db);
    }

    public static void main(String[] args) throws InterruptedException {
        Properties properties = new Properties();
        for (String arg : args) {
            String[] parts = arg.split("=", 2);
            properties.setProperty(parts[0], parts[1]);
        }
        CyclicBarrier together = new CyclicBarrier(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> work(properties, together));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void work(Properties properties, CyclicBarrier together) {
        String table = properties.getProperty("table");
        Map<String, ByteIterator> values = StringByteIterator.getByteIteratorMap(Map.of("field0", "x"));
        List<Operation> operations = List.of(
                db -> db.read(table, "missing", null, new HashMap<>()),
                db -> db.update(table, "missing", values),
                db -> db.delete(table, "missing"),
                db -> db.scan(table, "missing", 1, null, new Vector<>()));
        NdbBinding db = new NdbBinding();
        try {
            db.setProperties(properties);
            db.init();
            for (Operation operation : operations) {
                together.await();
                System.out.println(operation.on(db).getName());
            }
            together.await();
            db.cleanup();
        } catch (DBException | BrokenBarrierException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
