package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.ClientHost;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The program is sent to a directory of this machine, as to that of any host. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HostPlaceTest {
    @TempDir
    Path folder;

    private SentProgram program;

    @BeforeEach
    void program() throws IOException {
        Path jar = Files.writeString(folder.resolve("a.jar"), "the program");
        Path classes = Files.createDirectories(folder.resolve("classes/" + "deep".repeat(30)));
        Files.writeString(classes.resolve("A.class"), "a class");
        program = new SentProgram("1", List.of(jar, folder.resolve("classes")));
    }

    private Path place() {
        return folder.resolve("place");
    }

    private Path sent() throws IOException {
        return place().resolve(program.name());
    }

    private void prepare() throws IOException {
        ClientHost host = new ClientHost(
                "load1",
                Host.of(Transport.LOCAL, "here"),
                place().toString(),
                "java",
                Optional.empty(),
                List.of(),
                Map.of(),
                Map.of());
        new HostPlace(host, new HostPlace.Program(program, List.of(), List.of("Main")), "run1").prepare();
    }

    private static Path mode(Path path, String mode) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private void refused(String why) {
        assertThatThrownBy(this::prepare).isInstanceOf(IOException.class).hasMessageContaining(why);
    }

    @Test
    void theProgramArrivesInADirectoryThatIsClosedToOthersAndIsSentOnce() throws IOException {
        prepare();

        assertThat(Files.getPosixFilePermissions(place())).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(sent().resolve("000-a.jar")).hasContent("the program");
        assertThat(sent().resolve("001-classes/" + "deep".repeat(30) + "/A.class"))
                .hasContent("a class");
        Object first = Files.getAttribute(sent(), "unix:ino");
        prepare();
        assertThat(Files.getAttribute(sent(), "unix:ino")).isEqualTo(first);
        assertThat(place()).isDirectoryContaining(file -> file.equals(programFolder()));
        try (Stream<Path> all = Files.list(place())) {
            assertThat(all).hasSize(1);
        }
    }

    /** So that of a tool that is killed meanwhile nothing is left: what is sent is made as it goes. */
    @Test
    void whatIsSentIsNoFileHere() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        List<Path> open = new ArrayList<>();

        program.writeTo(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[1], 0, 1);
            }

            @Override
            public void write(byte[] some, int from, int length) throws IOException {
                try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                    files.filter(Files::exists).map(HostPlaceTest::target).forEach(open::add);
                }
            }
        });

        assertThat(open)
                .isNotEmpty()
                .filteredOn(file -> file.startsWith(temporary) && !file.startsWith(folder))
                // This build may be there, too.
                .filteredOn(
                        file -> !file.startsWith(Path.of("..").toAbsolutePath().normalize()))
                // The JVM's own figures of itself.
                .allMatch(file -> file.toString().contains("hsperfdata"));
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            return link; // closed meanwhile
        }
    }

    private Path programFolder() {
        try {
            return sent();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As somebody would have planted it who could write there once. */
    @Test
    void whatIsNotWhatWasSentIsReplacedBeforeItIsRun() throws IOException {
        Files.createDirectories(sent());
        mode(place(), "rwx------");
        Files.createFile(sent().resolve(".complete"));
        Files.writeString(sent().resolve("000-a.jar"), "another program");
        prepare();
        assertThat(sent().resolve("000-a.jar")).hasContent("the program");
        assertThat(sent().resolve(".complete")).doesNotExist();

        Files.writeString(sent().resolve("002-more.jar"), "one more");
        prepare();
        assertThat(sent().resolve("002-more.jar")).doesNotExist();

        Files.delete(sent().resolve("000-a.jar"));
        Files.createSymbolicLink(sent().resolve("000-a.jar"), folder.resolve("a.jar"));
        prepare();
        assertThat(sent().resolve("000-a.jar")).isRegularFile().isNotEqualTo(folder.resolve("a.jar"));
        assertThat(Files.isSymbolicLink(sent().resolve("000-a.jar"))).isFalse();
        try (Stream<Path> all = Files.list(place())) {
            assertThat(all).hasSize(1);
        }
    }

    @Test
    void directoriesThatOthersCouldChangeAreRefused() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(place(), other);
        refused("is a link");
        assertThat(other).isEmptyDirectory();

        Files.delete(place());
        mode(Files.createDirectory(place()), "rwxrwxrwx");
        refused("can be written by other accounts");

        Files.delete(place());
        Path open = mode(Files.createDirectory(folder.resolve("open")), "rwxrwxrwx");
        Path was = folder;
        folder = open;
        refused("other accounts may rename");
        folder = was;
    }

    /** Any account of the host knows the name beforehand. */
    @Test
    void aDirectoryOfAnotherAccountIsRefused() throws IOException {
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "needs root, to give a directory to another account");
        Files.createDirectories(sent());
        Files.createFile(sent().resolve(".complete"));
        Files.writeString(sent().resolve("000-a.jar"), "another program");
        assertThat(ProgramOutput.of(List.of("chown", "-R", "65534", place().toString()))
                        .exit())
                .isZero();

        refused("does not belong to root");

        assertThatCode(() -> Files.delete(sent().resolve(".complete"))).doesNotThrowAnyException();
        assertThat(ProgramOutput.of(List.of("chown", "0", place().toString())).exit())
                .isZero();
        mode(place(), "rwx------");
        refused("does not belong to root");
    }
}
