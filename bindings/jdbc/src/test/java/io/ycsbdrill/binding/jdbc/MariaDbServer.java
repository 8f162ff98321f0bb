package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A MariaDB server on loopback with a data directory of its own, shared by the test classes that want it. It is taken from
 * {@code MARIADB_HOME} (an unpacked tree with {@code bin} and {@code sbin}) or {@code /usr}; tests are skipped without it.
 */
final class MariaDbServer implements BeforeAllCallback, ParameterResolver {

    @Override
    public void beforeAll(ExtensionContext context) {
        Path home = home();
        boolean found = Files.isExecutable(home.resolve("sbin/mariadbd"))
                && Files.isExecutable(home.resolve("bin/mariadb-install-db"));
        String reason =
                "skipped: no sbin/mariadbd in " + home + "; install the package mariadb-server, or set MARIADB_HOME";
        if (!found) {
            System.out.println(reason); // the build does not show the reason of an assumption
        }
        assumeTrue(found, reason);
    }

    private static Path home() {
        return Path.of(System.getenv().getOrDefault("MARIADB_HOME", "/usr"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Running.class;
    }

    @Override
    public Running resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Running.class, key -> new Running(home()), Running.class);
    }

    /** The server's process and address. */
    static final class Running implements AutoCloseable {
        private final Path home;
        private final Path folder;
        private final int port;
        private Process server;

        private Running(Path home) {
            this.home = home;
            try {
                folder = Files.createTempDirectory("mariadb-it");
                try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                    port = free.getLocalPort();
                }
                start();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        int port() {
            return port;
        }

        private void start() throws IOException, InterruptedException {
            Path data = folder.resolve("data");
            Path log = folder.resolve("log");
            Process install = process(
                    log,
                    "bin/mariadb-install-db",
                    "--no-defaults",
                    "--basedir=" + home,
                    "--datadir=" + data,
                    "--user=" + System.getProperty("user.name"),
                    "--auth-root-authentication-method=normal",
                    "--skip-test-db",
                    "--skip-name-resolve");
            assertThat(install.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(install.exitValue()).as(Files.readString(log)).isZero();
            Path init = Files.writeString(
                    folder.resolve("init.sql"),
                    "CREATE DATABASE ycsb;\nCREATE USER ycsb@'127.0.0.1' IDENTIFIED BY 'secret';\n"
                            + "GRANT ALL ON ycsb.* TO ycsb@'127.0.0.1';\n");
            server = process(
                    log,
                    "sbin/mariadbd",
                    "--no-defaults",
                    "--basedir=" + home,
                    "--datadir=" + data,
                    "--user=" + System.getProperty("user.name"),
                    "--lc-messages-dir=" + home.resolve("share/mysql"),
                    "--plugin-dir=" + home.resolve("lib/mysql/plugin"),
                    "--socket=" + folder.resolve("s"),
                    "--bind-address=127.0.0.1",
                    "--port=" + port,
                    "--skip-name-resolve",
                    "--init-file=" + init);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!answers()) {
                assertThat(server.isAlive() && System.nanoTime() < end)
                        .as("mariadbd starts: " + Files.readString(log))
                        .isTrue();
                Thread.sleep(100);
            }
        }

        private boolean answers() {
            try {
                DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/ycsb", "ycsb", "secret")
                        .close();
                return true;
            } catch (SQLException e) {
                return false;
            }
        }

        private Process process(Path log, String program, String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(home.resolve(program).toString()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            String libraries = builder.environment().getOrDefault("LD_LIBRARY_PATH", "");
            builder.environment()
                    .put("LD_LIBRARY_PATH", home.resolve("lib/x86_64-linux-gnu") + File.pathSeparator + libraries);
            return builder.start();
        }

        @Override
        public void close() throws IOException {
            if (server != null) {
                server.destroyForcibly().onExit().join();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }
}
