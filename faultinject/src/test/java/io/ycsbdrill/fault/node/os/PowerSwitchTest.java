package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.JavaProgram;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import io.ycsbdrill.fault.node.os.UndoJournal.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a power cut takes, with processes whose writes are known to the byte. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class PowerSwitchTest {
    private static final String NODE = "node1";

    @TempDir
    private Path cluster;

    private final List<Process> started = new ArrayList<>();
    private DiskShim shim;
    private Path data;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(CompilerTool.program().isPresent(), "no C compiler");
        assertThat(DiskShim.journaled(cluster)).isEmpty();
        OwnedDirectory.claim(cluster, "test");
        DiskShim.JOURNAL.make(new Ground(cluster, List.of(), Lifetime.OWNED, false));
        shim = DiskShim.journaled(cluster).orElseThrow();
        data = Files.createDirectories(cluster.resolve(NODE).resolve("data"));
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void whatIsNotSyncedIsGoneAndWhatIsStays() throws Exception {
        write("ABCDEFGH", "of=" + data + "/file", "conv=fsync");
        write("xy", "of=" + data + "/file", "conv=notrunc", "seek=2", "oflag=seek_bytes");
        write("more", "of=" + data + "/file", "conv=notrunc", "oflag=append");
        write("never", "of=" + data + "/other");
        assertThat(content("file")).isEqualTo("ABxyEFGHmore");
        everyWriteIsRecorded();
        // An earlier one was cut off when it removed its records.
        Path removed = Files.createDirectories(shim.journal(NODE).resolve(".77.removed/0"));

        Loss loss = shim.rollBack(NODE);

        assertThat(removed.getParent()).doesNotExist();
        assertThat(content("file")).isEqualTo("ABCDEFGH");
        assertThat(content("other")).isEmpty();
        assertThat(loss).isEqualTo(new Loss(2, 3, 11));
        assertThat(shim.rollBack(NODE)).isEqualTo(Loss.NONE);
    }

    @Test
    void aSyncByAnyProcessIsForTheWholeFileAndForItsNextName() throws Exception {
        write("ABCDEFGH", "of=" + data + "/file");
        run("mv", data + "/file", data + "/renamed");
        write("z", "of=" + data + "/renamed", "conv=notrunc,fdatasync", "seek=7", "oflag=seek_bytes");

        assertThat(shim.rollBack(NODE)).isEqualTo(Loss.NONE);
        assertThat(content("renamed")).isEqualTo("ABCDEFGz");
    }

    @Test
    void aSyncOfAllFilesIsOne() throws Exception {
        write("ABCD", "of=" + data + "/file");
        write("EFGH", "of=" + data + "/other");
        run("sync", "-f", data.toString());
        write("xy", "of=" + data + "/other", "conv=notrunc");

        assertThat(shim.rollBack(NODE)).isEqualTo(new Loss(1, 1, 2));
        assertThat(content("file")).isEqualTo("ABCD");
        assertThat(content("other")).isEqualTo("EFGH");
    }

    @Test
    void whatIsWrittenThroughStaysAndIsNoSyncOfItsNeighbours() throws Exception {
        write("ABCD", "of=" + data + "/file", "conv=fsync");
        write("abcd5678", "of=" + data + "/file", "conv=notrunc");
        write("!", "of=" + data + "/file", "conv=notrunc", "seek=1", "oflag=seek_bytes,dsync");
        write("?", "of=" + data + "/file", "conv=notrunc", "seek=6", "oflag=seek_bytes,dsync");
        everyWriteIsRecorded();

        shim.rollBack(NODE);

        // Between the old end and what was written through there is a hole.
        assertThat(content("file")).isEqualTo("A!CD\0\0?");
    }

    @Test
    void aFileThatIsGoneLeavesNothingToTheNextOne() throws Exception {
        write("ABCD", "of=" + data + "/file");
        run("rm", data + "/file");
        assertThat(journal()).isEmpty();

        // Removed by somebody else, as for an initial start: known at the next start.
        write("ABCD", "of=" + data + "/file");
        Files.delete(data.resolve("file"));
        assertThat(journal()).hasSize(1);
        run("true");
        assertThat(journal()).isEmpty();
    }

    @Test
    void everyWayOfWritingIsTakenBackToTheByte() throws Exception {
        Path file = data.resolve("file");
        Loss all = Loss.NONE;
        for (int seed = 1; seed <= 6; seed++) {
            // Two processes, one after the other, without a power cut in between.
            for (int part = 0; part < 2; part++) {
                run(JavaProgram.command(
                                UnsyncedWriter.class, file.toString(), Integer.toString(10 * seed + part), "400")
                        .toArray(String[]::new));
            }

            all = all.plus(shim.rollBack(NODE));

            assertThat(Files.readAllBytes(file))
                    .as("seed " + seed)
                    .isEqualTo(Files.readAllBytes(UnsyncedWriter.expected(file)));
        }
        assertThat(all.writes()).isGreaterThan(10);
    }

    @Test
    void aCutThatWasCutShortIsCompletedByTheNextStart() throws Exception {
        write("ABCD", "of=" + data + "/file", "conv=fsync");
        write("abcd", "of=" + data + "/file", "conv=notrunc");
        Files.writeString(cluster.resolve("disk/node1.power-loss"), Instant.EPOCH.toString());

        run("true");

        assertThat(content("file")).isEqualTo("ABCD");
        assertThat(cluster.resolve("disk/node1.power-loss")).doesNotExist();
    }

    @Test
    void whatIsOldEnoughWasWrittenBackByTheKernel() throws Exception {
        write("ABCD", "of=" + data + "/file");
        // As if the cut came later.
        Files.writeString(
                cluster.resolve("disk/node1.power-loss"),
                Instant.now().plusSeconds(2).toString());

        assertThat(shim.rollBack(NODE)).isEqualTo(Loss.NONE);
        assertThat(content("file")).isEqualTo("ABCD");
    }

    @Test
    void whatTheKernelIsSetToIsReadToItsLastDigit() throws IOException {
        assertThat(UndoJournal.writeBack()).isEqualTo(UndoJournal.writeBack(set("expire"), set("writeback")));
    }

    private static long set(String name) throws IOException {
        return Long.parseLong(ProgramOutput.of(List.of("cat", "/proc/sys/vm/dirty_" + name + "_centisecs"))
                .firstLine());
    }

    @Test
    void aKernelThatWritesNothingBackByItselfKeepsItInMemory() {
        assertThat(UndoJournal.writeBack(3000, 500)).isEqualTo(Duration.ofSeconds(35));
        assertThat(UndoJournal.writeBack(3000, 0)).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    void aDamagedJournalIsAnError() throws Exception {
        write("ABCD", "of=" + data + "/file");
        Path records = Files.list(journal().get(0)).toList().get(0);
        byte[] bytes = Files.readAllBytes(records);
        bytes[0] ^= 1;
        Files.write(records, bytes);

        assertThatThrownBy(() -> shim.rollBack(NODE))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is damaged at byte 0");
        assertThat(content("file")).isEqualTo("ABCD");
    }

    @Test
    void theSwitchKillsFirstAndSaysWhatIsGone() throws Exception {
        Process shell = writer("one", "file");
        PowerSwitch power = power(shell);
        assertThat(power.lookForLoss(NODE).effect()).isFalse();

        power.unplug(NODE);

        assertThat(shell.isAlive()).isFalse();
        assertThat(content("file")).isEmpty();
        assertThat(power.lookForLoss(NODE).text())
                .isEqualTo("1 writes of 4 bytes to 1 files were not synced and are gone");
    }

    @Test
    void aLaterCutSaysOnlyWhatItHasTakenItself() throws Exception {
        PowerSwitch power = power(() -> started.get(started.size() - 1));
        writer("one", "file");
        power.unplug(NODE);
        Files.delete(cluster.resolve("begun"));
        writer("a", "other");

        power.unplug(NODE);

        assertThat(power.lookForLoss(NODE).text())
                .isEqualTo("1 writes of 2 bytes to 1 files were not synced and are gone");
    }

    @Test
    void whoWritesInWaysThatAreNotRecordedIsLeftAlone() throws Exception {
        write("ABCD", "of=" + data + "/file");
        // Moves what follows to the front, if the file system can.
        Process moving =
                start("sh", "-c", "fallocate -c -l 4096 " + data + "/file; : >" + cluster + "/begun; sleep 60");
        NodeLocks.await(Duration.ofSeconds(20), () -> Files.exists(cluster.resolve("begun")), () -> "not begun");
        assertThatThrownBy(() -> power(moving).unplug(NODE))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("it is not known what it has synced: ranges of a file were moved");
        assertThat(moving.isAlive()).isTrue();
    }

    @Test
    void aProcessWithoutTheLibraryIsLeftAlone() throws Exception {
        run("true");
        Process other = new ProcessBuilder("sleep", "60").start();
        started.add(other);
        assertThatThrownBy(() -> power(other).unplug(NODE))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("it has not loaded ");
        assertThat(other.isAlive()).isTrue();
    }

    /** A node that has written a line, and has synced nothing. */
    private Process writer(String line, String file) throws IOException {
        Process shell =
                start("sh", "-c", "echo " + line + " >" + data + "/" + file + "; : >" + cluster + "/begun; sleep 60");
        NodeLocks.await(Duration.ofSeconds(20), () -> Files.exists(cluster.resolve("begun")), () -> "not begun");
        return shell;
    }

    private PowerSwitch power(Process process) {
        return power(() -> process);
    }

    /** @param process the node's at the time */
    private PowerSwitch power(Supplier<Process> process) {
        return new PowerSwitch(shim, new SandboxedNodes() {
            @Override
            public Path directory() {
                return cluster;
            }

            @Override
            public Path data(String node) {
                return cluster.resolve(node);
            }

            @Override
            public Optional<OsProcess> process(String node) {
                return Optional.of(new OsProcess(process.get().pid()));
            }

            @Override
            public void kill(String node) {
                try {
                    process.get().destroyForcibly().waitFor();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void exclusively(String node, Runnable operation) {
                operation.run();
            }
        });
    }

    /** Else a power cut is refused, and nothing can be expected of it. */
    private void everyWriteIsRecorded() throws IOException {
        List<String> records = new ArrayList<>();
        for (Path of : journal()) {
            try (var files = Files.list(of)) {
                files.forEach(file -> records.add(of.getFileName() + "/" + file.getFileName() + " has "
                        + file.toFile().length() + " bytes"));
            }
        }
        assertThat(shim.unfollowed(NODE)).as("%s", records).isEmpty();
        System.out.println("recorded: " + records);
    }

    private List<Path> journal() throws IOException {
        try (var folders = Files.list(cluster.resolve("disk/undo/node1"))) {
            return folders.toList();
        }
    }

    private String content(String name) throws IOException {
        return Files.readString(data.resolve(name));
    }

    private void write(String text, String... operands) throws Exception {
        Path from = Files.writeString(cluster.resolve("from"), text);
        List<String> command = new ArrayList<>(List.of("dd", "if=" + from));
        command.addAll(List.of(operands));
        run(command.toArray(String[]::new));
    }

    private void run(String... command) throws Exception {
        assertThat(start(command).waitFor())
                .as(String.join(" ", command) + ": " + Files.readString(cluster.resolve("out")))
                .isZero();
    }

    private Process start(String... command) throws IOException {
        Process process = Launcher.start(
                List.of(command),
                cluster,
                cluster.resolve("out"),
                cluster.resolve("pid"),
                List.of("dd"),
                environment -> DiskShim.preload(cluster, NODE, data, environment));
        started.add(process);
        return process;
    }
}
