package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.Finding.Verdict;
import io.ycsbdrill.fault.host.SmallDisk;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.node.DiskTrouble;
import io.ycsbdrill.fault.node.DiskTrouble.Kind;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to a process on a host that is reached by a real sshd. */
@Tag("process")
@Timeout(120)
class NodeScriptIT {
    @TempDir
    Path folder;

    private SshHosts hosts;
    private Process server;

    @BeforeEach
    void start() throws Exception {
        hosts = SshHosts.start(folder.resolve("ssh"), List.of("db1"), Map.of());
        server = new ProcessBuilder("sleep", "300")
                .redirectInput(new File("/dev/null"))
                .start();
        Files.writeString(folder.resolve("db.pid"), server.pid() + "\n");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.destroyForcibly();
        }
        if (hosts != null) {
            hosts.close();
        }
    }

    @Test
    void processIsPausedResumedAndKilledAndTheHostKnowsOfIt() throws Exception {
        Inventory inventory = inventory("sleep");
        HostedNode node = inventory.node("1").orElseThrow();
        List<String> problems = new ArrayList<>();

        act(inventory, NodeAction.PAUSE);
        assertThat(inventory.isPaused(node.info())).isTrue();
        // By another machine: nothing but the inventory.
        assertThat(inventory("sleep").journal().open(problems::add).get("1"))
                .singleElement()
                .asString()
                .startsWith("pause 20");
        act(inventory, NodeAction.RESUME);
        assertThat(inventory.isPaused(node.info())).isFalse();
        assertThat(inventory.journal().open(problems::add)).isEmpty();
        act(inventory, NodeAction.KILL);
        assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isEqualTo(128 + 9);
        assertThat(inventory.journal().open(problems::add).get("1")).hasSize(1);
        assertThat(Files.getPosixFilePermissions(folder.resolve("heal"))).hasSize(3);
        assertThat(problems).isEmpty();
    }

    @Test
    void processOfAnotherProgramIsNeverSignalled() {
        Inventory inventory = inventory("ndbmtd");

        act(inventory, NodeAction.KILL); // does nothing: the node is down
        assertThatThrownBy(() -> act(inventory, NodeAction.PAUSE))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("pause command for node 1")
                .hasMessageContaining("which does not run ndbmtd");

        assertThat(server.isAlive()).isTrue();
    }

    @Test
    void doctorProvesEachEntryWithoutHarm() throws Exception {
        assertThat(InventoryCheck.of(inventory("sleep")))
                .extracting(Finding::verdict, Finding::text)
                .anySatisfy(found -> assertThat(found.toString())
                        .contains("OK", "data node 1 on db1 (ssh): process " + server.pid() + ", may be signalled by"))
                .anySatisfy(found -> assertThat(found.toString()).contains("BAD", "start command is not there"))
                .anySatisfy(
                        found -> assertThat(found.toString()).contains("OK", "client load1 on db1 (ssh): reachable"));
        assertThat(server.isAlive()).isTrue();
        assertThat(folder.resolve("heal")).doesNotExist();

        hosts.turnOff("db1");
        assertThat(InventoryCheck.of(inventory("sleep")))
                .filteredOn(found -> found.verdict() == Verdict.BAD)
                .hasSize(2)
                .allSatisfy(found -> assertThat(found.text()).contains("cannot be asked", "Connection refused"));
    }

    @Test
    void unknownHostKeyIsRefused() throws Exception {
        Files.writeString(hosts.knownHosts(), "");

        assertThat(InventoryCheck.of(inventory("sleep")).get(0).text()).contains("Host key verification failed");
    }

    @Test
    void onlyDataDirectoriesAreEmptied() throws Exception {
        server.destroyForcibly().waitFor();
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("row"), "x");
        Inventory inventory = Inventory.parse(
                "i.yaml",
                text("sleep").replace("engine: ndb", "engine: cratedb"),
                Engine.installed(),
                new Properties());

        assertThatThrownBy(() -> act(inventory, NodeAction.INITIALISE)).hasMessageContaining("has no ");
        assertThat(data.resolve("row")).exists();
    }

    @Test
    void aDiskIsFilledAndAnotherMachineFreesIt() throws Exception {
        Path data = folder.resolve("data");
        DiskTrouble full = DiskTrouble.of(Kind.FULL);
        try (SmallDisk disk = SmallDisk.mount(data, 8)) {
            long free = disk.freeBytes();
            HostedDisks disks = new HostedDisks(inventory("sleep"));
            assertThat(disks.look("1", full).effect()).isFalse();

            disks.impair("1", full);

            assertThat(disks.look("1", full)).isEqualTo(new Sight(true, "0 KB are free in " + data));
            assertThatThrownBy(() -> Files.write(data.resolve("row"), new byte[10_000]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            Files.delete(data.resolve("row"));
            List<String> problems = new ArrayList<>();
            assertThat(inventory("sleep").journal().open(problems::add).get("1"))
                    .singleElement()
                    .asString()
                    .startsWith("disk-full 20");

            new HostedDisks(inventory("sleep")).restoreAll();

            assertThat(disk.freeBytes()).isEqualTo(free);
            assertThat(inventory("sleep").journal().open(problems::add)).isEmpty();
            assertThat(problems).isEmpty();
        }
    }

    @Test
    void theRootFileSystemIsNeverFilled() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        boolean root = ProgramOutput.of(List.of("df", "-P", data.toString()))
                .text()
                .strip()
                .endsWith(" /");
        if (!root) {
            System.out.println("skipped: " + data + " is not on the root file system");
        }
        assumeTrue(root);

        assertThatThrownBy(() -> new HostedDisks(inventory("sleep")).impair("1", DiskTrouble.of(Kind.FULL)))
                .hasMessageContaining("the root file system of this host, which is not filled");

        assertThat(data).isEmptyDirectory();
        assertThat(InventoryCheck.of(inventory("sleep")))
                .extracting(Finding::text)
                .contains("its disk cannot be filled: its data directory is on the root file system of the host");
    }

    private static void act(Inventory inventory, NodeAction action) {
        inventory.act(action, inventory.node("1").orElseThrow().info(), step -> {});
    }

    private Inventory inventory(String program) {
        return Inventory.parse("i.yaml", text(program), Engine.installed(), new Properties());
    }

    private String text(String program) {
        return """
                engine: ndb
                defaults: {transport: ssh, ssh_config: %1$s}
                journal: %2$s/heal
                data_nodes: [{id: 1, host: db1, pid_file: %2$s/db.pid, program: %3$s, data_directory: %2$s/data,
                              commands: {start: [no-such-program]}}]
                clients: [{id: load1, host: db1, directory: %2$s/runs}]
                """.formatted(hosts.config(), folder, program);
    }
}
