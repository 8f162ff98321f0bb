import com.sun.management.OperatingSystemMXBean;
import io.ycsbdrill.binding.rest.RestBinding;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

/**
 * Reads rows by key from so many threads, for so many seconds as each line of its input says, and answers each line with: operations per
 * second, CPU of this process in us per operation, failed operations. So Java compiles only once what runs in all measurements.
 * Arguments: load|read, endpoint, rows, threads.
 */
final class Bench {
    private final Properties properties = new Properties();
    private final int rows;
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    /** The threads and the one that measures meet here at the beginning and at the end of each measurement. */
    private final Phaser meeting = new Phaser(1);
    private final AtomicBoolean measuring = new AtomicBoolean();

    private Bench(String[] args) {
        properties.setProperty("rest.endpoints", args[1]);
        rows = Integer.parseInt(args[2]);
    }

    public static void main(String[] args) throws Exception {
        Bench bench = new Bench(args);
        if (args[0].equals("load")) {
            bench.load();
            return;
        }
        // A thread that ends would be waited for.
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            System.exit(1);
        });
        int threads = Integer.parseInt(args[3]);
        bench.meeting.bulkRegister(threads);
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(bench::read, "client-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String seconds = in.readLine(); seconds != null; seconds = in.readLine()) {
            bench.measure(Integer.parseInt(seconds));
        }
    }

    private void measure(int seconds) throws InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        done.reset();
        measuring.set(true);
        long nanos = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        meeting.arriveAndAwaitAdvance();
        Thread.sleep(1000L * seconds);
        measuring.set(false);
        meeting.arriveAndAwaitAdvance();
        cpu = system.getProcessCpuTime() - cpu;
        nanos = System.nanoTime() - nanos;
        System.out.printf(
                "%.0f %.1f %d%n", done.sum() * 1e9 / nanos, cpu / 1e3 / Math.max(1, done.sum()), failed.sum());
    }

    private RestBinding opened() {
        try {
            RestBinding db = new RestBinding();
            db.setProperties(properties);
            db.init();
            return db;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void load() {
        RestBinding db = opened();
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

    private void read() {
        RestBinding db = opened();
        while (true) {
            meeting.arriveAndAwaitAdvance();
            while (measuring.get()) {
                Map<String, ByteIterator> row = new HashMap<>();
                String key = "user" + ThreadLocalRandom.current().nextInt(rows);
                if (db.read("usertable", key, null, row).isOk() && row.size() == 10) {
                    done.increment();
                } else {
                    failed.increment();
                }
            }
            meeting.arriveAndAwaitAdvance();
        }
    }
}
