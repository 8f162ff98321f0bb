package io.ycsbdrill.binding.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A MariaDB server on loopback with a data directory of its own, shared by the test classes that want it. It is taken from
 * {@code MARIADB_HOME} (an unpacked tree with {@code bin} and {@code sbin}) or {@code /usr}; tests are skipped without it.
 */
final class MariaDbServer extends SharedServer<MariaDbServer.Running> {

    MariaDbServer() {
        super(Running.class, MariaDbServer::lack, () -> new Running(home()));
    }

    private static Optional<String> lack() {
        return Files.isExecutable(home().resolve("sbin/mariadbd"))
                        && Files.isExecutable(home().resolve("bin/mariadb-install-db"))
                ? Optional.empty()
                : Optional.of(
                        "no sbin/mariadbd in " + home() + "; install the package mariadb-server, or set MARIADB_HOME");
    }

    private static Path home() {
        return Path.of(System.getenv().getOrDefault("MARIADB_HOME", "/usr"));
    }

    /** The server's process and address. */
    static final class Running implements AutoCloseable {
        private final ServerProcess process;

        /** One of a test's own, with further options. */
        static Running with(String... options) {
            return new Running(home(), options);
        }

        private Running(Path home, String... options) {
            try {
                process = new ServerProcess("mariadb-it", home.resolve("lib/x86_64-linux-gnu"));
                start(home, options);
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        int port() {
            return process.port();
        }

        /** What reaches it with Connector/J. */
        Properties properties(String table) {
            Properties properties = new Properties();
            properties.setProperty("db.url", "jdbc:mysql://127.0.0.1:" + port() + "/ycsb");
            properties.setProperty("db.user", "ycsb");
            properties.setProperty("db.passwd", "secret");
            properties.setProperty("db.table.engine", "InnoDB");
            properties.setProperty("table", table);
            return properties;
        }

        private void start(Path home, String... options) throws IOException, InterruptedException {
            String data = "--datadir=" + process.folder().resolve("data");
            // A server that starts removes what it takes for leftovers of its own in the folder for temporary tables.
            String temporary =
                    "--tmpdir=" + Files.createDirectories(process.folder().resolve("tmp"));
            String user = "--user=" + System.getProperty("user.name");
            process.run(List.of(
                    home.resolve("bin/mariadb-install-db").toString(),
                    "--no-defaults",
                    "--basedir=" + home,
                    data,
                    temporary,
                    user,
                    "--auth-root-authentication-method=normal",
                    "--skip-test-db",
                    "--skip-name-resolve"));
            Path init = Files.writeString(
                    process.folder().resolve("init.sql"),
                    "CREATE DATABASE ycsb;\nCREATE USER ycsb@'127.0.0.1' IDENTIFIED BY 'secret';\n"
                            + "GRANT ALL ON ycsb.* TO ycsb@'127.0.0.1';\n");
            List<String> command = new ArrayList<>(List.of(
                    home.resolve("sbin/mariadbd").toString(),
                    "--no-defaults",
                    "--basedir=" + home,
                    data,
                    temporary,
                    user,
                    "--lc-messages-dir=" + home.resolve("share/mysql"),
                    "--plugin-dir=" + home.resolve("lib/mysql/plugin"),
                    "--socket=" + process.folder().resolve("s"),
                    "--bind-address=127.0.0.1",
                    "--port=" + port(),
                    "--skip-name-resolve",
                    "--init-file=" + init));
            command.addAll(List.of(options));
            process.start(command, "jdbc:mysql://127.0.0.1:" + port() + "/ycsb", "ycsb", "secret");
        }

        @Override
        public void close() throws IOException {
            process.close();
        }
    }
}
