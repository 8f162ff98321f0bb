package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers whose first words never end, a byte at a time, which no time-out of a single read notices: whole commands end within
 * the bounds that they were given, and at one signal.
 */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class DrippingServersIT {
    private static final byte[] HTTP = "HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII);
    /** The length of a greeting, and its beginning. */
    private static final byte[] MYSQL = {(byte) 0xff, (byte) 0xff, 0, 0, 10, '8', '.', '0'};

    private static final List<String> DIALECTS = List.of("harperdb", "ignite", "cratedb", "faunadb");
    private static final List<String> SCHEMES = List.of("mysql", "mariadb");

    private final List<ServerSocket> servers = new ArrayList<>();
    private final List<Child> children = new ArrayList<>();
    private final AtomicInteger connected = new AtomicInteger();

    @TempDir
    private Path folder;

    @AfterEach
    void end() throws IOException {
        children.forEach(Child::close);
        for (ServerSocket server : servers) {
            server.close();
        }
    }

    @Test
    void commandsEndWithinTheirBounds() throws Exception {
        for (String dialect : DIALECTS) {
            run(rest(dialect, "1s"));
        }
        for (String scheme : SCHEMES) {
            run(jdbc(scheme, "1s", "1s"));
        }

        for (Child child : children) {
            assertThat(child.exitCode()).as(child.err()).isEqualTo(1);
        }
        for (Child child : children.subList(0, DIALECTS.size())) {
            assertThat(child.err()).contains("no reply within 1000 ms");
        }
        for (Child child : children.subList(DIALECTS.size(), children.size())) {
            assertThat(child.err()).contains("no login within 2000 ms");
        }
    }

    @Test
    void oneSignalEndsThem() throws Exception {
        run(rest("ignite", "30m"));
        for (String scheme : SCHEMES) {
            run(jdbc(scheme, "5m", "30m"));
        }
        for (Child child : children) {
            child.await(() -> connected.get() >= children.size());
        }

        for (Child child : children) {
            child.signal("TERM");
        }

        for (Child child : children) {
            assertThat(child.exitCode()).as(child.err()).isEqualTo(143);
            assertThat(child.err()).doesNotContain("did not end within");
        }
    }

    private List<String> rest(String dialect, String timeout) throws IOException {
        return List.of(
                "rest",
                "-p",
                "rest.dialect=" + dialect,
                "-p",
                "rest.endpoints=http://127.0.0.1:" + dripping(HTTP),
                "-p",
                "rest.timeout=" + timeout);
    }

    private List<String> jdbc(String scheme, String connect, String socket) throws IOException {
        return List.of(
                "jdbc",
                "-p",
                "db.url=jdbc:" + scheme + "://127.0.0.1:" + dripping(MYSQL) + "/x",
                "-p",
                "db.user=me",
                "-p",
                "db.connect.timeout=" + connect,
                "-p",
                "db.socket.timeout=" + socket);
    }

    private void run(List<String> binding) throws IOException {
        Path directory = Files.createDirectories(folder.resolve(Integer.toString(children.size())));
        Files.writeString(
                directory.resolve("w"),
                "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=10\n");
        List<String> command = Child.ycsb("run");
        command.addAll(binding);
        command.addAll(List.of("-P", "w", "--no-load", "--duration", "2s", "--out", "run"));
        Map<String, String> environment =
                Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString());
        children.add(new Child(directory, environment, command));
    }

    /** @return the port of a server that begins with this, and then sends a byte now and then */
    private int dripping(byte[] first) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        servers.add(server);
        daemon(() -> {
            try {
                while (true) {
                    Socket connection = server.accept();
                    connected.incrementAndGet();
                    daemon(() -> drip(connection, first));
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
        return server.getLocalPort();
    }

    private static void drip(Socket connection, byte[] first) {
        try (connection) {
            OutputStream out = connection.getOutputStream();
            out.write(first);
            while (true) {
                out.write('x');
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            // The client is gone.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "dripping-server");
        thread.setDaemon(true);
        thread.start();
    }
}
