package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationsTest {
    private static final List<String> NODES = List.of("node1", "node2");

    @TempDir
    Path folder;

    private Path old;
    private Path next;
    private Installations installations;

    @BeforeEach
    void folders() throws Exception {
        old = Files.createDirectory(folder.resolve("old"));
        next = Files.createDirectory(folder.resolve("next"));
        installations = new Installations(folder, old);
    }

    private List<String> refusals(Path home, String version, String running) {
        return installations.refusals(home, List.of(), Optional.of(version), Optional.of(running), NODES);
    }

    @Test
    void changeIsKnownToEveryProcessAndCanBeTakenBack() {
        Runnable undo = installations.set("node1", next);

        assertThat(new Installations(folder, old).of("node1")).isEqualTo(next);
        assertThat(new Installations(folder, old).of("node2")).isEqualTo(old);
        undo.run();
        assertThat(new Installations(folder, old).of("node1")).isEqualTo(old);
    }

    @Test
    void sameOrNewerVersionElsewhereIsTaken() {
        assertThat(refusals(next, "9.7.2", "9.7.2")).isEmpty();
        assertThat(refusals(next, "9.10.0", "9.7.2")).isEmpty();
    }

    @Test
    void nodeThatIsThereAlreadyIsNotMovedAgain() {
        installations.set("node1", next);

        assertThatCode(() -> installations.requireOther("node2", next)).doesNotThrowAnyException();
        assertThatThrownBy(() -> installations.requireOther("node1", next))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("node1 runs from " + next + " already");
    }

    @Test
    void downgradeIsRefused() {
        assertThat(refusals(next, "9.7.2", "9.10.0"))
                .singleElement()
                .asString()
                .contains(next + " is version 9.7.2, older than 9.10.0, which the nodes run");
    }

    @Test
    void whatCannotBeUsedIsRefusedWithTheReason() {
        assertThat(refusals(folder.resolve("nowhere"), "1.0.0", "1.0.0"))
                .containsExactly(
                        "home: there is no folder " + folder.resolve("nowhere") + "; give that of an installation");
        assertThat(installations.refusals(next, List.of("a", "b"), Optional.empty(), Optional.of("1.0.0"), NODES))
                .containsExactly("home: " + next + " is not a complete installation: missing a, b");
        assertThat(installations.refusals(next, List.of(), Optional.empty(), Optional.of("1.0.0"), NODES))
                .containsExactly("home: the version of " + next + " cannot be found out");
        assertThat(refusals(old, "1.0.0", "1.0.0"))
                .containsExactly("home: every node runs from " + old + " already, so nothing would be changed");
    }

    @Test
    void processTellsFromWhereItRuns() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            OsProcess sleep = new OsProcess(process.pid());
            Path program = sleep.program().orElseThrow();

            assertThat(Installations.look("n", Optional.of(sleep), program.getParent())
                            .effect())
                    .isTrue();
            assertThat(Installations.look("n", Optional.of(sleep), next).effect())
                    .isFalse();
            assertThat(Installations.look("n", Optional.empty(), next).effect()).isFalse();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
