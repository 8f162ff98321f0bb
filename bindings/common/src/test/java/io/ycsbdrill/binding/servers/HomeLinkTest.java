package io.ycsbdrill.binding.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.helpers.NOPLogger;

@Timeout(60)
class HomeLinkTest {
    private final CountDownLatch probing = new CountDownLatch(1);
    private final Servers<String> servers = new Servers<>("test", NOPLogger.NOP_LOGGER, List.of("a", "b"), address -> {
        if (address.equals("b")) {
            throw new IOException("refused");
        }
        probing.await();
    });
    private boolean secondRefuses;

    /** A connection is the name of the server that it leads to. */
    private record Connection(String server) implements AutoCloseable {
        @Override
        public void close() {}
    }

    private Connection connect(String address) throws IOException {
        if (address.equals("b") && secondRefuses) {
            probing.countDown();
            while (!servers.all().get(0).isUp()) {
                Thread.onSpinWait();
            }
            throw new IOException("refused");
        }
        return new Connection(address);
    }

    @AfterEach
    void close() {
        probing.countDown();
        servers.close();
    }

    @Test
    void aServerThatTheProbeFindsUpWhileAThreadReconnectsIsTried() throws Exception {
        HomeLink<String, Connection> home = new HomeLink<>(servers, OptionalInt.empty(), this::connect);
        home.open();
        secondRefuses = true;

        home.lost();

        assertThat(home.link()).contains(new Connection("a"));
    }

    /** Another connection of the process, such as the one that looks whether the table is empty, must not move the threads on. */
    @Test
    void aNumberedThreadHasTheServerOfItsNumber() throws Exception {
        HomeLink<String, Connection> other = new HomeLink<>(servers, OptionalInt.empty(), this::connect);
        other.open();

        for (int number = 0; number < 4; number++) {
            HomeLink<String, Connection> home = new HomeLink<>(servers, OptionalInt.of(number), this::connect);
            home.open();
            assertThat(home.link()).contains(new Connection(number % 2 == 0 ? "a" : "b"));
        }
    }
}
