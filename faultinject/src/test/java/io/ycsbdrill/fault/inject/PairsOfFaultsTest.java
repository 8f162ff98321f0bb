package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.AddNode;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.Failover;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultContractTest;
import io.ycsbdrill.fault.NoFault;
import io.ycsbdrill.fault.NodeSelector.SameAs;
import io.ycsbdrill.fault.ProcessFault;
import io.ycsbdrill.fault.marker.FaultEnded;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What becomes of a fault in force when another one comes, for every pair of kinds, on the same node. */
class PairsOfFaultsTest {
    private static final Duration LASTING = ofMillis(1000);
    private static final Duration NEXT = ofMillis(300);

    /** One fault of each kind, by name; those that last do so for longer than these drills are played. */
    private static List<Fault> kinds() {
        Map<Object, Fault> kinds = new LinkedHashMap<>();
        FaultContractTest.faults(LASTING)
                .forEach(fault -> kinds.put(fault instanceof ProcessFault of ? of.kind() : fault.getClass(), fault));
        kinds.put(
                CommandFault.class,
                new CommandFault(
                        new UserCommands(
                                UserCommand.of(List.of("true")),
                                UserCommand.of(List.of("true")),
                                UserCommand.of(List.of("true")),
                                UserCommand.NONE,
                                ofSeconds(10)),
                        Optional.of(LASTING)));
        kinds.remove(NoFault.class);
        return List.copyOf(kinds.values());
    }

