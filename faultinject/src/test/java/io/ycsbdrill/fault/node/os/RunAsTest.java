package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.NodeControlException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Another user's rights can only be taken on as root; as anybody else the tests of it are skipped. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class RunAsTest {
    @TempDir
    Path folder;

    private static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }

    @Test
    void withoutBeingRootServersRunAsOurselves() {
        assumeTrue(!root(), "this test is not for root");
        assertThat(RunAs.of("nobody").other()).isEmpty();
        assertThat(RunAs.of("nobody").prefix()).isEmpty();
    }

    @Test
    void whatTheOtherUserCannotReachIsNamedWithWhatToDo() throws Exception {
        assumeTrue(root(), "only root can take on another user's rights");
        RunAs nobody = RunAs.of("nobody");
        Path read = Files.createFile(folder.resolve("read"));
        Path write = Files.createDirectories(folder.resolve("write"));

        assertThatThrownBy(() -> nobody.check(List.of(read), write))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("nobody")
                .hasMessageContaining("cannot reach " + read)
                .hasMessageContaining("YCSB_DRILL_STATE");

        nobody.admit(folder);
        assertThatThrownBy(() -> nobody.check(List.of(read), write)).hasMessageContaining("cannot reach " + write);
        nobody.own(write);
        assertThatCode(() -> nobody.check(List.of(read), write)).doesNotThrowAnyException();
    }

    @Test
    void whatALinkLeadsToIsNotGivenAway() throws Exception {
        assumeTrue(root(), "only root can take on another user's rights");
        RunAs nobody = RunAs.of("nobody");
        Path ours = Files.createDirectory(folder.resolve("ours"));
        Path file = Files.createFile(ours.resolve("file"));
        Path given = Files.createDirectories(folder.resolve("given/inner")).getParent();
        Path row = Files.createFile(given.resolve("inner/row"));
        Files.createSymbolicLink(given.resolve("link"), file);
        Files.createSymbolicLink(given.resolve("inner/folder"), ours);
        Path twice = Files.createFile(ours.resolve("twice"));
        Files.createLink(given.resolve("inner/hard"), twice);

        nobody.own(given);

        for (Path all : List.of(given, given.resolve("inner"), row)) {
            assertThat(Files.getOwner(all).getName()).isEqualTo("nobody");
        }
        for (Path kept : List.of(ours, file, twice)) {
            assertThat(Files.getOwner(kept).getName()).isEqualTo("root");
        }
        assertThatThrownBy(() -> nobody.own(given.resolve("inner/folder"))).hasMessageContaining("is a link");
        assertThat(Files.getOwner(ours).getName()).isEqualTo("root");
    }

    @Test
    void anUnknownUserIsRefused() {
        assumeTrue(root(), "only root can take on another user's rights");
        assertThatThrownBy(() -> RunAs.of("no-such-user-here"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no user no-such-user-here")
                .hasMessageContaining("--run-as");
    }
}
