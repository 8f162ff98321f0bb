package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(OS.LINUX)
class OwnedDirectoryTest {
    @TempDir
    private Path folder;

    private Path ours;

    @BeforeEach
    void claim() throws IOException {
        ours = folder.resolve("ours");
        OwnedDirectory.claim(ours, "test");
        Files.createDirectories(ours.resolve("a/b"));
        Files.writeString(ours.resolve("a/b/row"), "x");
    }

    @Test
    void nobodyElseCanEnterIt() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        OwnedDirectory.claim(open, "test");

        for (Path each : List.of(ours, open)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rwx------");
        }
    }

    /** Such as a home that somebody has typed by mistake. */
    @Test
    void whatIsNotEmptyIsRefusedAndKeepsItsMode() throws IOException {
        Path full = Files.createDirectories(folder.resolve("full/a")).getParent();
        Files.setPosixFilePermissions(full, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThatThrownBy(() -> OwnedDirectory.claim(full, "test")).hasMessageContaining("it is not empty");
        assertThatThrownBy(() -> OwnedDirectory.claim(
                        Files.createSymbolicLink(folder.resolve("aside"), folder.resolve("ours")), "test"))
                .hasMessageContaining("it is a link");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(full)))
                .isEqualTo("rwxr-xr-x");
    }

    private void assertRefused(Path directory, String why) {
        assertThatThrownBy(() -> OwnedDirectory.of(directory, "test").delete())
                .isInstanceOf(NotOursException.class)
                .hasMessageContaining("directory \"" + directory + "\" is left alone")
                .hasMessageContaining(why);
        assertThat(ours.resolve("a/b/row")).exists();
    }

    private void marked(String name, String value) throws IOException {
        Path marker = ours.resolve(OwnedDirectory.MARKER);
        Files.writeString(marker, Files.readString(marker).replaceFirst("(?m)^" + name + "=.*$", name + "=" + value));
    }

    @Test
    void everythingInItGoesAndLinksAreNotFollowed() throws IOException {
        Path foreign = Files.createDirectories(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("row"), "y");
        Files.createSymbolicLink(ours.resolve("a/link"), foreign);
        Files.createSymbolicLink(ours.resolve("a/file"), foreign.resolve("row"));

        OwnedDirectory.of(ours, "test").delete();

        assertThat(ours).doesNotExist();
        assertThat(foreign.resolve("row")).exists();
    }

    @Test
    void whatHasNoMarkerStays() throws IOException {
        Files.delete(ours.resolve(OwnedDirectory.MARKER));

        assertRefused(ours, "remove it by hand: rm -r \"" + ours + "\"");
        assertThatThrownBy(() -> OwnedDirectory.deletePart(ours.resolve("a"))).isInstanceOf(NotOursException.class);
        assertThat(ours.resolve("a/b/row")).exists();
    }

    @ParameterizedTest
    @CsvSource({
        "product, another, damaged",
        "purpose, another, made for another and not for test",
        "user, 4711, user 4711 made it",
        "processes, pid:[1], another PID namespace",
        "boot, another, another machine",
    })
    void whatIsMarkedOtherwiseStays(String name, String value, String why) throws IOException {
        if (name.equals("boot")) {
            marked("machine", "another");
        }
        marked(name, value);

        assertRefused(ours, why);
    }

    @Test
    void noProcessHasOutlivedARestartOfTheMachine() throws IOException {
        Machine here = Machine.here();
        Machine before = new Machine("m", here.host(), "earlier", "pid:[1]", here.user());
        Machine now = new Machine("m", here.host(), "later", "pid:[2]", here.user());

        assertThat(now.foreignTo(before)).isEmpty();
        assertThat(now.foreignTo(new Machine("m", "clone of its image", "earlier", "", here.user())))
                .isPresent();
        assertThat(now.foreignTo(new Machine("", here.host(), "earlier", "", here.user())))
                .isPresent();
    }

    @Test
    void relativeEmptyAndMissingPathsAreRefused() {
        assertRefused(Path.of(""), "not absolute");
        assertRefused(Path.of("ours"), "not absolute");
        assertRefused(folder.resolve("gone"), "no such directory");
        assertRefused(Path.of("/"), "has the file");
    }

    @Test
    void aLinkInItsPlaceIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), ours);

        assertRefused(link, "it is a link");
    }

    @Test
    void aHomeIsRefusedEvenIfMarked() {
        String home = System.getProperty("user.home");
        System.setProperty("user.home", ours.resolve("a").toString());
        try {
            assertRefused(ours, "home directory");
        } finally {
            System.setProperty("user.home", home);
        }
    }

    @Test
    void mountPointsAreFoundByTheKernelsTable() throws IOException {
        assertThat(Mounts.in(Path.of("/proc"))).isPresent();
        assertThat(Mounts.in(ours)).isEmpty();
    }

    @Test
    void aPartIsRemovedFromTheDirectoryAroundItAndNotThroughALink() throws IOException {
        Path foreign = Files.createDirectories(folder.resolve("foreign/data"));
        Files.createSymbolicLink(ours.resolve("link"), folder.resolve("foreign"));

        OwnedDirectory.deletePart(ours.resolve("a/b"));
        assertThat(ours.resolve("a")).isEmptyDirectory();
        assertThatThrownBy(() -> OwnedDirectory.deletePart(ours.resolve("link/data")))
                .isInstanceOf(NotOursException.class);
        assertThatThrownBy(() -> OwnedDirectory.of(ours).delete(ours.resolve("../foreign")))
                .isInstanceOf(NotOursException.class);
        assertThat(foreign).exists();
    }

    /** A node was started with half of its files after its initial start had been cut off. */
    @Test
    void aRemovalThatWasCutOffIsCompletedByTheNext() throws IOException {
        Path part = ours.resolve("a/b");
        Files.move(part, ours.resolve("a/.b.removed"));

        OwnedDirectory.deletePart(part);
        assertThat(ours.resolve("a")).isEmptyDirectory();

        Files.createDirectories(ours.resolve("a/.b.removed/c"));
        Files.createDirectories(part.resolve("d"));
        OwnedDirectory.deletePart(part);
        assertThat(ours.resolve("a")).isEmptyDirectory();

        Files.createDirectories(ours.resolve("a/.b.removed/c"));
        Files.createDirectories(part);
        OwnedDirectory.completeRemovals(ours.resolve("a"));
        assertThat(ours.resolve("a")).isDirectoryNotContaining("glob:**.removed");
        assertThat(part).as("a later one of that name").exists();
    }

    @Test
    void onlyAnEmptyDirectoryCanBeClaimed() throws IOException {
        assertThatThrownBy(() -> OwnedDirectory.claim(ours, "test")).isInstanceOf(NotOursException.class);
        Files.createDirectories(folder.resolve("users"));
        Files.writeString(folder.resolve("users/file"), "");
        assertThatThrownBy(() -> OwnedDirectory.claim(folder.resolve("users"), "test"))
                .isInstanceOf(NotOursException.class);
    }

    @Test
    void aTemporaryOneNeedsNoMarkerAndIsKnownByItsMaker() throws IOException {
        OwnedDirectory temporary = OwnedDirectory.temporary("owned");
        Files.writeString(temporary.path().resolve("file"), "");

        temporary.delete();
        assertThat(temporary.path()).doesNotExist();
        temporary.delete();
    }
}
