package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A database server of a test: its folder, its port on loopback, and its process, which ends with the test. */
final class ServerProcess implements AutoCloseable {
    /** Of a key. */
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final Path folder;
    private final Path log;
    private final int port;
    private final Path libraries;
    private Process server;

    /** @param libraries where the programs find their libraries */
    ServerProcess(String name, Path libraries) throws IOException {
        this.libraries = libraries;
        folder = Files.createTempDirectory(name);
        log = folder.resolve("log");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    Path folder() {
        return folder;
    }

    int port() {
        return port;
    }

    /** Runs a program to its end, which must be a good one. */
    void run(List<String> command) throws IOException, InterruptedException {
        Process program = process(command);
        assertThat(program.waitFor(120, TimeUnit.SECONDS))
                .as("%s ends", command)
                .isTrue();
        assertThat(program.exitValue()).as(Files.readString(log)).isZero();
    }

    /** Starts the server and waits until it takes connections. */
    void start(List<String> command, String url, String user, String password)
            throws IOException, InterruptedException {
        server = process(command);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!answers(url, user, password)) {
            assertThat(server.isAlive() && System.nanoTime() < end)
                    .as("the server starts: " + Files.readString(log))
                    .isTrue();
            Thread.sleep(100);
        }
    }

    private static boolean answers(String url, String user, String password) {
        try {
            DriverManager.getConnection(url, user, password).close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private Process process(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        String others = builder.environment().getOrDefault("LD_LIBRARY_PATH", "");
        builder.environment().put("LD_LIBRARY_PATH", libraries + File.pathSeparator + others);
        return builder.start();
    }

    /** Ends the server at once, as a crash does. */
    void kill() {
        if (server != null) {
            server.destroyForcibly().onExit().join();
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
