import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Drops the tables named, where they are there. */
public final class DropTables {
    public static void main(String[] tables) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        System.getProperty("db.url"), BareClient.login(System.getProperties()));
                Statement statement = connection.createStatement()) {
            for (String table : tables) {
                statement.execute("DROP TABLE IF EXISTS `" + table + "`");
            }
        }
    }
}
