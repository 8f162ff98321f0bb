package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is typed is right, but the machine is not: ports in use, nobody at an address, no state directory, a full disk. */
@Timeout(120)
class BadSurroundingsTest {
    private static final String GOOD =
            "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=10\noperationcount=200\n";

    @TempDir
    private Path root;

    private BadInput input;
    private Path mounted;

    @BeforeEach
    void world() {
        input = new BadInput(root);
        input.world().file("w", GOOD);
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted != null) {
            command("umount", "--lazy", mounted.toString());
        }
    }

    @Test
    void aPortInUseIsRefused() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();

            input.refused("run native -P w --live " + port, 2, "--live 127.0.0.1:" + port + ";;Address already in use");
            input.refused("load native -P w --live " + port, 2, "give another port, or --live without one");
        }
    }

    @ParameterizedTest
    @CsvSource({"run native -P w --no-load,1", "load native -P w,1", "cluster up,2", "run rest -P w,1"})
    void aStateDirectoryThatIsAFileIsSaid(String typed, int exitCode) throws IOException {
        Files.writeString(root.resolve("state"), "a file");

        input.refused(typed, exitCode, root.resolve("state").toString());
    }

    /** Right, but nobody is there: that can change, so it is a failed run and no usage error. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run jdbc -P w -p db.url=jdbc:mysql://127.0.0.1:1/x -p db.passwd=hunter2    | jdbc:mysql://127.0.0.1:1/x
            load jdbc -P w -p db.url=jdbc:mysql://127.0.0.1:1/x                        | 127.0.0.1
            run rest -P w -p rest.endpoints=http://127.0.0.1:1                         | http://127.0.0.1:1: Connection refused
            load rest -P w -p rest.endpoints=http://127.0.0.1:1 -p rest.dialect=rondb  | http://127.0.0.1:1
            run rest -P w -p rest.endpoints=http://no.such.host.invalid:80             | no.such.host.invalid
            """)
    void aServerThatIsNotThereFailsTheRun(String typed, String expected) throws IOException {
        World world = input.world();

        assertThat(world.execute(BadInput.words(typed + " --out r").toArray(String[]::new)))
                .isEqualTo(1);

        String reason =
                typed.startsWith("load") ? "client-0 could not be initialised: " : "the database cannot be reached: ";
        assertThat(world.err()).contains("error: run incomplete: " + reason, expected);
        BadInput.understandable(typed, world.err());
        assertThat(Files.readString(world.directory().resolve("r/run.json")))
                .contains("\"incomplete\"")
                .doesNotContain(BadInput.SECRET);
    }

    /** The run goes to a file system of a few pages, of which so many bytes are free. */
    @ParameterizedTest
    @CsvSource({"0", "4096", "8192", "16384"})
    void aFullDiskFailsTheRunAndIsSaid(int free) throws Exception {
        mountSmallDisk(free);
        World world = input.world();

        int exitCode = world.execute(
                "run",
                "native",
                "-P",
                "w",
                "--no-load",
                "--out",
                mounted.resolve("r").toString(),
                "--window",
                "100ms");

        assertThat(exitCode).as(world.err()).isEqualTo(1);
        assertThat(world.err()).contains("No space left on device", "run directory");
        BadInput.understandable("a full disk", world.err());
        assertThat(mounted.resolve("other")).hasSize(64 * 1024L - free);
    }

    @Test
    void aFullDiskHasNoRoomForAPage() throws Exception {
        mountSmallDisk(0);
        input.world()
                .file("r/run.json", "{\"schema\":1,\"state\":\"complete\",\"endedAt\":\"2026-11-20T12:00:01Z\"}")
                .file("r/windows.csv", "window,start_s,end_s,operation,ok,failed,unknown\n");

        World world = input.world();
        int exitCode = world.execute(
                "compare", "r", "r", "-o", mounted.resolve("page.html").toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(world.err()).contains("page.html cannot be written: ", "No space left on device");
        BadInput.understandable("a full disk", world.err());
    }

    private void mountSmallDisk(int free) throws Exception {
        Path disk = Files.createDirectory(root.resolve("disk"));
        if (!command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString())) {
            abort("this user cannot mount a file system that is small enough to be full");
        }
        mounted = disk;
        Files.write(disk.resolve("other"), new byte[64 * 1024 - free]);
    }

    /** Whether it is there and ended well. */
    private static boolean command(String... words) throws InterruptedException {
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // not installed, so nothing can be mounted
        }
    }
}
