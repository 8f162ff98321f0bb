package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.merge.ClientClock.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientClockTest {
    @TempDir
    private Path directory;

    /** A question that is so long on its way there and back, to a clock that is so far ahead. */
    private static Exchange exchange(long sent, long ahead, long there, long back) {
        long received = sent + there + ahead;
        long answered = received + 7;
        return new Exchange(sent, received, answered, answered - ahead + back);
    }

    @Test
    void waysOfTheSameLengthGiveTheOffsetItself() {
        ClientClock clock = ClientClock.of(List.of(exchange(1_000, 5_000, 40, 40)), List.of());

        assertThat(clock).isEqualTo(new ClientClock(5_000, 40, 1));
    }

    @Test
    void trueOffsetIsWithinTheUncertaintyHoweverTheWaysDiffer() {
        Random random = new Random(1);
        for (int run = 0; run < 1_000; run++) {
            long ahead = random.nextInt(2_000_000) - 1_000_000;
            List<Exchange> exchanges = new ArrayList<>();
            for (int i = 0; i < 21; i++) {
                exchanges.add(exchange(i * 1_000_000L, ahead, random.nextInt(500_000), random.nextInt(9_000)));
            }

            ClientClock clock = ClientClock.of(exchanges, List.of());

            assertThat(Math.abs(clock.offsetNanos() - ahead)).isLessThanOrEqualTo(clock.uncertaintyNanos());
        }
    }

    @Test
    void driftDuringTheRunIsPartOfTheUncertainty() {
        List<Exchange> before = List.of(exchange(0, 1_000, 10, 10));
        List<Exchange> after = List.of(exchange(9_000_000, 4_000, 10, 10));

        ClientClock clock = ClientClock.of(before, after);

        assertThat(clock).isEqualTo(new ClientClock(1_000, 3_010, 2));
    }

    @Test
    void isKeptInTheRunDirectory() throws IOException {
        ClientClock clock = new ClientClock(-5, 3, 21);
        clock.write(directory);

        assertThat(ClientClock.read(directory)).contains(clock);
        assertThat(ClientClock.read(directory.resolve("other"))).isEmpty();
        Files.writeString(directory.resolve("clock.json"), "{}");
        assertThatThrownBy(() -> ClientClock.read(directory))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining("offsetNanos");
    }
}
