import com.sun.management.OperatingSystemMXBean;
import io.ycsbdrill.binding.rest.RestBinding;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

/**
 * Reads rows by key from so many threads and prints: operations per second, client CPU in us per operation, failed operations.
 * Arguments: load|read, endpoint, rows, threads, connections (0: one per thread), warm-up seconds, seconds.
 */
final class Bench {
    private Bench() {}

    public static void main(String[] args) throws Exception {
        int rows = Integer.parseInt(args[2]);
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", args[1]);
        properties.setProperty("rest.connections", args[4]);
        if (args[0].equals("load")) {
            load(properties, rows);
            return;
        }
        AtomicBoolean end = new AtomicBoolean();
        LongAdder done = new LongAdder();
        LongAdder failed = new LongAdder();
        int count = Integer.parseInt(args[3]);
        CountDownLatch open = new CountDownLatch(count);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> read(properties, rows, open, end, done, failed));
            thread.start();
            threads.add(thread);
        }
        open.await();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Thread.sleep(1000L * Integer.parseInt(args[5]));
        long operations = done.sum();
        long nanos = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        Thread.sleep(1000L * Integer.parseInt(args[6]));
        operations = done.sum() - operations;
        nanos = System.nanoTime() - nanos;
        cpu = system.getProcessCpuTime() - cpu;
        end.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf(
                "%.0f %.1f %d%n", operations * 1e9 / nanos, cpu / 1e3 / Math.max(1, operations), failed.sum());
    }

    private static RestBinding opened(Properties properties) {
        try {
            RestBinding db = new RestBinding();
            db.setProperties(properties);
            db.init();
            return db;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void load(Properties properties, int rows) {
        RestBinding db = opened(properties);
        for (int i = 0; i < rows; i++) {
            Map<String, ByteIterator> row = new HashMap<>();
            for (int field = 0; field < 10; field++) {
                row.put("field" + field, new StringByteIterator("0123456789".repeat(10)));
            }
            if (!db.insert("usertable", "user" + i, row).isOk()) {
                throw new IllegalStateException("row " + i + " was not inserted");
            }
        }
        db.cleanup();
    }

    private static void read(
            Properties properties, int rows, CountDownLatch open, AtomicBoolean end, LongAdder done, LongAdder failed) {
        RestBinding db = opened(properties);
        open.countDown();
        while (!end.get()) {
            Map<String, ByteIterator> row = new HashMap<>();
            String key = "user" + ThreadLocalRandom.current().nextInt(rows);
            if (db.read("usertable", key, null, row).isOk() && row.size() == 10) {
                done.increment();
            } else {
                failed.increment();
            }
        }
        db.cleanup();
    }
}
