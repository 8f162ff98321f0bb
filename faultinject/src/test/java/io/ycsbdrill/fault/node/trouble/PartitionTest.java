package io.ycsbdrill.fault.node.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.PartitionFault;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.trouble.Partition.Ends;
import io.ycsbdrill.fault.node.trouble.Partition.Groups;
import io.ycsbdrill.fault.node.trouble.Partition.Isolate;
import io.ycsbdrill.fault.node.trouble.Partition.OneWay;
import io.ycsbdrill.fault.node.trouble.Partition.Ring;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionTest {
    private static final List<String> THREE = List.of("node1", "node2", "node3");
    private static final List<String> FIVE = List.of("a", "b", "c", "d", "e");

    @Test
    void anIsolatedNodeIsCutOffFromAllOthersAndKeepsItsClients() {
        assertThat(new Isolate(Ends.NODES).of("node2", THREE)).contains(LinkCut.both(Set.of("node1", "node3"), false));
        assertThat(new Isolate(Ends.EVERYTHING).of("node2", THREE))
                .contains(LinkCut.both(Set.of("node1", "node3"), true));
        assertThat(new Isolate(Ends.CLIENTS).of("node2", THREE)).contains(LinkCut.both(Set.of(), true));
    }

    @Test
    void endsAreNodesByIdOrByTheirPlace() {
        assertThat(new Isolate(new Ends(false, false, List.of("3"))).of("node1", THREE))
                .contains(LinkCut.both(Set.of("node3"), false));
        // In NDB the ids are numbers; they are meant then.
        assertThat(new Isolate(new Ends(false, false, List.of("1"))).of("2", List.of("3", "2", "1")))
                .contains(LinkCut.both(Set.of("1"), false));
        assertThat(new Isolate(new Ends(false, false, List.of("4"))).problem(THREE))
                .contains("no node 4; the nodes are node1, node2, node3, or 1 to 3");
    }

    @Test
    void oneDirectionOnly() {
        assertThat(new OneWay(Optional.of(Ends.NODES), Optional.empty()).of("node1", THREE))
                .contains(new LinkCut(Set.of("node2", "node3"), Set.of(), false, false));
        assertThat(new OneWay(Optional.empty(), Optional.of(Ends.CLIENTS)).of("node1", THREE))
                .contains(new LinkCut(Set.of(), Set.of(), false, true));
        assertThat(new OneWay(Optional.of(new Ends(false, false, List.of("node1"))), Optional.empty())
                        .of("node1", THREE))
                .isEmpty();
    }

    @Test
    void groupsReachTheirOwnMembersOnly() {
        Groups groups = new Groups(List.of(List.of("1"), List.of("2", "node3")));

        assertThat(groups.of("node1", THREE)).contains(LinkCut.both(Set.of("node2", "node3"), false));
        assertThat(groups.of("node3", THREE)).contains(LinkCut.both(Set.of("node1"), false));
        assertThat(groups.problem(THREE)).isEmpty();
        assertThat(groups.problem(List.of("node1", "node2")).orElseThrow()).startsWith("no node node3");
        assertThat(new Groups(List.of(List.of("1"), List.of("node1")))
                        .problem(THREE)
                        .orElseThrow())
                .startsWith("a node is in two groups");
    }

    @Test
    void aNodeInNoGroupKeepsItsLinks() {
        assertThat(new Groups(List.of(List.of("a"), List.of("b"))).of("c", FIVE))
                .isEmpty();
    }

    @Test
    void inARingEachNodeHasTwoNeighbours() {
        assertThat(new Ring().of("a", FIVE)).contains(LinkCut.both(Set.of("c", "d"), false));
        assertThat(new Ring().of("e", FIVE)).contains(LinkCut.both(Set.of("b", "c"), false));
        assertThat(new Ring().problem(FIVE)).isEmpty();
        assertThat(new Ring().problem(THREE).orElseThrow()).contains("needs 4 data nodes");
    }

    @Test
    void whatAMachineCannotDoIsSaidBeforeTheDrill() {
        FakeNodeController cluster = new FakeNodeController(System::nanoTime, 3);

        assertThat(cable(new LinkTrouble.Delay(Duration.ofMillis(1), Duration.ZERO))
                        .refusals(cluster))
                .containsExactly("no delays here");
        assertThat(cable(new LinkTrouble.Loss(0.5)).refusals(cluster)).isEmpty();
    }

    private static PartitionFault cable(LinkTrouble trouble) {
        return new PartitionFault(new Partition.Cable("link", trouble), Duration.ofSeconds(1));
    }
}
