package io.ycsbdrill.fault.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import io.ycsbdrill.fault.schedule.DrillFileException;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.When;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DrawerTest {
    private final FakeNodeController cluster = new FakeNodeController(new ManualClock(0), 5);

    private Stream<DrawnDrill> drawn(long seed, int spare) {
        Drawer drawer = new Drawer(seed, Facts.of(cluster, spare), Map.of("load", "100/s"));
        return Stream.generate(drawer::next);
    }

    private static FaultSchedule schedule(DrawnDrill drill) {
        try {
            return drill.file("drawn").schedule();
        } catch (DrillFileException e) {
            throw new AssertionError(drill.text(), e);
        }
    }

    @Test
    void theSameSeedDrawsTheSameDrillsAndAnotherSeedOthers() {
        List<String> drills = drawn(7, 2).limit(100).map(DrawnDrill::text).toList();

        assertThat(drawn(7, 2).limit(100).map(DrawnDrill::text)).isEqualTo(drills);
        assertThat(drawn(8, 2).limit(100).map(DrawnDrill::text)).isNotEqualTo(drills);
        assertThat(drills)
                .doesNotHaveDuplicates()
                .allMatch(text -> text.matches("(?s)seed: \\d+\nload: 100/s\nsteps:\n.*"));
    }

    @Test
    void whatIsDrawnIsADrillThatTheClusterCanDo() {
        assertThat(drawn(1, 2).limit(500))
                .allSatisfy(drill -> assertThat(ScheduleCheck.problems(schedule(drill), cluster))
                        .as(drill.text())
                        .isEmpty());
    }

    @Test
    void onlyWhatTheNodesCanDoIsDrawn() {
        cluster.without(Partitionable.class).without(Impairable.class);

        assertThat(drawn(1, 2).limit(500).flatMap(drill -> drill.steps().stream()))
                .extracting(DrawnStep::kind)
                .contains("kill", "pause", "stop", "starve", "memory")
                .doesNotContain("isolate", "flaky", "link-loss", "disk-slow", "disk-full");
    }

    /** Such a drill cannot be judged, and after five of them in a row nothing more is drawn. */
    @Test
    void whereNoNodeIsStoppedWhileOneStartsNoGracefulStopIsAimedAtARecovery() {
        cluster.stopsWhileStarting(false);

        assertThat(drawn(1, 2).limit(500).flatMap(drill -> drill.steps().stream()
                        .skip(1)))
                .filteredOn(step -> step.kind().equals("stop"))
                .isNotEmpty()
                .extracting(DrawnStep::text)
                .noneMatch(text -> text.matches("(?s).*(local-recovery|synchronise|wait-checkpoint).*"));
    }

    /** Of two nodes without a further copy it would take the only one there is, which shows no defect of the cluster. */
    @Test
    void noNodeIsEmptied() {
        assertThat(drawn(1, 2).limit(500)).noneMatch(drill -> drill.text().contains("fault: initialise"));
    }

    @Test
    void withOneSpareAllFaultsAreOnOneNode() {
        assertThat(drawn(3, 1).limit(500)).allSatisfy(drill -> assertThat(
                        drill.steps().subList(1, drill.steps().size()))
                .allMatch(step -> step.key("node").startsWith("same-as:")));
    }

    @Test
    void withMoreAtMostTwoNodesAreHit() {
        assertThat(drawn(3, 2).limit(500)).allSatisfy(drill -> assertThat(drill.steps().stream()
                        .map(step -> step.key("node"))
                        .filter(node -> !node.startsWith("same-as:"))
                        .distinct())
                .hasSizeBetween(1, 2));
    }

    @Test
    void eachKindIsAimedAtEachPhaseOnceBeforeAnyComesAgain() {
        List<String> aims = drawn(5, 2)
                .limit(1000)
                .map(drill -> {
                    DrawnStep second = drill.steps().get(1);
                    Phase phase = aim(schedule(drill).steps().get(1));
                    return second.kind() + " " + phase + " "
                            + second.key("node").startsWith("same-as:");
                })
                .toList();
        int all = (int) aims.stream().distinct().count();

        assertThat(aims.subList(0, all)).doesNotHaveDuplicates();
        assertThat(aims.subList(all, 2 * all)).doesNotHaveDuplicates();
        for (Phase phase : Phase.unhealthy()) {
            assertThat(aims).contains("pause " + phase + " false");
        }
        assertThat(aims)
                .contains("kill SYNCHRONISE true")
                .doesNotContain("kill DOWN true", "kill FAILURE_HANDLING true");
    }

    private static Phase aim(ScheduledFault step) {
        return step.when() instanceof When.InPhase aim
                ? aim.phase()
                : ((When.After) step.when()).phase().orElseThrow();
    }

    @Test
    void aMajorityStaysUnlessAsked() {
        assertThat(Facts.spare(new FakeNodeController(new ManualClock(0), 1))).isEqualTo(1);
        assertThat(Facts.spare(cluster)).as("groups of two").isEqualTo(1);
        assertThat(Facts.spare(new FakeNodeController(new ManualClock(0), 2))).isEqualTo(1);
        assertThatThrownBy(() -> Facts.of(cluster, 6)).hasMessageContaining("spare 6 is not within 1 to 5");
        assertThatThrownBy(() -> Facts.of(cluster, 0)).hasMessageContaining("spare 0");
    }
}
