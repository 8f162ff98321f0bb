package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealerTest {
    private final FakeNodeController cluster = new FakeNodeController(new ManualClock(0), 3);

    @TempDir
    Path directory;

    private Healer healer(HealRecord record) {
        return new Healer(cluster, record, Duration.ofSeconds(1), text -> {});
    }

    @Test
    void healingAWholeClusterDoesNothing() {
        assertThat(healer(HealRecord.inMemory()).heal()).isEmpty();
        assertThat(cluster.calls()).isEmpty();
    }

    @Test
    void whatIsDownIsStartedAndHealingAgainIsHarmless() {
        cluster.state("node2", State.DOWN);
        Healer healer = healer(HealRecord.inMemory());

        assertThat(healer.heal()).isEmpty();
        assertThat(healer.heal()).isEmpty();

        assertThat(cluster.calls()).containsExactly("start node2", "awaitStarted node2");
    }

    @Test
    void aNodeThatCannotBeStartedIsReportedAndTheOthersAreHealed() {
        cluster.state("node1", State.DOWN).state("node2", State.DOWN).failing("start node1", "node1: disk is gone");

        assertThat(healer(HealRecord.inMemory()).heal()).contains("node1: disk is gone");

        assertThat(cluster.status().get(1).state()).isEqualTo(State.STARTED);
    }

    @Test
    void releaseResumesAndStartsButDoesNotWait() {
        cluster.state("node1", State.DOWN).state("node2", State.PAUSED);

        assertThat(healer(HealRecord.inMemory()).release()).isEmpty();

        assertThat(cluster.calls()).containsExactly("start node1", "resume node2");
    }

    @Test
    void aLaterProcessFindsWhatAKilledOneLeftOpen() throws Exception {
        Path trace = directory.resolve("healed");
        HealRecord left = HealRecord.in(directory);
        left.add(new HealRecord.Entry("node1", "cut", "run", List.of("touch", trace.toString())));
        left.add(new HealRecord.Entry("node2", "kill", "kill", List.of()));

        HealRecord found = HealRecord.in(directory);
        assertThat(found.open()).isEqualTo(left.open());
        assertThat(healer(found).heal()).isEmpty();

        assertThat(trace).exists();
        assertThat(HealRecord.in(directory).open()).isEmpty();
        assertThat(directory.resolve("heal.json")).doesNotExist();
    }

    @Test
    void aDamagedRecordIsNotTakenForAnEmptyOne() throws Exception {
        Files.writeString(directory.resolve("heal.json"), "{\"open\":[");

        assertThatThrownBy(() -> HealRecord.in(directory))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("heal.json");
    }
}
