package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a wall clock that only moves when the barrier waits. */
class StartBarrierTest {
    private static final Instant START = Instant.parse("2026-11-21T14:00:00Z");

    private Instant now = START;
    private final List<Long> pauses = new ArrayList<>();

    private StartBarrier barrier() {
        return new StartBarrier(START, false, () -> now);
    }

    private boolean pass(long nanos) {
        pauses.add(nanos);
        now = now.plusNanos(nanos == 0 ? 100 : nanos);
        return true;
    }

    @Test
    void waitsInStepsAndSpinsOnlyTheLastBit() throws InterruptedException {
        now = START.minusMillis(1_234);

        assertThat(barrier().await(this::pass)).isTrue();

        assertThat(now).isBetween(START, START.plusNanos(99));
        assertThat(pauses).allMatch(nanos -> nanos <= StartBarrier.LONGEST_WAIT_NANOS);
        assertThat(pauses.stream().filter(nanos -> nanos > 0)).hasSize(3);
        assertThat(pauses.stream().filter(nanos -> nanos == 0)).hasSize((int) StartBarrier.SPIN_NANOS / 100);
    }

    @Test
    void aClockThatIsSetWhileItWaitsIsFollowed() throws InterruptedException {
        now = START.minusSeconds(10);

        assertThat(barrier().await(nanos -> {
                    pass(nanos);
                    if (pauses.size() == 1) {
                        now = now.minusSeconds(5);
                    }
                    return true;
                }))
                .isTrue();

        assertThat(now).isAfterOrEqualTo(START);
        assertThat(pauses.stream().mapToLong(Long::longValue).sum())
                .isEqualTo(Duration.ofSeconds(15).toNanos() - StartBarrier.SPIN_NANOS);
    }

    @Test
    void doesNotWaitAnyLongerThanTheRun() throws InterruptedException {
        now = START.minusSeconds(3_600);

        assertThat(barrier().await(nanos -> pass(nanos) && pauses.size() < 3)).isFalse();

        assertThat(pauses).hasSize(3);
    }

    @Test
    void aTimeThatHasPassedEndsTheRun() throws InterruptedException {
        now = START.plusMillis(1_500);
        RunState state = new RunState();

        assertThat(barrier().await(state, left -> pauses.add(left.toNanos()))).isFalse();

        assertThat(pauses).isEmpty();
        assertThat(state.result()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(state.reasons())
                .containsExactly("the start at 2026-11-21T14:00:00Z passed 1.500 s before all threads were ready;"
                        + " give a later --start-at");
    }

    /** All threads were ready before it was agreed on, and nobody has asked for it. */
    @Test
    void aTimeThatTheClientsAgreedOnIsLateForAnotherReason() throws InterruptedException {
        now = START.plusMillis(1_500);
        RunState state = new RunState();

        assertThat(new StartBarrier(START, true, () -> now).await(state, left -> pauses.add(left.toNanos())))
                .isFalse();

        assertThat(state.reasons())
                .containsExactly("the start at 2026-11-21T14:00:00Z passed 1.500 s before this client heard of it;"
                        + " give fewer clients, or machines that are less busy");
    }
}
