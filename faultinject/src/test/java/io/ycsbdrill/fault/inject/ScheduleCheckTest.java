package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.BackUp;
import io.ycsbdrill.fault.Failover;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.ProcessFault;
import io.ycsbdrill.fault.Switchover;
import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.ForwardingController;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.Restorable;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleCheckTest {
    static List<NodeSelector> others() {
        return List.of(
                new NodeSelector.NotPrimaryNode(),
                new NodeSelector.EveryReplica(),
                new NodeSelector.EveryNode(),
                new NodeSelector.AnyNode(),
                new NodeSelector.Rolling(),
                new NodeSelector.Named(List.of("node1", "node2")));
    }

    @ParameterizedTest
    @MethodSource("others")
    void aSwitchoverOfOthersThanThePrimaryIsRefused(NodeSelector where) {
        assertThat(problems(where))
                .containsExactly(
                        "step change: node " + where.text() + ": only the primary can hand over; use node: primary");
    }

    @Test
    void aSwitchoverOfThePrimaryIsNot() {
        assertThat(problems(new NodeSelector.PrimaryNode())).isEmpty();
        assertThat(problems(named("node1"))).isEmpty();
    }

    @Test
    void aSwitchoverOfANodeThatIsNotPrimaryNowIsRefusedBeforeTheDrill() {
        assertThat(problems(named("node3")))
                .containsExactly("step change: node node3: primary is node1, and only the primary can hand over; use"
                        + " node: primary");
    }

    /** Who is primary after another step, nobody knows before. */
    @Test
    void aSwitchoverAfterAnotherStepIsLeftToThatMoment() {
        ScheduledFault kill = ScheduledFault.step("kill", new Switchover())
                .on(new NodeSelector.PrimaryNode())
                .at(Duration.ZERO);
        ScheduledFault change = step(named("node3"));

        assertThat(problems(kill, change.at(Duration.ofSeconds(60)))).isEmpty();
        assertThat(problems(kill, change.after("kill", Duration.ZERO))).isEmpty();
    }

    @Test
    void aNamedNodeHandsOverOnlyOnce() {
        assertThat(problems(step(named("node1")).repeated(2, Duration.ofSeconds(30))))
                .containsExactly("step change: node node1: it is primary only the first time; use node: primary");
    }

    @Test
    void aRestoreNeedsABackupThatHasEnded() {
        String missing =
                "step restore: restore needs an earlier step with operation: backup that has ended; add one, and wait"
                        + " for it by after";
        ScheduledFault backup =
                ScheduledFault.step("save", new BackUp()).on(named("node1")).at(Duration.ZERO);
        ScheduledFault restore = ScheduledFault.step("restore", new BackUp.Restore(Duration.ZERO))
                .on(new NodeSelector.EveryNode());

        assertThat(problems(restore.at(Duration.ZERO))).containsExactly(missing);
        assertThat(problems(backup, restore.at(Duration.ofSeconds(60)))).containsExactly(missing);
        assertThat(problems(backup, restore.after("save", Duration.ofSeconds(20))))
                .isEmpty();
        assertThat(problems(
                        backup, restore.after("save", Duration.ofSeconds(20)).repeated(2, Duration.ofSeconds(30))))
                .containsExactly("step restore: a drill has one restore");
    }

    @Test
    void onlyTheWholeClusterIsRestored() {
        ScheduledFault backup =
                ScheduledFault.step("save", new BackUp()).on(named("node1")).at(Duration.ZERO);
        ScheduledFault restore = ScheduledFault.step("restore", new BackUp.Restore(Duration.ZERO));

        assertThat(problems(backup, restore.on(named("node1")).after("save", Duration.ZERO)))
                .containsExactly("step restore: node node1: the whole cluster is lost and restored; use node: all");
    }

    @Test
    void aClusterThatCannotBeRestoredIsRefusedInOneLine() {
        FakeNodeController remote = new FakeNodeController(new ManualClock(0), 3).without(Restorable.class);
        FakeNodeController lacking =
                new FakeNodeController(new ManualClock(0), 3).failing("lacks restore", "a program is missing");
        FaultSchedule drill = FaultSchedule.named("drill")
                .step(ScheduledFault.step("save", new BackUp())
                        .on(named("node1"))
                        .at(Duration.ZERO))
                .step(ScheduledFault.step("restore", new BackUp.Restore(Duration.ZERO))
                        .on(new NodeSelector.EveryNode())
                        .after("save", Duration.ZERO))
                .build();

        assertThat(ScheduleCheck.problems(drill, remote))
                .containsExactly("step restore: only clusters of NDB, Galera or Patroni of this machine that cluster"
                        + " up, or the drill itself, has started are lost and restored");
        assertThat(ScheduleCheck.problems(drill, lacking)).containsExactly("step restore: a program is missing");
    }

    private static NodeSelector named(String node) {
        return new NodeSelector.Named(List.of(node));
    }

    private static ScheduledFault step(NodeSelector where) {
        return ScheduledFault.step("change", new Switchover()).on(where);
    }

    @Test
    void aFailoverToWhatIsPrimaryAlreadyIsRefused() {
        assertThat(problems(new Failover(), new NodeSelector.PrimaryNode(), cluster()))
                .singleElement()
                .asString()
                .startsWith("step change: node primary: one node that is not primary is made primary");
        assertThat(problems(new Failover(), new NodeSelector.NotPrimaryNode(), cluster()))
                .isEmpty();
    }

    @Test
    void aSynchronousStandbyIsChosenOnlyWhereCommitsWaitForOne() {
        NodeSelector where = new NodeSelector.SynchronousStandby();

        assertThat(problems(new KillNode(), where, cluster()))
                .containsExactly("step change: node sync-standby: no commit of fake waits for a replica now; use"
                        + " not-primary, or a cluster of Patroni that was started with --synchronous");
        assertThat(problems(new KillNode(), where, cluster().synchronous("node3")))
                .isEmpty();
    }

    /** The cluster says why itself. */
    @Test
    void whoIsPrimaryIsRefusedInTheWordsOfTheCluster() {
        NodeController cluster = new ForwardingController(cluster()) {
            @Override
            public Optional<String> primary() {
                return Optional.empty();
            }

            @Override
            public String noPrimary() {
                return "nobody has said who that is; ask";
            }
        };
        FaultSchedule schedule = FaultSchedule.named("drill")
                .step(ScheduledFault.step("a", new KillNode())
                        .on(new NodeSelector.PrimaryNode())
                        .at(Duration.ZERO))
                .step(ScheduledFault.step("b", new KillNode())
                        .on(new NodeSelector.NotPrimaryNode())
                        .at(Duration.ofSeconds(1)))
                .build();

        assertThat(ScheduleCheck.problems(schedule, cluster))
                .containsExactly(
                        "step a: node primary: nobody has said who that is; ask",
                        "step b: node not-primary: nobody has said who that is; ask");
    }

    @Test
    void aProcessThatNodesDoNotHaveIsRefused() {
        Fault fault = new ProcessFault(ProcessFault.Kind.KILL, "patroni", Duration.ofSeconds(1));

        assertThat(problems(fault, new NodeSelector.PrimaryNode(), cluster()))
                .containsExactly(
                        "step change: process patroni: the processes of a node of fake are supervisor, server");
        assertThat(problems(fault, new NodeSelector.PrimaryNode(), cluster().without(Composed.class)))
                .containsExactly(
                        "step change: fault kill-process needs nodes that are composed; those of fake are not");
    }

    private static FakeNodeController cluster() {
        return new FakeNodeController(new ManualClock(0), 3);
    }

    private static List<String> problems(NodeSelector where) {
        return problems(step(where));
    }

    private static List<String> problems(Fault fault, NodeSelector where, FakeNodeController cluster) {
        return problems(cluster, ScheduledFault.step("change", fault).on(where));
    }

    private static List<String> problems(ScheduledFault... steps) {
        return problems(cluster(), steps);
    }

    private static List<String> problems(FakeNodeController cluster, ScheduledFault... steps) {
        FaultSchedule.Builder drill = FaultSchedule.named("drill");
        List.of(steps).forEach(drill::step);
        return ScheduleCheck.problems(drill.build(), cluster);
    }

    @Test
    void anAimAtAPhaseOfANodeThatIsNotThereIsRefused() {
        FaultSchedule schedule = FaultSchedule.named("aim")
                .step(ScheduledFault.step("kill", new KillNode()).at(Duration.ZERO))
                .step(ScheduledFault.step("again", new KillNode()).at("node9", Phase.DOWN, Duration.ZERO))
                .build();

        assertThat(ScheduleCheck.problems(schedule, new FakeNodeController(new ManualClock(0), 3)))
                .containsExactly("step again: at: no node node9; the nodes are node1, node2, node3");
    }
}
