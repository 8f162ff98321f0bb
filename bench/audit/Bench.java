import io.ycsbdrill.client.audit.Audit;
import io.ycsbdrill.client.audit.Load;
import io.ycsbdrill.client.audit.journal.AuditDb;
import java.io.FileReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import site.ycsb.DB;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Runs a workload with and without the audit in turn, in one process and on the same connections: what the cluster, the machine and Java's
 * compiler do meanwhile changes slowly against these turns. Prints for each its operations per second, and the CPU time of this process and
 * of the whole machine per operation.
 *
 * <p>Arguments: the binding's class, the workload's file, pairs, seconds of a turn, threads, seconds of warm-up. System properties are the
 * binding's and, after the file, the workload's.
 */
public final class Bench {

    /** What was used until now. */
    private record Used(long nanos, long clientNanos, long machineNanos) {
        static Used now() throws IOException {
            return new Used(System.nanoTime(), Cpu.nanos(), busyNanos());
        }
    }

    private final CoreWorkload workload;
    private final List<DB> bindings = new ArrayList<>();
    private final List<DB> plain = new ArrayList<>();
    private final List<DB> audited = new ArrayList<>();
    private final List<Object> states = new ArrayList<>();
    private final ExecutorService threads;
    private final double seconds;

    private Bench(Properties properties, Audit audit, String binding, int threads, double seconds) throws Exception {
        this.threads = Executors.newFixedThreadPool(threads, task -> new Thread(task, "bench"));
        this.seconds = seconds;
        Measurements.setProperties(properties);
        workload = new CoreWorkload();
        workload.init(properties);
        for (int i = 0; i < threads; i++) {
            DB db = (DB) Class.forName(binding).getConstructor().newInstance();
            db.setProperties(properties);
            db.init();
            bindings.add(db);
            plain.add(new Checked(db));
            audited.add(audit.around(new Checked(db), 77, i));
            states.add(workload.initThread(properties, i, threads));
        }
        fill(Long.parseLong(properties.getProperty("recordcount")));
    }

    /** Loads the table, unless its first row is there. */
    private void fill(long rows) {
        if (workload.doInsert(bindings.get(0), states.get(0))) {
            for (long i = 1; i < rows; i++) {
                workload.doInsert(plain.get(0), states.get(0));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        try (Reader file = new FileReader(args[1])) {
            properties.load(file);
        }
        properties.putAll(System.getProperties());
        int pairs = Integer.parseInt(args[2]);
        int threads = Integer.parseInt(args[4]);
        Audit audit = Audit.of(properties, true, Path.of(args[6]), Load.UNKNOWN);
        Bench bench = new Bench(properties, audit, args[0], threads, Double.parseDouble(args[3]));
        for (double left = Double.parseDouble(args[5]); left > 0; left -= 2 * bench.seconds) {
            bench.turn(bench.plain);
            bench.turn(bench.audited);
        }
        for (int pair = 0; pair < pairs; pair++) {
            // Each is first as often as the other.
            if (pair % 2 == 0) {
                bench.print("OurClient", bench.audited);
                bench.print("Plain", bench.plain);
            } else {
                bench.print("Plain", bench.plain);
                bench.print("OurClient", bench.audited);
            }
        }
        for (DB db : bench.bindings) {
            db.cleanup();
        }
        System.exit(0);
    }

    private void print(String name, List<DB> dbs) throws Exception {
        System.out.println(name + " run " + turn(dbs));
    }

    private String turn(List<DB> dbs) throws Exception {
        Used before = Used.now();
        long end = before.nanos + (long) (seconds * 1e9);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < dbs.size(); i++) {
            DB db = dbs.get(i);
            Object state = states.get(i);
            tasks.add(() -> {
                long done = 0;
                for (; System.nanoTime() < end; done++) {
                    workload.doTransaction(db, state);
                    if (db instanceof AuditDb stamping) {
                        stamping.between();
                    }
                }
                return done;
            });
        }
        double done = 0;
        for (Future<Long> task : threads.invokeAll(tasks)) {
            done += task.get();
        }
        Used after = Used.now();
        return String.format(
                Locale.ROOT,
                "%.1f %.3f %.3f",
                done * 1e9 / (after.nanos - before.nanos),
                (after.clientNanos - before.clientNanos) / 1e3 / done,
                (after.machineNanos - before.machineNanos) / 1e3 / done);
    }

    /** CPU time of everything on this machine, in steps of 10 ms. Linux only. */
    private static long busyNanos() throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
        long ticks = 0;
        for (int field : new int[] {1, 2, 3, 6, 7}) {
            ticks += Long.parseLong(fields[field]);
        }
        return ticks * 10_000_000;
    }
}
