package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.DiskTrouble.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The library in a process of its own, a shell that appends a line to its file again and again and says when that fails. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class DiskShimTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    private Path cluster;

    private final List<Process> started = new ArrayList<>();
    private DiskShim shim;

    @BeforeEach
    void compile() throws IOException {
        assumeTrue(CompilerTool.program().isPresent(), "no C compiler");
        assertThat(DiskShim.of(cluster)).isEmpty();
        DiskShim.FEATURE.make(new Ground(cluster, List.of(), Lifetime.OWNED, false));
        shim = DiskShim.of(cluster).orElseThrow();
        for (String node : List.of("node1", "node2")) {
            Files.createDirectories(data(node));
            started.add(Launcher.start(
                    List.of(
                            "sh",
                            "-c",
                            "while :; do echo line >>" + data(node) + "/file || echo failed >>" + failures(node)
                                    + "; echo other >>" + other(node) + "; sleep 0.01; done"),
                    cluster,
                    cluster.resolve(node + ".out"),
                    cluster.resolve(node + ".pid"),
                    List.of("sh"),
                    environment -> DiskShim.preload(cluster, node, data(node), environment)));
        }
        await("both write", () -> lines(file("node1")) > 2 && lines(file("node2")) > 2);
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aStalledDiskHoldsTheNodeUntilItIsLifted() {
        DiskTrouble stall = DiskTrouble.of(Kind.STALL);
        assertThat(shim.look("node1", stall).effect()).isFalse();

        shim.impair("node1", stall);
        await("held", () -> shim.look("node1", stall).effect());
        long before = lines(file("node1"));
        long others = lines(file("node2"));
        await("the other node goes on", () -> lines(file("node2")) > others + 20);

        assertThat(lines(file("node1"))).isEqualTo(before);
        assertThat(shim.look("node1", stall).text()).contains("a write of node1 met it at ", "1 call by now");
        shim.restore("node1", stall);
        shim.restore("node1", stall);
        await("it goes on", () -> lines(file("node1")) > before + 2);
        assertThat(failures("node1")).doesNotExist();
    }

    @Test
    void aSlowDiskDelaysEachCall() {
        DiskTrouble slow = new DiskTrouble(Kind.SLOW, Duration.ofMillis(200), Duration.ofMillis(50));

        shim.impair("node1", slow);
        await("a call that was delayed", () -> shim.look("node1", slow).effect());
        long before = lines(file("node1"));
        long begin = System.nanoTime();
        await("three more lines", () -> lines(file("node1")) >= before + 4);

        // The first of them may have been written just after it was looked.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(600));
        Sight seen = shim.look("node1", slow);
        assertThat(seen.effect()).isTrue();
        assertThat(failures("node1")).doesNotExist();
    }

    @Test
    void aBrokenDiskFailsWritesOfTheNodesFilesOnly() {
        DiskTrouble error = DiskTrouble.of(Kind.ERROR);

        shim.impair("node1", error);
        await("failures", () -> lines(failures("node1")) > 2);
        long before = lines(file("node1"));
        long outside = lines(other("node1"));
        await("files elsewhere are written", () -> lines(other("node1")) > outside + 5);

        assertThat(lines(file("node1"))).isEqualTo(before);
        shim.restoreAll();
        await("it is well again", () -> lines(file("node1")) > before + 2);
        assertThat(failures("node2")).doesNotExist();
    }

    @Test
    void aFullDiskHasNoSpaceForMore() throws Exception {
        DiskTrouble full = DiskTrouble.of(Kind.FULL);

        shim.impair("node1", full);
        await("failures", () -> lines(failures("node1")) > 2);
        shim.restore("node1", DiskTrouble.of(Kind.STALL)); // another trouble than the one in force
        assertThat(shim.look("node1", full).effect()).isTrue();

        // What is there already can be overwritten.
        Path place = Files.writeString(data("node2").resolve("place"), "12345678");
        shim.impair("node2", full);
        Process overwrites = Launcher.start(
                List.of("dd", "if=/dev/zero", "of=" + place, "bs=4", "count=1", "conv=notrunc"),
                cluster,
                cluster.resolve("dd.out"),
                cluster.resolve("dd.pid"),
                List.of("dd"),
                environment -> DiskShim.preload(cluster, "node2", data("node2"), environment));
        assertThat(overwrites.waitFor()).isZero();
        assertThat(Files.readAllBytes(place)).startsWith(0, 0, 0, 0, '5').hasSize(8);
    }

    @Test
    void aTroubleOutlivesWhoeverHasPutItInForce() {
        shim.impair("node1", DiskTrouble.of(Kind.STALL));
        DiskShim later = DiskShim.of(cluster).orElseThrow();
        await("held", () -> later.look("node1", DiskTrouble.of(Kind.STALL)).effect());
        long before = lines(file("node1"));

        later.restoreAll();

        await("it goes on", () -> lines(file("node1")) > before);
    }

    /** The servers may be another user's, whatever the umask; and who was killed half-way leaves a file of the tool's own user. */
    @Test
    void anotherUsersServersCanLoadAndMapIt() throws IOException {
        Path folder = shim.library().getParent();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx--x--x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shim.library())))
                .isEqualTo("rwxr-xr-x");

        Path control = folder.resolve("node1.control");
        UserPrincipal tool = Files.getOwner(control);
        assumeTrue(tool.getName().equals("root"), "only root gives files to others");
        UserPrincipal other =
                cluster.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(data("node1"), other);
        DiskShim.preload(cluster, "node1", data("node1"), new HashMap<>());

        assertThat(Files.getOwner(control)).isEqualTo(other);
    }

    @Test
    void aNodeThatWasNeverStartedIsRefusedByName() {
        assertThatThrownBy(() -> shim.impair("node7", DiskTrouble.of(Kind.STALL)))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("node node7 was never started with --disk-faults");
        assertThatCode(() -> shim.restore("node7", DiskTrouble.of(Kind.STALL))).doesNotThrowAnyException();
    }

    @Test
    void aDirectoryFromWhichNoLibraryCanBeLoadedIsRefused() {
        assertThatThrownBy(() ->
                        DiskShim.FEATURE.make(new Ground(cluster.resolve("of mine"), List.of(), Lifetime.OWNED, false)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("has a blank or colon in its path");
    }

    private Path data(String node) {
        return cluster.resolve(node).resolve("data");
    }

    private Path file(String node) {
        return data(node).resolve("file");
    }

    private Path other(String node) {
        return cluster.resolve(node).resolve("other");
    }

    private Path failures(String node) {
        return cluster.resolve(node).resolve("failures");
    }

    private static long lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        NodeLocks.await(BOUND, condition, () -> "not within " + BOUND.toSeconds() + " s: " + what);
    }
}
