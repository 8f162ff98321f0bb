package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.run.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StartRendezvousTest {
    private final List<String> interrupted = new ArrayList<>();
    private final Heard second = new Heard("client 2 of 3");
    private final Heard third = new Heard("client 3 of 3");

    /** Writes down what it is told. */
    private static final class Heard implements OtherClient {
        private final String name;
        private boolean onAHost;
        private final List<String> orders = new ArrayList<>();

        Heard(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void order(String line) {
            orders.add(line);
        }

        @Override
        public boolean mayBeLost() {
            return onAHost;
        }

        @Override
        public void kill() {
            orders.add("killed");
        }
    }

    private StartRendezvous meeting(Optional<Instant> asked) {
        StartRendezvous meeting = new StartRendezvous("client 1 of 3", asked, interrupted::add);
        meeting.joined(second);
        meeting.joined(third);
        return meeting;
    }

    @Test
    void allStartAtTheSameTimeWhenTheLastOneIsReady() {
        StartRendezvous meeting = meeting(Optional.empty());
        meeting.ready(third);
        meeting.ready();

        assertThat(meeting.agreed()).isEmpty();
        assertThat(third.orders).isEmpty();
        Instant before = Instant.now();
        meeting.ready(second);
        Instant start = meeting.agreed().orElseThrow();

        assertThat(start).isAfter(before).isBefore(before.plus(Duration.ofMinutes(1)));
        assertThat(meeting.agreed()).contains(start);
        assertThat(second.orders).containsExactly("start " + start);
        assertThat(third.orders).containsExactly("start " + start);
    }

    @Test
    void aHostThatIsLostDuringTheRunEndsNobodyElse() {
        StartRendezvous meeting = meeting(Optional.empty());
        second.onAHost = true;
        third.onAHost = true;
        meeting.ready(third);
        meeting.ready(second);
        meeting.ready();
        meeting.agreed();

        meeting.exited(second, 255);

        assertThat(interrupted).isEmpty();
        assertThat(third.orders).noneMatch(order -> order.startsWith("stop"));
        assertThat(meeting.reasons())
                .containsExactly(second.name()
                        + " was lost during the run (the connection to its host broke); the others went on");
    }

    @Test
    void aHostThatIsLostBeforeTheStartEndsAll() {
        StartRendezvous meeting = meeting(Optional.empty());
        second.onAHost = true;

        meeting.exited(second, 1);

        assertThat(interrupted).hasSize(1);
        assertThat(meeting.reasons()).containsExactly(second.name() + " ended before it was done (exit code 1)");
    }

    @Test
    void theFirstClientIsWaitedForToo() {
        StartRendezvous meeting = meeting(Optional.empty());
        meeting.ready(second);
        meeting.ready(third);

        assertThat(meeting.agreed()).isEmpty();
        assertThat(second.orders).isEmpty();
    }

    @Test
    void aStartThatWasAskedForIsTheOneAgreedOn() {
        Instant asked = Instant.parse("2026-11-21T14:00:00Z");
        StartRendezvous meeting = meeting(Optional.of(asked));
        meeting.ready();
        meeting.ready(second);
        meeting.ready(third);

        assertThat(meeting.agreed()).contains(asked);
        assertThat(second.orders).containsExactly("start 2026-11-21T14:00:00Z");
    }

    @Test
    void aClientThatDiesEndsAllAndIsNamed() {
        StartRendezvous meeting = meeting(Optional.empty());

        meeting.exited(second, 137);
        meeting.exited(third, 0);

        String reason = "client 2 of 3 ended before it was done, so all do";
        assertThat(interrupted).containsExactly(reason);
        assertThat(third.orders).containsExactly("stop " + reason);
        assertThat(meeting.reasons())
                .containsExactly(
                        "client 2 of 3 ended before it was done (killed by signal 9)",
                        "client 3 of 3 ended before it was done (exit code 0)");
    }

    @Test
    void aClientThatIsIncompleteEndsAllAndSaysWhyItself() {
        StartRendezvous meeting = meeting(Optional.empty());

        meeting.over(third, "INCOMPLETE");
        meeting.exited(third, 1);

        assertThat(interrupted).containsExactly("client 3 of 3 ended early, so all do");
        assertThat(second.orders).containsExactly("stop client 3 of 3 ended early, so all do");
        assertThat(meeting.reasons()).isEmpty();
    }

    @Test
    void theOthersGoOnWhenOneIsDone() {
        StartRendezvous meeting = meeting(Optional.empty());

        meeting.over(third, "COMPLETE");
        meeting.exited(third, 0);
        meeting.over(second, "INVALID");
        meeting.exited(second, 1);
        meeting.firstIsOver(RunResult.State.COMPLETE);
        meeting.awaitOthers();

        assertThat(interrupted).isEmpty();
        assertThat(second.orders).isEmpty();
        assertThat(meeting.reasons()).isEmpty();
    }

    @Test
    void theEndOfADrillEndsTheOthersInOrderAndAStopStillCounts() {
        StartRendezvous meeting = meeting(Optional.empty());

        meeting.ended(null);
        meeting.ended(null);
        meeting.stop("told to\nend");
        meeting.stop("and again");
        meeting.ended(null);

        assertThat(second.orders).containsExactly("end", "stop told to end");
        assertThat(interrupted).containsExactly("told to\nend");
    }

    @Test
    void whoComesLateIsToldWhatItHasMissed() {
        StartRendezvous meeting = new StartRendezvous("client 1 of 2", Optional.empty(), interrupted::add);
        meeting.firstIsOver(RunResult.State.INCOMPLETE);

        meeting.joined(second);

        assertThat(second.orders).containsExactly("stop client 1 of 2 ended early, so all do");
    }
}
