package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.NodeUse;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeTallyTest {
    private final NodeTally tally = new NodeTally();

    @Test
    void theSumOfANodeNeverFalls() {
        NodeUse patroni = new NodeUse("1-1", 7, 2, 30);

        assertThat(tally.add(List.of())).isEmpty();
        assertThat(tally.add(List.of(patroni, new NodeUse("2-2", 7, 10, 100))))
                .contains(new NodeUse("1-1", 7, 12, 130));
        assertThat(tally.add(List.of(patroni, new NodeUse("2-2", 7, 9, 90))))
                .as("a child ended while it was read")
                .contains(new NodeUse("1-1", 7, 12, 120));
        assertThat(tally.add(List.of(patroni))).as("the server has ended").contains(new NodeUse("1-1", 7, 12, 30));
        assertThat(tally.add(List.of(patroni, new NodeUse("3-3", 7, 1, 50))))
                .as("it was started again, and begins at zero")
                .contains(new NodeUse("1-1", 7, 13, 80));
        assertThat(tally.add(List.of(new NodeUse("4-4", 7, 1, 30), new NodeUse("5-5", 7, 1, 50))))
                .as("all were started again")
                .contains(new NodeUse("1-1", 7, 15, 80));
    }
}
