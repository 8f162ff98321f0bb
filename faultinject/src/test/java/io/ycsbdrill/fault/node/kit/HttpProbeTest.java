package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.fault.node.kit.HttpProbe.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpProbeTest {
    /** A server may be asked long before it answers. */
    @Test
    void anAnswerHasTheTimesOfItsQuestionAndOfItsReceipt() throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try {
                ready.await();
                exchange.sendResponseHeaders(200, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        });
        server.start();
        try {
            HttpProbe probe = new HttpProbe(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"),
                    Map.of(),
                    Duration.ZERO,
                    Duration.ofSeconds(50));

            assertThat(probe.poll()).isEmpty();
            long ripe = System.nanoTime();
            ready.countDown();
            Optional<Answer> answer = Optional.empty();
            while (answer.isEmpty()) {
                LockSupport.parkNanos(1_000_000);
                answer = probe.poll();
            }

            assertThat(answer.get().status()).isEqualTo(200);
            assertThat(answer.get().askedNanos()).isLessThanOrEqualTo(ripe);
            assertThat(answer.get().receivedNanos()).isGreaterThan(ripe);
        } finally {
            server.stop(0);
        }
    }
}
