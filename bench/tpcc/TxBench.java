import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
 * Enters orders as the TPC-C-like workload's mode {@code tx} does, with the same statements in the same order on rows of the same sizes,
 * through the client of the class that it is told. Prints transactions per second and the CPU time of this process for each.
 * Each thread has districts and items of its own, so that none waits for a lock; every transaction must be committed.
 */
public final class TxBench {
    static final String TABLE = "benchtx";
    private static final int DISTRICTS = 10;
    private static final int ITEMS = 1_000;
    private static final int LINES = 10;

    /** One thread's client. Each call throws unless it did what was asked. */
    interface Client extends AutoCloseable {
        void begin(String key) throws Exception;

        /** Null when there is no such row. */
        byte[] read(String key) throws Exception;

        byte[] readForUpdate(String key) throws Exception;

        void insert(String key, byte[] row) throws Exception;

        void update(String key, byte[] row) throws Exception;

        void commit() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < Integer.getInteger("bench.threads", 2); i++) {
            clients.add((Client) Class.forName(name)
                    .getDeclaredConstructor(Properties.class)
                    .newInstance(System.getProperties()));
        }
        fill(clients);
        measure(clients, Double.parseDouble(System.getProperty("bench.warm", "8")));
        System.out.println(
                name + " new-order " + measure(clients, Double.parseDouble(System.getProperty("bench.seconds", "5"))));
        for (Client client : clients) {
            client.close();
        }
        System.exit(0);
    }

    /** Makes the rows that are not there yet. */
    private static void fill(List<Client> clients) throws Exception {
        Client client = clients.get(0);
        for (int thread = 0; thread < clients.size(); thread++) {
            client.begin("w:" + thread);
            if (client.read("w:" + thread) != null) {
                client.commit();
                continue;
            }
            client.insert("w:" + thread, row("warehouse", 60));
            for (int d = 0; d < DISTRICTS; d++) {
                client.insert("d:" + thread + ":" + d, row("1", 60));
                client.insert("c:" + thread + ":" + d, row("customer", 300));
            }
            client.commit();
            for (int i = 0; i < ITEMS; i += 50) {
                client.begin("i:" + thread + ":" + i);
                for (int j = i; j < i + 50; j++) {
                    client.insert("i:" + thread + ":" + j, row("item", 70));
                    client.insert("s:" + thread + ":" + j, row("100", 280));
                }
                client.commit();
            }
        }
    }

    private static String measure(List<Client> clients, double seconds) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        AtomicLong done = new AtomicLong();
        long cpu = Cpu.nanos();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int t = 0; t < clients.size(); t++) {
            int thread = t;
            tasks.add(() -> {
                Random random = new Random();
                while (System.nanoTime() < end) {
                    newOrder(clients.get(thread), random, thread);
                    done.incrementAndGet();
                }
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

    private static void newOrder(Client client, Random random, int thread) throws Exception {
        int d = random.nextInt(DISTRICTS);
        String warehouse = "w:" + thread;
        client.begin(warehouse);
        there(client.read(warehouse));
        String district = "d:" + thread + ":" + d;
        int order = number(there(client.readForUpdate(district)));
        there(client.read("c:" + thread + ":" + d));
        client.update(district, row(Integer.toString(order + 1), 60));
        byte[][] lines = new byte[LINES][];
        for (int i = 0; i < LINES; i++) {
            // One of its own tenth each, so that none comes twice.
            int item = i * (ITEMS / LINES) + random.nextInt(ITEMS / LINES);
            there(client.read("i:" + thread + ":" + item));
            String stock = "s:" + thread + ":" + item;
            int left = number(there(client.readForUpdate(stock)));
            client.update(stock, row(Integer.toString(left > 10 ? left - 1 : 100), 280));
            lines[i] = row(Integer.toString(item), 60);
        }
        String at = thread + ":" + d + ":" + order;
        client.insert("o:" + at, row("order", 30));
        client.insert("n:" + at, row("1", 1));
        for (int i = 0; i < LINES; i++) {
            client.insert("l:" + at + ":" + i, lines[i]);
        }
        client.update("c:" + thread + ":" + d, row("customer", 300));
        client.commit();
    }

    private static byte[] there(byte[] row) {
        if (row == null) {
            throw new IllegalStateException("a row is missing");
        }
        return row;
    }

    /** As the workload's rows: text, fields apart by a character. */
    private static byte[] row(String first, int bytes) {
        StringBuilder text = new StringBuilder(first).append('|');
        while (text.length() < bytes) {
            text.append('x');
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int number(byte[] row) {
        String text = new String(row, StandardCharsets.ISO_8859_1);
        return Integer.parseInt(text.substring(0, text.indexOf('|')));
    }
}
