package io.ycsbdrill.client.run.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientShareTest {
    private static final int TRIES = 2_000;

    private final Random random = new Random(42);

    @Test
    void sharesFollowEachOtherAndAddUpToTheWhole() {
        for (int i = 0; i < TRIES; i++) {
            int clients = 1 + random.nextInt(i % 10 == 0 ? 10_000 : 20);
            long all = random.nextLong(i % 3 == 0 ? Long.MAX_VALUE : i % 3 == 1 ? 1_000_000 : 30);

            long next = 0;
            for (int number = 1; number <= clients; number++) {
                ClientShare part = new ClientShare(number, clients);
                assertThat(part.first(all)).as("%s of %d", part, all).isEqualTo(next);
                assertThat(part.share(all)).isBetween(all / clients, all / clients + 1);
                next += part.share(all);
            }

            assertThat(next).isEqualTo(all);
        }
    }

    /** Each thread of each client has arrivals of its own, and as many of them as operations. */
    @Test
    void theArrivalsOfAllThreadsOfAllClientsAreThoseOfTheRate() {
        for (int i = 0; i < TRIES; i++) {
            int clients = 1 + random.nextInt(7);
            int threads = 1 + random.nextInt(9);
            int operations = random.nextInt(200);

            List<Integer> lanes = new ArrayList<>();
            for (int number = 1; number <= clients; number++) {
                ClientShare part = new ClientShare(number, clients);
                for (int thread = 0; thread < threads; thread++) {
                    int lane = part.lane(thread);
                    lanes.add(lane);
                    long arrivals = IntStream.range(0, operations)
                            .filter(arrival -> arrival % part.lanes(threads) == lane)
                            .count();
                    assertThat(new ClientShare(thread + 1, threads).share(part.share(operations)))
                            .isEqualTo(arrivals);
                }
            }

            assertThat(lanes)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, clients * threads).boxed().toList());
        }
    }

    @Test
    void isTypedAsNumberOfAll() {
        assertThat(ClientShare.parse("2/3")).isEqualTo(new ClientShare(2, 3)).hasToString("2/3");
        assertThat(ClientShare.parse("1/1").isShare()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "0/3", "4/3", "-1/3", "1/0", "1/3/5", "a/b", "1/10001", "1/999999"})
    void whatIsNoPartIsRefused(String text) {
        assertThatThrownBy(() -> ClientShare.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not I/N, client I of N, such as 2/3");
    }
}
