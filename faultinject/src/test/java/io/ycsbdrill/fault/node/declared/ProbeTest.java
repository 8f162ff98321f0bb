package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions to servers that say something and then nothing, or never end. */
@Timeout(60)
class ProbeTest {
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private interface Talk {
        void with(OutputStream client) throws IOException;
    }

    private String ask(String probe, Talk talk) throws IOException, InterruptedException {
        Thread thread = new Thread(() -> {
            try (Socket client = server.accept()) {
                talk.with(client.getOutputStream());
                client.getInputStream().transferTo(OutputStream.nullOutputStream()); // until it goes
            } catch (IOException e) {
                // it has gone
            }
        });
        thread.setDaemon(true);
        thread.start();
        EngineFile file = EngineFileReader.read(
                "m",
                EngineFileTest.whole("", "")
                        .replace(EngineFileTest.PROBE, probe.formatted("127.0.0.1:" + server.getLocalPort())));
        return file.nodes()
                .probe()
                .ask(text -> text, HttpClient.newHttpClient(), Programs.of(file, Map.of()), Duration.ofMillis(20))
                .text();
    }

    @Test
    void aPageThatDoesNotEndIsNoAnswer() {
        assertThatThrownBy(() -> ask(
                        "{http: 'http://%s/', recovered: x}",
                        client -> {
                            client.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"
                                    .getBytes(StandardCharsets.US_ASCII));
                            client.flush();
                        }))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aServerThatTalksWithoutEndHasAnsweredWithItsBeginning() throws Exception {
        assertThat(ask(
                        "{tcp: '%s', recovered: x}",
                        client -> {
                            while (true) {
                                client.write(new byte[1 << 10]);
                            }
                        }))
                .hasSize(1 << 16);
    }
}
