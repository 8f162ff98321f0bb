package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.trouble.Damageable;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is changed, and what is not, in a node's files that no process uses. */
@EnabledOnOs(OS.LINUX)
class FileDamageTest {
    private static final int SIZE = 4096;

    @TempDir
    private Path folder;

    private Path cluster;
    private Path data;
    private Path outside;
    private Optional<OsProcess> process = Optional.empty();
    private Damageable files;

    @BeforeEach
    void oneNode() throws IOException {
        cluster = folder.resolve("c");
        OwnedDirectory.claim(cluster, "test");
        data = Files.createDirectories(cluster.resolve("node1/data"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.createDirectory(data.resolve("tables"));
        for (Path file : List.of(
                data.resolve("tables/a.ibd"),
                data.resolve("tables/b.ibd"),
                data.resolve("log"),
                outside.resolve("x.ibd"))) {
            byte[] ones = new byte[SIZE];
            Arrays.fill(ones, (byte) 1);
            Files.write(file, ones);
        }
        Files.createFile(data.resolve("tables/empty.ibd"));
        files = (Damageable) FileDamage.FEATURE.attach(nodes()).orElseThrow();
    }

    private SandboxedNodes nodes() {
        return new SandboxedNodes() {
            @Override
            public Path directory() {
                return cluster;
            }

            @Override
            public Path data(String node) {
                return cluster.resolve(node).resolve("data");
            }

            @Override
            public Optional<OsProcess> process(String node) {
                return process;
            }

            @Override
            public void exclusively(String node, Runnable operation) {
                operation.run();
            }

            @Override
            public void kill(String node) {}
        };
    }

    private static Damage flips(int count) {
        return new Damage(Kind.FLIP, count, "**.ibd", 7);
    }

    /** How many bits are not as they were. */
    private static int changed(Path file) throws IOException {
        int bits = 0;
        for (byte each : Files.readAllBytes(file)) {
            bits += Integer.bitCount((each ^ 1) & 0xff);
        }
        return bits;
    }

    @Test
    void bitsAreFlippedInTheFilesThatWereNamedAndInNoOthers() throws IOException {
        assertThat(files.lookForDamage("node1").effect()).isFalse();

        files.damage("node1", flips(5));

        assertThat(changed(data.resolve("tables/a.ibd")) + changed(data.resolve("tables/b.ibd")))
                .isEqualTo(5);
        assertThat(changed(data.resolve("log")) + changed(outside.resolve("x.ibd")))
                .isZero();
        assertThat(files.lookForDamage("node1").effect()).isTrue();
        assertThat(files.lookForDamage("node1").text())
                .contains("5 changes in files of node1: bit ", " of tables/", "all are in ");
        assertThat(Files.readAllLines(cluster.resolve("damaged/node1"))).hasSize(5);
    }

    @Test
    void theSameSeedDrawsTheSame() throws IOException {
        files.damage("node1", flips(5));
        List<String> first = Files.readAllLines(cluster.resolve("damaged/node1"));
        oneNodeAgain();
        FileDamage.removed(cluster, "node1");

        files.damage("node1", flips(5));

        assertThat(Files.readAllLines(cluster.resolve("damaged/node1"))).isEqualTo(first);
    }

    private void oneNodeAgain() throws IOException {
        for (String file : List.of("tables/a.ibd", "tables/b.ibd")) {
            Files.copy(outside.resolve("x.ibd"), data.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void aFileLosesItsSecondHalf() throws IOException {
        files.damage("node1", new Damage(Kind.TRUNCATE, 9, "**.ibd", 1));

        assertThat(data.resolve("tables/a.ibd")).hasSize(SIZE / 2);
        assertThat(data.resolve("tables/b.ibd")).hasSize(SIZE / 2);
        assertThat(files.lookForDamage("node1").text())
                .contains("2 changes", "tables/a.ibd cut from 4096 to 2048 bytes");
    }

    /** By a link, by a second name, or by a data directory that is elsewhere. */
    @Test
    void whatIsElsewhereIsLeftAlone() throws IOException {
        Files.createSymbolicLink(data.resolve("link.ibd"), outside.resolve("x.ibd"));
        Files.createSymbolicLink(data.resolve("folder"), outside);
        Files.createLink(data.resolve("second.ibd"), outside.resolve("x.ibd"));

        files.damage("node1", flips(100));

        assertThat(changed(outside.resolve("x.ibd"))).isZero();
        Files.createDirectory(cluster.resolve("node2"));
        Files.createSymbolicLink(cluster.resolve("node2/data"), outside);
        assertThatThrownBy(() -> files.damage("node2", flips(1)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is not in the cluster's own directory");
        assertThat(changed(outside.resolve("x.ibd"))).isZero();
    }

    @Test
    void aNodeThatRunsIsRefusedAndSoAreFilesThatAreNotThere() throws IOException {
        assertThatThrownBy(() -> files.damage("node1", new Damage(Kind.FLIP, 1, "**.frm", 1)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no file of node1 is like \"**.frm\"");
        process = Optional.of(new OsProcess(ProcessHandle.current().pid()));

        assertThatThrownBy(() -> files.damage("node1", flips(1)))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("files of node1 are not damaged while it has a process");
        assertThat(changed(data.resolve("tables/a.ibd"))).isZero();
        assertThat(files.damagedSince("node1")).isEmpty();
    }

    /** Every bit was flipped once; the same one again would be repaired. */
    @Test
    void aSecondDamageIsAnotherOne() throws IOException {
        for (int i = 1; i <= 10; i++) {
            files.damage("node1", flips(500));

            assertThat(changed(data.resolve("tables/a.ibd")) + changed(data.resolve("tables/b.ibd")))
                    .isEqualTo(500 * i);
            assertThat(files.lookForDamage("node1").effect()).isTrue();
        }
        assertThat(Files.readAllLines(cluster.resolve("damaged/node1"))).hasSize(5000);
    }

    @Test
    void allOfItMustBeThere() throws IOException {
        files.damage("node1", flips(4));
        Files.copy(outside.resolve("x.ibd"), data.resolve("tables/a.ibd"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(files.lookForDamage("node1").effect()).isFalse();
        assertThat(files.lookForDamage("node1").text()).contains("2 of 4 changes");
    }

    @Test
    void whereNothingIsWrittenNothingIsFlipped() throws IOException {
        Files.write(data.resolve("zero.ibd"), new byte[SIZE]);

        files.damage("node1", flips(60));

        assertThat(Files.readAllLines(cluster.resolve("damaged/node1")))
                .hasSize(60)
                .noneMatch(line -> line.endsWith("zero.ibd"));
        assertThatThrownBy(() -> files.damage("node1", new Damage(Kind.FLIP, 1, "zero.ibd", 1)))
                .hasMessageContaining("nothing is written");
    }

    /** The record has a line for each change. */
    @Test
    void aNameOfTwoLinesIsLeftAlone() throws IOException {
        Files.write(data.resolve("two\nlines"), new byte[] {1});

        assertThatThrownBy(() -> files.check("node1", new Damage(Kind.FLIP, 1, "two*", 1)))
                .hasMessageContaining("no file of node1 is like \"two*\"");
    }

    @Test
    void aDirectoryThatIsNotOursIsLeftAlone() throws IOException {
        Files.delete(cluster.resolve(OwnedDirectory.MARKER));

        assertThatThrownBy(() -> files.damage("node1", flips(1))).isInstanceOf(NodeControlException.class);

        assertThat(changed(data.resolve("tables/a.ibd")) + changed(data.resolve("tables/b.ibd")))
                .isZero();
    }

    /** As when a user keeps a node's tables elsewhere. */
    @Test
    void filesBehindAMountPointAreLeftAlone() throws Exception {
        Path point = Files.createDirectory(data.resolve("mounted"));
        ProgramOutput mounted = ProgramOutput.of(
                List.of("mount", "--bind", outside.toString(), point.toString()), Duration.ofSeconds(10));
        assumeTrue(mounted.exit() == 0, mounted.text());
        try {
            assertThatThrownBy(() -> files.damage("node1", flips(100)))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining(point + " is a mount point");
            assertThatThrownBy(() -> files.check("node1", flips(100))).hasMessageContaining("is a mount point");
            assertThat(changed(outside.resolve("x.ibd"))).isZero();
        } finally {
            ProgramOutput.of(List.of("umount", point.toString()), Duration.ofSeconds(10));
        }
    }

    @Test
    void itIsKnownUntilTheFilesAreReplaced() {
        files.damage("node1", flips(1));
        assertThat(((Damageable) FileDamage.FEATURE.attach(nodes()).orElseThrow()).damagedSince("node1"))
                .as("by whoever comes later")
                .isPresent();

        FileDamage.removed(cluster, "node1");
        FileDamage.removed(cluster, "node1");

        assertThat(files.damagedSince("node1")).isEmpty();
    }
}
