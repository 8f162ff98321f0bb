package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.inject.DrillStage.node;
import static io.ycsbdrill.fault.inject.DrillStage.restart;
import static io.ycsbdrill.fault.inject.DrillStage.schedule;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.marker.Noted;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.Slo;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The fault comes at second 20, and the node has recovered at second 23.3 of the drill. */
class ServiceReturnTest {
    private static final ServedSecond WELL = new ServedSecond(1000, 0, 0, 1000, 1000, 2, 10);
    private static final ServedSecond SLOW = new ServedSecond(1000, 0, 0, 1000, 1000, 8, 90);
    private static final Duration COOLDOWN = ofSeconds(10);

    private final DrillStage stage = new DrillStage();

    private FaultSchedule.Builder drill() {
        return schedule()
                .steady(new SteadyState(ofSeconds(20), ofSeconds(2), 0.1, 0.2, ofSeconds(60)))
                .cooldown(COOLDOWN)
                .step(step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(1)));
    }

    private long secondsOf(FaultSchedule schedule, IntFunction<ServedSecond> service) {
        stage.scriptEngine();
        stage.play(schedule, length -> {
                    int now = (int) (stage.nowMillis() / 1000);
                    return IntStream.range(Math.max(0, now - (int) length.toSeconds()), now)
                            .mapToObj(service)
                            .toList();
                })
                .toEnd();
        assertThat(stage.run.failures()).isEmpty();
        return stage.nowMillis() / 1000;
    }

    private List<String> notes() {
        return stage.markers.stream()
                .filter(Noted.class::isInstance)
                .map(marker -> marker.label())
                .toList();
    }

    @Test
    void aServiceThatIsBackEndsTheDrillWithItsCoolDown() {
        assertThat(secondsOf(drill().build(), second -> second >= 21 && second < 24 ? SLOW : WELL))
                .isEqualTo(33);
        assertThat(notes()).isEmpty();
    }

    @Test
    void theCoolDownGoesOnWhileTheServiceIsSlowAndIsThenWellForAWhile() {
        assertThat(secondsOf(drill().build(), second -> second >= 21 && second < 36 ? SLOW : WELL))
                .as("of ten seconds two may be slow")
                .isEqualTo(44);
        assertThat(notes()).hasSize(1);
    }

    @Test
    void oneGoodSecondIsNoEnd() {
        assertThat(secondsOf(drill().build(), second -> second >= 21 && second < 40 && second % 3 != 0 ? SLOW : WELL))
                .isEqualTo(46);
    }

    @Test
    void whatNeverReturnsEndsAfterThreeTimesTheCoolDown() {
        assertThat(secondsOf(drill().build(), second -> second >= 21 ? SLOW : WELL))
                .isEqualTo(53);
        assertThat(secondsOf(drill().cooldown(ofSeconds(60)).build(), second -> SLOW))
                .as("what was slow before is not awaited to be fast")
                .isLessThan(53 + 90);
    }

    @Test
    void operationsThatFailOrAreMissingAreNoService() {
        ServedSecond failing = new ServedSecond(800, 200, 0, 1000, 1000, 2, 10);
        ServedSecond behind = new ServedSecond(800, 0, 0, 800, 1000, 2, 10);
        for (ServedSecond bad : List.of(failing, behind)) {
            assertThat(new ServiceReturnTest()
                            .secondsOf(drill().build(), second -> second >= 21 && second < 36 ? bad : WELL))
                    .isEqualTo(44);
        }
    }

    @Test
    void aClosedLoopIsBackAtTheThroughputThatItHad() {
        ServedSecond before = new ServedSecond(1000, 0, 0, 1000, Double.NaN, 2, 10);
        ServedSecond less = new ServedSecond(700, 0, 0, 700, Double.NaN, 2, 10);
        assertThat(secondsOf(drill().build(), second -> second >= 21 && second < 36 ? less : before))
                .isEqualTo(44);
    }

    @Test
    void whoSaysWhatIsSlowIsAsked() {
        FaultSchedule lenient = drill().slo(new Slo(Optional.of(ofSeconds(1)), Optional.of(ofSeconds(1))))
                .build();
        assertThat(secondsOf(lenient, second -> second >= 21 ? SLOW : WELL)).isEqualTo(33);
    }

    @Test
    void aDrillThatWaitsForNoSteadyStateEndsWithItsCoolDown() {
        FaultSchedule none = schedule()
                .cooldown(COOLDOWN)
                .step(step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(20)))
                .build();
        assertThat(secondsOf(none, second -> SLOW)).isBetween(31L, 33L);
    }
}
