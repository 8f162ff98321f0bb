package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Flaky;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlakyLinkTest {
    private static final Flaky PLAN = new Flaky(Duration.ofMillis(2), Duration.ofMillis(2), 1);

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Integer> looks = new CopyOnWriteArrayList<>();

    @Test
    void theCableIsOutAndInByTurns() throws Exception {
        CountDownLatch turns = new CountDownLatch(4);
        FlakyLink link = new FlakyLink(
                "n",
                PLAN,
                () -> calls.add("out"),
                () -> {
                    calls.add("in");
                    turns.countDown();
                },
                () -> {
                    looks.add(calls.size());
                    return new Sight(calls.size() > 4, calls.size() + " calls");
                });

        link.begin();
        assertThat(calls).startsWith("out");
        turns.await();
        link.end();

        int ended = calls.size();
        for (int i = 0; i < ended; i++) {
            assertThat(calls.get(i)).isEqualTo(i % 2 == 0 ? "out" : "in");
        }
        assertThat(link.look().effect())
                .as("an effect that was seen once stays")
                .isTrue();
        assertThat(link.look().text()).startsWith("5 calls, pulled ");
        assertThat(looks).as("looks, until one saw an effect").containsExactly(1, 3, 5);
        Thread.sleep(20);
        assertThat(calls).as("calls after the end").hasSize(ended);
    }

    @Test
    void aCableThatCannotBePluggedInIsToldAtTheNextLook() throws Exception {
        FlakyLink link = new FlakyLink(
                "n",
                PLAN,
                () -> {},
                () -> {
                    calls.add("in");
                    throw new NodeControlException("no nft");
                },
                () -> new Sight(true, "felt"));
        link.begin();
        while (calls.isEmpty() || link.look().effect()) {
            Thread.sleep(1);
        }

        assertThat(link.look().text()).isEqualTo("the links of n are not pulled any more: no nft");
        link.end();
    }

    @Test
    void theSameSeedGivesTheSameTimes() {
        assertThat(times(7)).isEqualTo(times(7)).isNotEqualTo(times(8));
        assertThat(times(7)).allMatch(nanos -> nanos >= 500_000_000 && nanos <= 1_500_000_000);
    }

    private static List<Long> times(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return Stream.generate(() -> FlakyLink.next(random, Duration.ofSeconds(1)))
                .limit(100)
                .toList();
    }
}
