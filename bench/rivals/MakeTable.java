import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes the table {@code usertable} as RonDB's fork of YCSB asks for it, which every binding can use. Arguments: URL, user, storage engine. */
public final class MakeTable {
    public static void main(String[] arguments) throws Exception {
        String fields = IntStream.range(0, 10)
                .mapToObj(i -> ", FIELD" + i + " VARCHAR(100)")
                .collect(Collectors.joining());
        String password = System.getenv().getOrDefault("DB_PASSWD", "");
        try (Connection connection = DriverManager.getConnection(arguments[0], arguments[1], password);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS usertable");
            statement.execute("CREATE TABLE usertable (YCSB_KEY VARCHAR(255) NOT NULL PRIMARY KEY" + fields
                    + ") CHARSET latin1 ENGINE=" + arguments[2]);
        }
    }
}
