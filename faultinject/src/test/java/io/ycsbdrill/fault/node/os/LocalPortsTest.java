package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPortsTest {
    @TempDir
    Path folder;

    private List<Integer> free(int count, String cluster) throws IOException {
        return LocalPorts.free(count, folder.resolve(cluster), folder.resolve("reserved"));
    }

    /** With one in six of all ports each, two of five clusters would share some if they did not remember. */
    @Test
    void clustersWhoseServersAreDownKeepTheirPorts() throws Exception {
        Set<Integer> all = new HashSet<>();
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try {
            List<Future<List<Integer>>> clusters = IntStream.range(0, 5)
                    .mapToObj(i -> threads.submit(() -> free(200, "c" + i)))
                    .toList();
            for (Future<List<Integer>> ports : clusters) {
                all.addAll(ports.get());
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(all).hasSize(1000).allMatch(port -> port >= 20_000 && port < 32_000);
    }

    /** As many hosts that serve many connections have it. */
    @Test
    void theDoctorNamesOutgoingConnectionsThatTakePortsOfNodesThatAreDown() {
        assertThat(LocalPorts.diagnose(3, "1024\t65535\n").text())
                .contains("outgoing connections use ports 1024 to 65535", "ip_local_port_range=\"32000 60999\"");
        assertThat(LocalPorts.diagnose(3, "10000 20000").verdict()).isEqualTo(Finding.Verdict.NOTE);
        assertThat(LocalPorts.diagnose(3, "32768\t60999\n").verdict()).isEqualTo(Finding.Verdict.OK);
        assertThat(LocalPorts.diagnose(3, "10000 19999").verdict()).isEqualTo(Finding.Verdict.OK);
        assertThat(LocalPorts.diagnose(3, "").verdict()).isEqualTo(Finding.Verdict.OK);
    }

    @Test
    void thePortsOfAClusterThatIsGoneAreFreeAgain() throws IOException {
        List<Integer> gone = free(3, "gone");
        List<Integer> there = free(2, "there's one");
        Files.delete(folder.resolve("gone"));

        List<Integer> more = free(1, "there's one");

        assertThat(Files.readAllLines(folder.resolve("reserved")))
                .hasSize(3)
                .allMatch(line -> line.endsWith("/there's one"))
                .noneMatch(line -> gone.contains(Integer.parseInt(line.substring(0, 5))));
        assertThat(there).doesNotContainAnyElementsOf(more);
    }

    @Test
    void damageToTheFileCostsNothing() throws IOException {
        Files.writeString(folder.resolve("reserved"), "not a port\n25000\n\n99999999 /x\n25001 " + folder + "\n");

        assertThat(free(2, "c")).hasSize(2).doesNotContain(25_001);
        assertThat(Files.readAllLines(folder.resolve("reserved"))).hasSize(3).contains("25001 " + folder);
    }

    @Test
    void theDoctorSaysWhetherThereAreEnough() {
        assertThat(LocalPorts.diagnose(3).verdict()).isEqualTo(Finding.Verdict.OK);
        assertThat(LocalPorts.diagnose(12_001).verdict()).isEqualTo(Finding.Verdict.NOTE);
        assertThat(LocalPorts.diagnose(12_001).text()).startsWith("a local cluster cannot be started: ");
    }

    @Test
    void aPortInUseIsNotFree() throws IOException {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(free(100, "c")).doesNotContain(used.getLocalPort());
        }
        assertThatThrownBy(() -> free(12_001, "c"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("between 20000 and 32000");
        assertThat(Files.readAllLines(folder.resolve("reserved"))).hasSize(100);
    }

    @Test
    void aLinkInPlaceOfTheRecordIsNotFollowed() throws IOException {
        Path foreign = Files.writeString(folder.resolve("foreign"), "its own content");
        Files.createSymbolicLink(folder.resolve("reserved"), foreign);

        assertThatThrownBy(() -> free(1, "c")).isInstanceOf(IOException.class);
        assertThat(foreign).hasContent("its own content");
    }

    @Test
    void theFolderIsForItsOwnerAlone() throws IOException {
        Path own = LocalPorts.ownFolder(folder.resolve("state/local"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        assertThat(LocalPorts.ownFolder(own)).isEqualTo(own);

        Path link = Files.createSymbolicLink(folder.resolve("link"), own);
        assertThatThrownBy(() -> LocalPorts.ownFolder(link))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(link.toString())
                .hasMessageContaining("mode 0700");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> LocalPorts.ownFolder(own)).isInstanceOf(NodeControlException.class);
    }

    @Test
    void aLockThatIsHeldIsNotWaitedForWithoutEnd() throws IOException {
        Path reserved = folder.resolve("reserved");
        try (FileChannel holder = FileChannel.open(reserved, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileChannel other = FileChannel.open(reserved, StandardOpenOption.WRITE)) {
            holder.lock();

            assertThatThrownBy(() -> LocalPorts.lock(other, reserved, Duration.ofMillis(30)))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("fuser -v " + reserved);
        }
    }
}
