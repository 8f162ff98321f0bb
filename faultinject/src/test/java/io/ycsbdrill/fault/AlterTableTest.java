package io.ycsbdrill.fault;

import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void whatNoStepHasAddedIsNotDropped() {
        assertThat(problems(change(Change.DROP_INDEX), change(Change.ADD_COLUMN)))
                .containsExactly(
                        "step drop-index: there would be no index to drop; add it in an earlier step (operation:"
                                + " create-index)");
        assertThat(problems(change(Change.CREATE_INDEX), change(Change.DROP_INDEX)))
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

    @Test
    void whatTheServersSayIsSaidBeforeTheDrill() {
        cluster.failing("lacks create-index", "every column has one");

        assertThat(problems(change(Change.CREATE_INDEX))).containsExactly("step create-index: every column has one");
    }

    /** SQL servers do not answer before that. */
    @Test
    void whatIsLeftIsDroppedWhenTheNodesServeAgain() {
        cluster.alter(Change.ADD_COLUMN);
        cluster.state("node2", State.DOWN);
        List<String> said = new ArrayList<>();

        List<String> problems = new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), said::add).heal();

        assertThat(problems).isEmpty();
        assertThat(said).containsExactly("starting node2", "dropped table column");
        assertThat(cluster.disturbances()).isEmpty();
    }

    @Test
    void whatCannotBeDroppedIsSaid() {
        cluster.alter(Change.ADD_COLUMN);
        cluster.failing("undo", "the server refused");

        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), text -> {}).heal())
                .containsExactly("the server refused");
    }
}
