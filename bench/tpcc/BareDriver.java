import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** The driver with nothing around it: the binding's statements, prepared once, no maps, no checks but the result's. */
final class BareDriver implements TxBench.Client {
    private final Connection connection;
    private final PreparedStatement read;
    private final PreparedStatement readForUpdate;
    private final PreparedStatement insert;
    private final PreparedStatement update;

    BareDriver(Properties properties) throws SQLException {
        connection = connect(properties);
        connection.setAutoCommit(false);
        read = connection.prepareStatement("SELECT `FIELD0` FROM `benchtx` WHERE `YCSB_KEY` = ?");
        readForUpdate = connection.prepareStatement("SELECT `FIELD0` FROM `benchtx` WHERE `YCSB_KEY` = ? FOR UPDATE");
        insert = connection.prepareStatement("INSERT INTO `benchtx` (`YCSB_KEY`, `FIELD0`) VALUES (?, ?)");
        update = connection.prepareStatement("UPDATE `benchtx` SET `FIELD0` = ? WHERE `YCSB_KEY` = ?");
    }

    /** With the binding's own way to prepare statements, and its time limits, which cost the driver a system call or two per answer. */
    private static Connection connect(Properties properties) throws SQLException {
        Properties own = new Properties();
        own.setProperty("user", properties.getProperty("db.user", ""));
        own.setProperty("password", System.getenv().getOrDefault("DB_PASSWD", ""));
        own.setProperty("useServerPrepStmts", "true");
        own.setProperty("connectTimeout", "5000");
        own.setProperty("socketTimeout", "30000");
        return DriverManager.getConnection(properties.getProperty("db.url"), own);
    }

    /** Drops the table. */
    public static void main(String[] none) throws SQLException {
        try (Connection connection = connect(System.getProperties());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS `benchtx`");
        }
    }

    @Override
    public void begin(String key) {
        // With the first statement.
    }

    @Override
    public byte[] read(String key) throws SQLException {
        return row(read, key);
    }

    @Override
    public byte[] readForUpdate(String key) throws SQLException {
        return row(readForUpdate, key);
    }

    @Override
    public void insert(String key, byte[] row) throws SQLException {
        insert.setBytes(1, bytes(key));
        insert.setBytes(2, row);
        one(insert.executeUpdate());
    }

    @Override
    public void update(String key, byte[] row) throws SQLException {
        update.setBytes(1, row);
        update.setBytes(2, bytes(key));
        one(update.executeUpdate());
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private static byte[] row(PreparedStatement statement, String key) throws SQLException {
        statement.setBytes(1, bytes(key));
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getBytes(1) : null;
        }
    }

    private static void one(int rows) {
        if (rows != 1) {
            throw new IllegalStateException(rows + " rows changed");
        }
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
