package io.ycsbdrill.client.cli;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Counts the clients' connections on each server while a run goes on, on a thread of its own. */
final class ConnectionCount implements AutoCloseable {
    private static final String COUNT =
            "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'ycsb' AND id <> CONNECTION_ID()";

    private final List<Integer> ports;
    private final int clients;
    private final Thread thread = new Thread(this::watch, "connection-count");
    private volatile List<Integer> last = List.of();
    private volatile boolean closed;

    /** @param clients connections there are when all threads have one; other counts hold a check or a probe, and are passed over */
    ConnectionCount(List<Integer> ports, int clients) {
        this.ports = ports;
        this.clients = clients;
        thread.start();
    }

    /** The connections on each server when all clients were last seen connected; empty when they never were. */
    List<Integer> last() {
        return last;
    }

    private void watch() {
        while (!closed) {
            List<Integer> counts = new ArrayList<>();
            for (int port : ports) {
                counts.add(count(port));
            }
            if (counts.stream().mapToInt(Integer::intValue).sum() == clients) {
                last = List.copyOf(counts);
            }
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static int count(int port) {
        String url = "jdbc:mysql://127.0.0.1:" + port + "/ycsb?connectTimeout=2000&socketTimeout=2000";
        try (Connection connection = DriverManager.getConnection(url, "ycsb", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(COUNT)) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            return 0; // a server that is down has none
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