    /** One line for each fault in force, with the letter of each later one; the columns are in the order of the lines. */
    private static String table(BiFunction<Fault, Fault, String> outcome) {
        return kinds().stream()
                .map(first -> String.format("%-15s", first.name())
                        + kinds().stream()
                                .map(then -> outcome.apply(first, then))
                                .collect(Collectors.joining(" ")))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    /**
     * x: the later one is refused. e: it ends the one in force. !: it fails, as the node is not in the state for it. -: the first was over
     * at once. Else both are in force.
     */
    private static String whenItComes(Fault first, Fault then) {
        DrillStage stage = new DrillStage();
        stage.play(DrillStage.schedule()
                        .step(step("first", first).on(DrillStage.node("node2")))
                        .step(step("then", then).on(new SameAs("first")).at(NEXT))
                        .build())
                .pass(LASTING.minusMillis(100));
        OptionalLong ended = stage.markers.stream()
                .filter(marker ->
                        marker instanceof FaultEnded e && e.of().step().equals("first"))
                .mapToLong(marker -> marker.atNanos())
                .findFirst();
        if (stage.run.failures().stream().anyMatch(why -> why.contains("step first is in force"))) {
            return "x";
        }
        if (!stage.run.failures().isEmpty()) {
            return "!";
        }
        return ended.isEmpty() ? "." : ended.getAsLong() < NEXT.toNanos() ? "-" : "e";
    }

    /** x: a drill that gives the times of both is refused. */
    private static String whenItIsPlanned(Fault first, Fault then) {
        return refused(at(0, first, "node2"), at(300, then, "node2")) ? "x" : ".";
    }

    /** x: a drill that gives the times of the first one twice is refused, though the other one comes between them. */
    private static String whenItIsBetween(Fault first, Fault then) {
        return refused(at(0, first, "node2"), at(300, then, "node3"), at(600, first, "node2")) ? "x" : ".";
    }

    private static ScheduledFault at(int millis, Fault fault, String node) {
        return step(fault.name() + millis, fault).on(DrillStage.node(node)).at(ofMillis(millis));
    }

    private static boolean refused(ScheduledFault... steps) {
        FaultSchedule.Builder schedule = FaultSchedule.named("pair");
        new ArrayList<>(List.of(steps)).forEach(schedule::step);
        try {
            schedule.build();
            return false;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("is in force on node node2 at the same time");
            return true;
        }
    }

    /** Else it would be in force until the recovery bound, and its drill would be invalid. */
    @Test
    void everyKindComesToItsEndByItself() {
        for (Fault fault : kinds()) {
            DrillStage stage = new DrillStage();
            NodeInfo node = (fault instanceof AddNode ? stage.cluster.spares() : stage.cluster.nodes()).get(0);
            if (fault.bringsBack() && !(fault instanceof AddNode)) {
                stage.cluster.state(node.id(), fault.expects());
            }
            stage.cluster.primary(Optional.of(fault instanceof Failover ? "node3" : node.id()));

            stage.playToEnd(step("alone", fault).on(DrillStage.node(node.id())));

            assertThat(stage.run.failures()).as(fault.name()).isEmpty();
            assertThat(stage.nowMillis())
                    .as(fault.name())
                    .isLessThan(LASTING.plusSeconds(5).toMillis());
        }
    }

    @Test
    void aFaultInForceIsEndedByWhatBelowSays() {
        assertThat(table(PairsOfFaultsTest::whenItComes)).isEqualTo("""
                kill           ! ! e ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                stop           ! ! e ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                start          - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                restart        ! ! . ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                initialise     ! ! . ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                truncate       ! ! . ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                pause          . . e . . . ! x x e x . . . . . . . . . . . . . . . . .
                kill-process   e e e e e e x x x . x . . . . . e . . e . e e . e . . .
                pause-process  . . e . . . x x x e x . . . . . . . . . . . . . . . . .
                resume         - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                starve         . . e . . . x x x . x . . . . . . . . . . e e . e . . .
                memory         . . . . . . . . . . . x . . . . . . . . . . . . . . . .
                throttle       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                partition      . . . . . . . . . . . . . x . . . . . . . . . . . . . .
                disk-full      . . . . . . . . . . . . . . x . . . . . . . . . . . . .
                clock-strobe   . . . . . . . . . . . . . . . x . . . . . . . . . . . .
                power-loss     ! ! e ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                run            . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                backup         - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                restore        ! ! . ! ! ! . . . . . . . . . . ! . . ! . . . . . . . .
                add-column     - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                rolling-config - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                upgrade        - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                add-node       - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                remove-node    ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! - - ! ! !
                rebalance      - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                switchover     - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                failover       - - - - - - - - - - - - - - - - - - - - - - - - - - - -
                """);
    }

    @Test
    void drillsThatGiveTheTimesAreRefused() {
        assertThat(table(PairsOfFaultsTest::whenItIsPlanned)).isEqualTo("""
                kill           . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                stop           . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                start          . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                restart        . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                initialise     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                truncate       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                pause          . . . . . . x x x . x . . . . . . . . . . . . . . . . .
                kill-process   . . . . . . x x x . x . . . . . . . . . . . . . . . . .
                pause-process  . . . . . . x x x . x . . . . . . . . . . . . . . . . .
                resume         . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                starve         . . . . . . x x x . x . . . . . . . . . . . . . . . . .
                memory         . . . . . . . . . . . x . . . . . . . . . . . . . . . .
                throttle       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                partition      . . . . . . . . . . . . . x . . . . . . . . . . . . . .
                disk-full      . . . . . . . . . . . . . . x . . . . . . . . . . . . .
                clock-strobe   . . . . . . . . . . . . . . . x . . . . . . . . . . . .
                power-loss     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                run            . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                backup         . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                restore        . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                add-column     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                rolling-config . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                upgrade        . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                add-node       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                remove-node    . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                rebalance      . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                switchover     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                failover       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                """);
    }

    @Test
    void drillsMayRepeatWhatAStepBetweenMayEnd() {
        assertThat(table(PairsOfFaultsTest::whenItIsBetween)).isEqualTo("""
                kill           . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                stop           . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                start          . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                restart        . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                initialise     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                truncate       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                pause          . . x . . . x x x . x x x x x x . x x . x x x x x x x x
                kill-process   . . . . . . x x x x x x x x x x . x x . x . . x . x x x
                pause-process  . . x . . . x x x . x x x x x x . x x . x x x x x x x x
                resume         . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                starve         . . x . . . x x x x x x x x x x . x x . x . . x . x x x
                memory         x x x x x x x x x x x x x x x x x x x x x x x x x x x x
                throttle       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                partition      x x x x x x x x x x x x x x x x x x x x x x x x x x x x
                disk-full      x x x x x x x x x x x x x x x x x x x x x x x x x x x x
                clock-strobe   x x x x x x x x x x x x x x x x x x x x x x x x x x x x
                power-loss     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                run            . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                backup         . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                restore        . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                add-column     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                rolling-config . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                upgrade        . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                add-node       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                remove-node    . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                rebalance      . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                switchover     . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                failover       . . . . . . . . . . . . . . . . . . . . . . . . . . . .
                """);
    }
}
