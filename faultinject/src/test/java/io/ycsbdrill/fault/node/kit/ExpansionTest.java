package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpansionTest {
    @TempDir
    Path directory;

    private final List<String> done = new ArrayList<>();
    private Members members;
    private Expansion expansion;
    private boolean recovers = true;

    @BeforeEach
    void twoMembersAndASpareNode() {
        members = new Members(directory, List.of("node1", "node2", "node3"));
        members.begin(2);
        expansion = new Expansion(new Spared(members), members);
    }

    /** It may have the only copy of some of the data by then. */
    @Test
    void aNodeThatHasRecoveredStaysAMemberAlthoughItsShareIsNotKnown() {
        assertThatThrownBy(() -> expansion.add("node3")).hasMessage("no server answers");

        assertThat(members.members()).containsExactly("node1", "node2", "node3");
        assertThat(done).containsExactly("started node3", "settling node3");
    }

    @Test
    void aNodeThatDoesNotRecoverIsASpareNodeAgain() {
        recovers = false;

        assertThatThrownBy(() -> expansion.add("node3")).hasMessage("node3 has not recovered");

        assertThat(members.members()).containsExactly("node1", "node2");
        assertThat(done).containsExactly("started node3", "killing node3");
    }

    private final class Spared extends ScriptedCluster {
        Spared(Members members) {
            super(directory, members);
        }

        @Override
        public void startInitial(String node) {
            done.add("started " + node);
        }

        @Override
        public void awaitStarted(String node, Duration bound) {
            if (!recovers) {
                throw new NodeControlException(node + " has not recovered");
            }
        }

        @Override
        protected void settle(String node) {
            done.add("settling " + node);
            throw new NodeControlException("no server answers");
        }

        /** Asked by what ends a process only. */
        @Override
        public Optional<OsProcess> process(String node) {
            done.add("killing " + node);
            return Optional.empty();
        }
    }
}
