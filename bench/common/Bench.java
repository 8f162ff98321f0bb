import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Does the same operations on the same rows through the clients of the classes that it is told, in turn, and prints for each kind of operation
 * its throughput and the CPU time of this process per operation. Ten fields of 100 bytes; every operation must succeed.
 */
public final class Bench {
    static final int FIELDS = 10;
    static final int LENGTH = 100;
    static final int SCAN_ROWS = 50;
    private static final int ROWS = 10_000;

    /** One thread's client. Each call throws unless it did what was asked. */
    interface Client extends AutoCloseable {
        void insert(String key, byte[][] values) throws Exception;

        /** Returns the bytes read, of all fields. */
        int read(String key) throws Exception;

        void update(String key, int field, byte[] value) throws Exception;

        void delete(String key) throws Exception;

        /** Returns the rows read, with all fields. */
        int scan(String start, int limit) throws Exception;
    }

    private interface Step {
        void run(Client client, Random random, int thread, long i) throws Exception;
    }

    private record Contestant(String name, List<Client> clients) {}

    public static void main(String[] classes) throws Exception {
        double seconds = Double.parseDouble(System.getProperty("bench.seconds", "4"));
        double warm = Double.parseDouble(System.getProperty("bench.warm", Double.toString(Math.max(1.5, seconds / 2))));
        List<Contestant> contestants = new ArrayList<>();
        for (String name : classes) {
            contestants.add(new Contestant(name, clients(name)));
        }
        fill(contestants.get(0).clients.get(0));
        // Several in one process take turns in the warm-up, too, as they share a driver that is to be compiled for all of them.
        for (int i = 0; i < contestants.size(); i++) {
            round(contestants, warm, true);
        }
        for (int pair = 0; pair < Integer.getInteger("bench.pairs", 1); pair++) {
            round(contestants, seconds, false);
            Collections.reverse(contestants); // each is first as often as the other
        }
        for (Contestant contestant : contestants) {
            for (Client client : contestant.clients) {
                client.close();
            }
        }
        System.exit(0);
    }

    private static List<Client> clients(String name) throws Exception {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < Integer.getInteger("bench.threads", 2); i++) {
            clients.add((Client) Class.forName(name)
                    .getDeclaredConstructor(Properties.class)
                    .newInstance(System.getProperties()));
        }
        return clients;
    }

    private static void round(List<Contestant> contestants, double seconds, boolean warm) throws Exception {
        Step read = (client, random, thread, i) -> require(client.read(key(random)) == FIELDS * LENGTH);
        Step update = (client, random, thread, i) -> client.update(key(random), (int) (i % FIELDS), value(random));
        Step insertDelete = (client, random, thread, i) -> {
            String key = "zz" + thread + "-" + i;
            client.insert(key, row(random));
            client.delete(key);
        };
        Step scan = (client, random, thread, i) -> {
            int rows = client.scan("user" + (10_000 + random.nextInt(ROWS - SCAN_ROWS)), SCAN_ROWS);
            require(rows == SCAN_ROWS);
        };
        measure("read", read, contestants, seconds, 1, warm);
        measure("update", update, contestants, seconds, 1, warm);
        measure("insert+delete", insertDelete, contestants, seconds, 2, warm);
        measure("scan", scan, contestants, seconds, 1, warm);
    }

    private static void measure(
            String name, Step step, List<Contestant> contestants, double seconds, int each, boolean warm)
            throws Exception {
        for (Contestant contestant : contestants) {
            String result = measure(step, contestant.clients, seconds, each);
            if (!warm) {
                System.out.println(contestant.name + " " + name + " " + result);
            }
        }
    }

    private static String measure(Step step, List<Client> clients, double seconds, int each) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        AtomicLong done = new AtomicLong();
        long cpu = Cpu.nanos();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int t = 0; t < clients.size(); t++) {
            int thread = t;
            tasks.add(() -> {
                Random random = new Random(42 + thread);
                long i = 0;
                while (System.nanoTime() < end) {
                    step.run(clients.get(thread), random, thread, i++);
                }
                done.addAndGet(i * each);
                return null;
            });
        }
        for (Future<Void> task : threads.invokeAll(tasks)) {
            task.get();
        }
        long nanos = System.nanoTime() - start;
        cpu = Cpu.nanos() - cpu;
        threads.shutdown();
        return String.format(Locale.ROOT, "%.1f %.3f", done.get() * 1e9 / nanos, cpu / 1e3 / done.get());
    }

    private static void fill(Client client) throws Exception {
        Random random = new Random(1);
        if (client.scan("user" + 10_000, SCAN_ROWS) == SCAN_ROWS) {
            return;
        }
        for (int i = 0; i < ROWS; i++) {
            client.insert("user" + (10_000 + i), row(random));
        }
    }

    private static String key(Random random) {
        return "user" + (10_000 + random.nextInt(ROWS));
    }

    private static byte[][] row(Random random) {
        byte[][] row = new byte[FIELDS][];
        for (int i = 0; i < FIELDS; i++) {
            row[i] = value(random);
        }
        return row;
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[LENGTH];
        random.nextBytes(value);
        return value;
    }

    static void require(boolean condition) {
        if (!condition) {
            throw new IllegalStateException("an operation did not do what was asked");
        }
    }
}
