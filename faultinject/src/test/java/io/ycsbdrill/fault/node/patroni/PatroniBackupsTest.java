package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.Restoring.Backup;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatroniBackupsTest {
    @TempDir
    private Path folder;

    /** What listens at its address may be the store of another cluster, with the same keys. */
    @Test
    void nothingIsRestoredWithoutTheClustersOwnEtcd() throws IOException {
        Path programs = Files.createDirectories(folder.resolve("usr/lib/postgresql/15/bin"));
        Files.createFile(programs.resolve("postgres")).toFile().setExecutable(true);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PatroniBackups backups = new PatroniBackups(
                    node -> new PatroniHome(folder),
                    new PatroniFiles(folder.resolve("cluster")),
                    RunAs.of("nobody"),
                    PatroniStore.of("127.0.0.1:" + other.getLocalPort() + ":1"));

            assertThatThrownBy(() -> backups.checkPutBack(new Backup("node1", folder.resolve("backup-1"))))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessage("etcd1 is down, without which nothing can be restored; start it first");
        }
    }
}
