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

    /** Unpacks the programs into the folder, and makes an empty database in its folder {@code data}. */
    static void initialise(ServerProcess process) throws IOException, InterruptedException {
        Path folder = process.folder();
        try (InputStream archive = PostgresServer.class.getResourceAsStream(ARCHIVE)) {
            Files.copy(archive, folder.resolve("archive.txz"));
        }
        process.run(List.of("tar", "-xJf", "archive.txz"));
        own(process);
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
    }

    /** Gives the folder and what is in it to the user that the server runs as. */
    static void own(ServerProcess process) throws IOException, InterruptedException {
        if (ROOT) {
            process.run(List.of("chown", "-R", "nobody", "."));
        }
    }

    /**
     * What starts the server of a folder.
     *
     * @param programs where they were unpacked
     */
    static List<String> server(ServerProcess process, Path programs, String... options) {
        List<String> command = asUser(
                programs.resolve("bin/postgres").toString(),
                "-D",
                "data",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(process.port()),
                "-k",
                process.folder().toString(),
                "-F");
        command.addAll(List.of(options));
        return command;
    }

    private static List<String> asUser(String... command) {
        List<String> whole = new ArrayList<>();
        if (ROOT) {
            whole.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        whole.addAll(List.of(command));
        return whole;
    }

    /** The server's process and address. */
    static final class Running implements AutoCloseable {
        private final ServerProcess process;

        private Running() {
            try {
                process = new ServerProcess("postgres-it", Path.of("lib"));
                initialise(process);
                process.start(server(process, process.folder()), url(), "ycsb", "secret");
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

        @Override
        public void close() throws IOException {
            process.close();
        }
    }
}
