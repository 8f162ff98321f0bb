package io.ycsbdrill.binding.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A primary of PostgreSQL and its streaming standby on loopback, which can change roles as a cluster manager has them do. */
final class PostgresPair implements AutoCloseable {
    private final ServerProcess first;
    private final ServerProcess second;
    private final Path programs;

    /** The first is the primary. */
    PostgresPair() throws IOException, InterruptedException {
        first = new ServerProcess("postgres-first", Path.of("lib"));
        programs = first.folder();
        second = new ServerProcess("postgres-second", programs.resolve("lib"));
        PostgresServer.initialise(first);
        second.run(List.of("cp", "-a", data(first), data(second)));
        start(first);
        follow(second, first);
    }

    int port(int server) {
        return process(server).port();
    }

    void kill(int server) {
        process(server).kill();
    }

    /** Makes a standby the primary. */
    void promote(int server) throws SQLException {
        ask(process(server), "SELECT pg_promote(true, 30)");
    }

    /** Makes a server that has been killed a standby of the other, with a new copy of its data. */
    void rejoin(int server) throws IOException, InterruptedException, SQLException {
        ServerProcess old = process(server);
        ServerProcess primary = process(1 - server);
        old.run(List.of("rm", "-rf", data(old)));
        try (Connection connection = connect(primary);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('copy', true)");
            old.run(List.of("cp", "-a", data(primary), data(old)));
            try (ResultSet label = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                label.next();
                Files.writeString(Path.of(data(old), "backup_label"), label.getString(1));
            }
        }
        Files.delete(Path.of(data(old), "postmaster.pid"));
        follow(old, primary);
    }

    /** A value of the server. */
    String ask(int server, String question) throws SQLException {
        return ask(process(server), question);
    }

    private ServerProcess process(int server) {
        return server == 0 ? first : second;
    }

    private static String ask(ServerProcess process, String question) throws SQLException {
        try (Connection connection = connect(process);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    private void follow(ServerProcess standby, ServerProcess primary) throws IOException, InterruptedException {
        Files.writeString(Path.of(data(standby), "standby.signal"), "");
        Files.writeString(
                Path.of(data(standby), "postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + primary.port() + " user=ycsb password=secret'\n");
        PostgresServer.own(standby);
        start(standby);
    }

    private void start(ServerProcess process) throws IOException, InterruptedException {
        process.start(
                PostgresServer.server(process, programs, "-c", "wal_keep_size=256MB"), url(process), "ycsb", "secret");
    }

    private static Connection connect(ServerProcess process) throws SQLException {
        return DriverManager.getConnection(url(process), "ycsb", "secret");
    }

    private static String url(ServerProcess process) {
        return "jdbc:postgresql://127.0.0.1:" + process.port() + "/postgres";
    }

    private static String data(ServerProcess process) {
        return process.folder().resolve("data").toString();
    }

    @Override
    public void close() throws IOException {
        second.close();
        first.close();
    }
}
