import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that read rows of `usertable` by the bare driver, each on a connection of its own, as fast as they can: reads a second, and client CPU
 * of a read, in user and in kernel mode.
 * Arguments: URL, user, number of threads, {@code platform} or {@code virtual} (Java 21 and later), seconds of warm-up, seconds, rows.
 */
final class BareThreads {
    private static final LongAdder READS = new LongAdder();

    private static volatile boolean over;

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[2]);
        boolean virtual = arguments[3].equals("virtual");
        Properties login = new Properties();
        login.setProperty("user", arguments[1]);
        login.setProperty("password", System.getenv().getOrDefault("DB_PASSWD", ""));
        login.setProperty("useServerPrepStmts", "true");
        login.setProperty("connectTimeout", "5000");
        login.setProperty("socketTimeout", "30000");
        CountDownLatch connected = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Runnable reader = () -> read(arguments[0], login, Integer.parseInt(arguments[6]), connected);
            if (virtual) {
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, reader);
            } else {
                new Thread(reader).start();
            }
        }
        connected.await();
        Thread.sleep(Integer.parseInt(arguments[4]) * 1000L);
        long reads = READS.sum();
        long nanos = System.nanoTime();
        long[] ticks = ticks();
        Thread.sleep(Integer.parseInt(arguments[5]) * 1000L);
        long[] then = ticks();
        double seconds = (System.nanoTime() - nanos) / 1e9;
        double read = READS.sum() - reads;
        over = true;
        System.out.printf("%.0f %.2f %.2f%n", read / seconds, 1e4 * (then[0] - ticks[0]) / read, 1e4 * (then[1] - ticks[1]) / read);
        System.exit(0);
    }

    private static void read(String url, Properties login, int rows, CountDownLatch connected) {
        try (Connection connection = DriverManager.getConnection(url, login);
                PreparedStatement read = connection.prepareStatement("SELECT * FROM `usertable` WHERE `YCSB_KEY` = ?")) {
            connected.countDown();
            while (!over) {
                read.setString(1, "user" + ThreadLocalRandom.current().nextInt(rows));
                try (ResultSet found = read.executeQuery()) {
                    if (!found.next()) {
                        throw new SQLException("a row is missing: load them with -p insertorder=ordered");
                    }
                    for (int i = found.getMetaData().getColumnCount(); i > 0; i--) {
                        found.getBytes(i);
                    }
                }
                READS.increment();
            }
        } catch (SQLException e) {
            if (!over) {
                System.err.println(e);
                System.exit(1);
            }
        }
    }

    /** Ticks of 10 ms in user and in kernel mode: fields 14 and 15 of proc(5)'s stat, here counted from behind the name. */
    private static long[] ticks() throws Exception {
        String line = Files.readString(Path.of("/proc/" + ManagementFactory.getRuntimeMXBean().getPid() + "/stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return new long[] {Long.parseLong(fields[11]), Long.parseLong(fields[12])};
    }
}
