package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.PartitionFault;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import io.ycsbdrill.fault.node.trouble.Partition;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a zone as the target of a step. */
class ZonesTest {
    private final FakeNodeController cluster = new FakeNodeController(new ManualClock(0), 3);

    private List<String> problems(Fault fault, String zone) {
        return ScheduleCheck.problems(
                FaultSchedule.named("zones")
                        .step(step("first", fault).on(new NodeSelector.Zone(zone)))
                        .build(),
                cluster);
    }

    @Test
    void aZoneThatNoNodeIsInIsRefused() {
        assertThat(problems(new KillNode(), "b")).singleElement().asString().contains("in no zones", "--zones");

        cluster.zones("a", "b", "a");

        assertThat(problems(new KillNode(), "c"))
                .containsExactly("step first: node zone:c: there is no such zone; the zones are a, b");
        assertThat(problems(new KillNode(), "b")).isEmpty();
    }

    @Test
    void aZoneThatHasAllNodesIsRefused() {
        cluster.zones("a", "a", "a");

        assertThat(problems(new KillNode(), "a"))
                .containsExactly("step first: node zone:a: it has all nodes; use node: all, if that is meant");
    }

    /** Of which isolate asks whether they are a zone. */
    @ParameterizedTest
    @ValueSource(strings = {"[node1, node2]", "{rolling: [node1, node2]}", "node1", "random"})
    void allOtherSelectorsOfIsolateAreReadAsBefore(String node) throws Exception {
        ScheduledFault step = DrillFile.parse("list.yaml", """
                steps:
                  - {step: cut, fault: isolate, node: %s, duration: 1s, at: 0s}
                """.formatted(node))
                .schedule()
                .steps()
                .get(0);

        assertThat(step.fault())
                .isEqualTo(new PartitionFault(new Partition.Isolate(Partition.Ends.NODES), Duration.ofSeconds(1)));
    }

    @Test
    void theNodesOfAZoneAreHitAtTheSameTime() {
        DrillStage stage = new DrillStage();
        stage.cluster.zones("b", "a", "b");

        stage.playToEnd(step("dark", new PauseNode(Duration.ofSeconds(1), true)).on(new NodeSelector.Zone("b")));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).contains("pause node1", "pause node3").doesNotContain("pause node2");
    }

    @Test
    void anIsolatedZoneKeepsTheLinksAmongItsNodes() throws Exception {
        cluster.zones("a", "b", "b");
        Fault isolate =
                DrillFile.parse("zone.yaml", """
                steps:
                  - {step: cut, fault: isolate, node: "zone:b", duration: 1s, at: 0s}
                """).schedule().steps().get(0).fault();

        isolate.inject(cluster, new NodeInfo("node2", "host2", 0), null);

        assertThat(cluster.calls())
                .contains(
                        "trouble node2 " + LinkCut.both(Set.of("node1"), false).text());
    }
}
