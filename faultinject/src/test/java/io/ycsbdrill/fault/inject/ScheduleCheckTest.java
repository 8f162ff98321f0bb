package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.Switchover;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleCheckTest {
    static List<NodeSelector> others() {
        return List.of(
                new NodeSelector.NotPrimaryNode(), new NodeSelector.EveryReplica(), new NodeSelector.EveryNode());
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
    }

    private static List<String> problems(NodeSelector where) {
        return ScheduleCheck.problems(
                FaultSchedule.named("drill")
                        .step(ScheduledFault.step("change", new Switchover()).on(where))
                        .build(),
                new FakeNodeController(new ManualClock(0), 3));
    }
}
