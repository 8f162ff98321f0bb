import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The driver with nothing around it: the binding's statements, prepared once, no maps, no names, no checks but the result's. */
final class BareClient implements Bench.Client {
    private static final String ALL = IntStream.range(0, Bench.FIELDS)
            .mapToObj(i -> "`FIELD" + i + "`")
            .collect(Collectors.joining(", "));

    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement read;
    private final PreparedStatement[] update = new PreparedStatement[Bench.FIELDS];
    private final PreparedStatement delete;
    private final PreparedStatement scan;

    BareClient(Properties properties) throws SQLException {
        connection = DriverManager.getConnection(properties.getProperty("db.url"), login(properties));
        insert = connection.prepareStatement("INSERT INTO `bench` (`YCSB_KEY`, " + ALL + ") VALUES (?" + ", ?".repeat(10) + ")");
        read = connection.prepareStatement("SELECT " + ALL + " FROM `bench` WHERE `YCSB_KEY` = ?");
        for (int i = 0; i < update.length; i++) {
            update[i] = connection.prepareStatement("UPDATE `bench` SET `FIELD" + i + "` = ? WHERE `YCSB_KEY` = ?");
        }
        delete = connection.prepareStatement("DELETE FROM `bench` WHERE `YCSB_KEY` = ?");
        scan = connection.prepareStatement(
                "SELECT " + ALL + " FROM `bench` WHERE `YCSB_KEY` >= ? ORDER BY `YCSB_KEY` LIMIT ?");
    }

    /** With the binding's own way to prepare statements, and its time limits, which cost the driver a system call or two per answer. */
    static Properties login(Properties properties) {
        Properties own = new Properties();
        own.setProperty("user", properties.getProperty("db.user", ""));
        own.setProperty("password", System.getenv().getOrDefault("DB_PASSWD", ""));
        own.setProperty("useServerPrepStmts", "true");
        own.setProperty("connectTimeout", "5000");
        own.setProperty("socketTimeout", "30000");
        return own;
    }

    @Override
    public void insert(String key, byte[][] values) throws SQLException {
        insert.setBytes(1, bytes(key));
        for (int i = 0; i < values.length; i++) {
            insert.setBytes(i + 2, values[i]);
        }
        Bench.require(insert.executeUpdate() == 1);
    }

    @Override
    public int read(String key) throws SQLException {
        read.setBytes(1, bytes(key));
        try (ResultSet rows = read.executeQuery()) {
            Bench.require(rows.next());
            return length(rows);
        }
    }

    @Override
    public void update(String key, int field, byte[] value) throws SQLException {
        update[field].setBytes(1, value);
        update[field].setBytes(2, bytes(key));
        Bench.require(update[field].executeUpdate() == 1);
    }

    @Override
    public void delete(String key) throws SQLException {
        delete.setBytes(1, bytes(key));
        Bench.require(delete.executeUpdate() == 1);
    }

    @Override
    public int scan(String start, int limit) throws SQLException {
        scan.setBytes(1, bytes(start));
        scan.setInt(2, limit);
        int found = 0;
        try (ResultSet rows = scan.executeQuery()) {
            while (rows.next()) {
                Bench.require(length(rows) == Bench.FIELDS * Bench.LENGTH);
                found++;
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private static int length(ResultSet row) throws SQLException {
        int length = 0;
        for (int i = 0; i < Bench.FIELDS; i++) {
            length += row.getBytes(i + 1).length;
        }
        return length;
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
