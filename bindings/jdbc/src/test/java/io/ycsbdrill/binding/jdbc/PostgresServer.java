package io.ycsbdrill.binding.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A PostgreSQL server on loopback with a data directory of its own, shared by the test classes that want it. Its programs come
 * from a Maven artefact. As they refuse to run for root, they run as the user {@code nobody} then.
 */
final class PostgresServer extends SharedServer<PostgresServer.Running> {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final boolean ROOT = System.getProperty("user.name").equals("root");

    PostgresServer() {
        super(Running.class, PostgresServer::lack, Running::new);
    }

    private static Optional<String> lack() {
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            return Optional.of("PostgreSQL's programs are for Linux on x86-64");
        }
        return Stream.of("tar", "xz", "setpriv")
                .filter(program -> ROOT || !program.equals("setpriv"))
                .filter(program ->
                        Stream.of("/usr/bin", "/bin").noneMatch(folder -> Files.isExecutable(Path.of(folder, program))))
                .findFirst()
                .map(program -> "no program " + program + ", which PostgreSQL is unpacked or started with");
    }

    /** The server's process and address. */
    static final class Running implements AutoCloseable {
        private final ServerProcess process;

        private Running() {
            try {
                process = new ServerProcess("postgres-it", Path.of("lib"));
                start(process.folder());
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        String url() {
            return "jdbc:postgresql://127.0.0.1:" + process.port() + "/postgres";
        }

        Properties properties(String table) {
            Properties properties = new Properties();
            properties.setProperty("db.url", url());
            properties.setProperty("db.user", "ycsb");
            properties.setProperty("db.passwd", "secret");
            properties.setProperty("table", table);
            return properties;
        }

        private void start(Path folder) throws IOException, InterruptedException {
            try (InputStream archive = PostgresServer.class.getResourceAsStream(ARCHIVE)) {
                Files.copy(archive, folder.resolve("archive.txz"));
            }
            process.run(List.of("tar", "-xJf", "archive.txz"));
            if (ROOT) {
                process.run(List.of("chown", "nobody", "."));
            }
            Path passwords = Files.writeString(folder.resolve("pw"), "secret");
            process.run(asUser(
                    "bin/initdb",
                    "-D",
                    "data",
                    "-U",
                    "ycsb",
                    "-A",
                    "scram-sha-256",
                    "--pwfile=" + passwords.getFileName(),
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync"));
            process.start(
                    asUser(
                            "bin/postgres",
                            "-D",
                            "data",
                            "-h",
                            "127.0.0.1",
                            "-p",
                            Integer.toString(process.port()),
                            "-k",
                            folder.toString(),
                            "-F"),
                    url(),
                    "ycsb",
                    "secret");
        }

        private static List<String> asUser(String... command) {
            List<String> whole = new ArrayList<>();
            if (ROOT) {
                whole.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
            }
            whole.addAll(List.of(command));
            return whole;
        }

        @Override
        public void close() throws IOException {
            process.close();
        }
    }
}
