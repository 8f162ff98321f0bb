package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.inventory.HostedProcess.Seen;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.kit.Moment;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a look at a host says of a server's process. */
class HostedViewTest {
    private static final ProcessSight NOTHING = new ProcessSight(Optional.empty(), at(0), at(0), false);
    private static final ProcessSight RUNNING = new ProcessSight(Optional.of("12-900"), at(10), at(5), true);
    private static final ProcessSight DOWN = new ProcessSight(Optional.empty(), at(15));
    private static final Optional<Seen> SILENT = Optional.empty();
    private static final Optional<Seen> NONE = Optional.of(new Seen(20, Optional.empty(), true, false));
    private static final Optional<Seen> UNREADABLE = Optional.of(new Seen(20, Optional.empty(), false, false));
    private static final Optional<Seen> ENDED = Optional.of(new Seen(20, Optional.empty(), true, true));
    private static final Supplier<Optional<Boolean>> UNASKED = () -> {
        throw new AssertionError("it was asked for a proof");
    };

    private static Moment at(long nanos) {
        return new Moment(nanos, Instant.EPOCH.plusNanos(nanos));
    }

    private static ProcessSight next(ProcessSight before, Optional<Seen> seen, Supplier<Optional<Boolean>> proof) {
        return HostedView.next(before, seen, at(25), proof);
    }

    @Test
    void aProcessWasStartedAsLongBeforeTheQuestionAsItIsOld() {
        Seen seen = new Seen(5_000_000_000L, Optional.of(new NodeUse("12-900", 2, 0, 0)), false, false);

        assertThat(HostedView.next(NOTHING, Optional.of(seen), at(5_400_000_000L), UNASKED))
                .isEqualTo(new ProcessSight(Optional.of("12-900"), at(5_000_000_000L), at(3_000_000_000L), true));
    }

    @Test
    void aHostThatDoesNotAnswerSaysNothingAndAfterSecondsNothingIsKnown() {
        long late = RUNNING.at().nanos() + HostedView.UNKNOWN_NANOS;

        assertThat(HostedView.next(RUNNING, SILENT, at(late - 1), UNASKED)).isEqualTo(RUNNING);
        assertThat(HostedView.next(RUNNING, SILENT, at(late), UNASKED))
                .isEqualTo(new ProcessSight(RUNNING.process(), RUNNING.at(), RUNNING.begun(), false));
    }

    /** As after a server has removed its file, or somebody has. */
    @Test
    void aPidFileThatIsNotThereSaysNothingOfAProcessThatHasNotEnded() {
        assertThat(next(RUNNING, NONE, UNASKED)).isEqualTo(RUNNING);
        assertThat(next(RUNNING, UNREADABLE, UNASKED)).isEqualTo(RUNNING);
    }

    @Test
    void theEndOfAProcessIsDatedByTheQuestionThatShowsIt() {
        assertThat(next(RUNNING, ENDED, UNASKED)).isEqualTo(new ProcessSight(Optional.empty(), at(20)));
    }

    @Test
    void whereNothingIsKnownYetThereIsNoProcessWhenThatIsProven() {
        assertThat(next(NOTHING, NONE, () -> Optional.of(false))).isEqualTo(NOTHING);
        assertThat(next(NOTHING, NONE, Optional::empty)).isEqualTo(NOTHING);
        assertThat(next(NOTHING, UNREADABLE, UNASKED)).isEqualTo(NOTHING);
        assertThat(next(NOTHING, NONE, () -> Optional.of(true))).isEqualTo(new ProcessSight(Optional.empty(), at(20)));
    }

    /** It may have been started without a pid file. */
    @Test
    void aNodeStaysDownOnlyWhileThatIsProven() {
        assertThat(next(DOWN, NONE, Optional::empty)).isEqualTo(new ProcessSight(Optional.empty(), at(20)));
        assertThat(next(DOWN, NONE, () -> Optional.of(false)))
                .isEqualTo(new ProcessSight(Optional.empty(), at(15), at(15), false));
    }
}
