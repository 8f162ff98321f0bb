package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server whose greeting never ends, a byte at a time: no time-out of a driver's own ends that. */
class DrippingServerTest {
    /** The beginnings of a greeting of MySQL and MariaDB, and of of PostgreSQL's refusal. */
    private static final byte[] MYSQL = {(byte) 0xff, (byte) 0xff, 0, 0, 10, '8', '.', '0'};

    private static final byte[] POSTGRESQL = {'E', 0, 0, 0x70, 0, 'S'};

    private ServerSocket listening;
    private volatile byte[] greeting = {};

    @BeforeEach
    void start() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    @AfterEach
    void end() throws IOException {
        listening.close();
    }

    @ParameterizedTest
    @CsvSource({"mysql, ''", "mariadb, ''", "postgresql, ?sslmode=disable"})
    @Timeout(60)
    void theWholeLoginHasABound(String scheme, String query) throws Exception {
        Connector connector = connector(scheme, query, "300ms", "400ms");

        assertThatThrownBy(() ->
                        connector.open(settings(scheme, query, "300ms", "400ms").url(0)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no login within 700 ms");
    }

    @ParameterizedTest
    @CsvSource({"mysql, ''", "mariadb, ''", "postgresql, ?sslmode=disable"})
    @Timeout(60)
    void anInterruptEndsIt(String scheme, String query) throws Exception {
        Connector connector = connector(scheme, query, "5m", "30m");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() ->
                        connector.open(settings(scheme, query, "5m", "30m").url(0)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("interrupted");

        assertThat(Thread.interrupted()).isTrue();
    }

    private Connector connector(String scheme, String query, String connect, String socket) throws Exception {
        greeting = scheme.equals("postgresql") ? POSTGRESQL : MYSQL;
        return new Connector(settings(scheme, query, connect, socket));
    }

    private JdbcSettings settings(String scheme, String query, String connect, String socket) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("db.url", "jdbc:" + scheme + "://127.0.0.1:" + listening.getLocalPort() + "/x" + query);
        properties.setProperty("db.user", "me");
        properties.setProperty("db.connect.timeout", connect);
        properties.setProperty("db.socket.timeout", socket);
        return JdbcSettings.of(properties, Map.of());
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listening.accept();
                daemon(() -> drip(connection));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void drip(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            OutputStream out = connection.getOutputStream();
            for (int i = 0; !listening.isClosed(); i++) {
                out.write(i < greeting.length ? greeting[i] : '0');
                out.flush();
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
