package io.ycsbdrill.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LiveServerBoundTest {

    /** Requests that never end hold a thread each. */
    @Test
    @Timeout(120)
    void manyConnectionsDoNotMakeManyThreads() throws Exception {
        try (LiveServer live = LiveServer.start(LiveAddress.parse("127.0.0.1:0").orElseThrow(), () -> "")) {
            URI page = URI.create(live.address());
            List<Socket> held = new ArrayList<>();
            try {
                for (int i = 0; i < 120; i++) {
                    held.add(begun(page));
                }
                Socket last = held.get(held.size() - 1);
                last.setSoTimeout(60_000);
                int end;
                try {
                    end = last.getInputStream().read();
                } catch (IOException e) {
                    end = -1;
                }

                assertThat(end).as("one too many is closed").isEqualTo(-1);
                assertThat(Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("live-"))
                                .count())
                        .isLessThanOrEqualTo(32);
            } finally {
                for (Socket socket : held) {
                    socket.close();
                }
            }
        }
    }

    private static Socket begun(URI page) throws IOException {
        Socket socket = new Socket(page.getHost(), page.getPort());
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: 127.0".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
