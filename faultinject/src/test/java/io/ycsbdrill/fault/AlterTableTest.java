package io.ycsbdrill.fault;

import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.inject.FaultInjector;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.inject.ScheduleNotPossibleException;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NoNodes;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AlterTableTest {
    private final FakeNodeController cluster = new FakeNodeController(new ManualClock(0), 3);

    private static ScheduledFault change(Change change) {
        return step(change.label(), new AlterTable(change));
    }

    private List<String> problems(ScheduledFault... steps) {
        FaultSchedule.Builder schedule = FaultSchedule.named("changes");
        Stream.of(steps).forEach(schedule::step);
        return ScheduleCheck.problems(schedule.build(), cluster);
    }

    private static ScheduledFault change(Change change, String after) {
        return change(change).after(after, Duration.ZERO);
    }

    @Test
    void whatNoStepHasAddedIsNotDropped() {
        assertThat(problems(change(Change.DROP_INDEX), change(Change.CREATE_INDEX, "drop-index")))
                .containsExactly(
                        "step drop-index: there would be no index to drop; add it in an earlier step (operation:"
                                + " create-index)");
        assertThat(problems(change(Change.CREATE_INDEX), change(Change.DROP_INDEX, "create-index")))
                .isEmpty();
    }

    @Test
    void whatIsThereIsNotAddedAgain() {
        assertThat(problems(change(Change.ADD_COLUMN).repeated(2, Duration.ofSeconds(1))))
                .singleElement()
                .asString()
                .startsWith("step add-column: the column would be there already; drop it in a later step");
        assertThat(problems(change(Change.REORGANISE).repeated(2, Duration.ofSeconds(1))))
                .isEmpty();
    }

    /** Nobody knows how long the first one takes. */
    @Test
    void oneStepMayNotBeginBeforeTheOtherHasEnded() {
        assertThat(problems(change(Change.ADD_COLUMN), change(Change.DROP_COLUMN)))
                .containsExactly(
                        "step drop-column: may begin before add-column has ended, and a table is changed by one"
                                + " step at a time; add after: add-column");
        assertThat(problems(
                        change(Change.ADD_COLUMN),
                        step("kill", new KillNode()).after("add-column", Duration.ZERO),
                        change(Change.DROP_COLUMN, "kill")))
                .isEmpty();
    }

    @Test
    void aStepThatMayTellSeveralNodesIsRefused() {
        for (NodeSelector several : List.of(
                new NodeSelector.EveryNode(),
                new NodeSelector.Zone("a"),
                new NodeSelector.Named(List.of("node1", "node2")),
                new NodeSelector.SameAs("other"))) {
            assertThat(new AlterTable(Change.ADD_COLUMN).refusal(several, Optional::empty, false))
                    .hasValueSatisfying(why -> assertThat(why).contains("may be several nodes"));
        }
        assertThat(problems(change(Change.ADD_COLUMN).on(new NodeSelector.Named(List.of("node1")))))
                .isEmpty();
    }

    /** Before, they may be down. */
    @Test
    void serversAreAskedWhenTheyAreUpAgain() {
        cluster.state("node2", State.DOWN);
        cluster.failing("lacks create-index", "every column has one");
        FaultSchedule schedule =
                FaultSchedule.named("changes").step(change(Change.CREATE_INDEX)).build();

        assertThat(ScheduleCheck.problems(schedule, cluster)).isEmpty();
        assertThatThrownBy(() -> FaultInjector.prepare(cluster, schedule, HealRecord.inMemory(), text -> {}))
                .isInstanceOf(ScheduleNotPossibleException.class)
                .hasMessageContaining("step create-index: every column has one");
        assertThat(cluster.calls()).contains("start node2");
    }

    @Test
    void aClusterThatThisToolHasNotStartedIsRefused() {
        NodeController elsewhere = new NoNodes("galera");

        assertThat(new AlterTable(Change.ADD_COLUMN).refusals(elsewhere))
                .singleElement()
                .asString()
                .contains("not on hosts of an inventory");
    }

    /** Clients may be writing to it, and the record is there for it. */
    @Test
    void aProcessThatIsEndedLeavesTheTableAsItIs() {
        cluster.alter(Change.ADD_COLUMN, Duration.ofSeconds(1));

        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), text -> {}).release())
                .isEmpty();

        assertThat(cluster.disturbances()).containsExactly("table column");
    }

    /** SQL servers do not answer before that. */
    @Test
    void whatIsLeftIsDroppedWhenTheNodesServeAgain() {
        cluster.alter(Change.ADD_COLUMN, Duration.ofSeconds(1));
        cluster.state("node2", State.DOWN);
        List<String> said = new ArrayList<>();

        List<String> problems = new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), said::add).heal();

        assertThat(problems).isEmpty();
        assertThat(said).containsExactly("starting node2", "dropped table column");
        assertThat(cluster.disturbances()).isEmpty();
    }

    @Test
    void whatCannotBeDroppedIsSaid() {
        cluster.alter(Change.ADD_COLUMN, Duration.ofSeconds(1));
        cluster.failing("undo", "the server refused");

        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), text -> {}).heal())
                .containsExactly("the server refused");
    }
}
