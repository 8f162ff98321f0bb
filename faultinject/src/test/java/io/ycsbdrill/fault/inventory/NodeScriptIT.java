package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.Finding.Verdict;
import io.ycsbdrill.fault.host.SmallDisk;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.DiskTrouble.Kind;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
        serve("sleep", "300");
    }

    /** The process that the pid file names. */
    private void serve(String... command) throws IOException, InterruptedException {
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
        server =
                new ProcessBuilder(command).redirectInput(new File("/dev/null")).start();
        Files.writeString(folder.resolve("db.pid"), server.pid() + "\n");
    }

    /** The host has these shell scripts, by name, before its own programs. */
    private void programs(Map<String, String> scripts) throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (Map.Entry<String, String> script : scripts.entrySet()) {
            Path file = Files.writeString(bin.resolve(script.getKey()), "#!/bin/sh\n" + script.getValue() + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        hosts.close();
        hosts = SshHosts.start(
                folder.resolve("ssh2"),
                List.of("db1"),
                Map.of("db1", List.of("PATH=" + bin + ":/usr/sbin:/usr/bin:/sbin:/bin")));
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

    /** As the start files of many accounts do. */
    @Test
    void whatALoginPrintsIsNoFault() throws Exception {
        Path start = Files.writeString(folder.resolve("start"), "echo welcome; echo 'cannot rehash' >&2\n");
        hosts.close();
        hosts = SshHosts.start(folder.resolve("ssh2"), List.of("db1"), Map.of("db1", List.of("BASH_ENV=" + start)));
        List<String> problems = new ArrayList<>();
        assertThat(inventory("sleep").journal().open(problems::add)).isEmpty();

        act(inventory("sleep"), NodeAction.PAUSE);

        assertThat(inventory("sleep").journal().open(problems::add).get("1")).hasSize(1);
        assertThat(problems).isEmpty();
    }

    /** A program of its own, which does what it is told. */
    private String testdbd() throws IOException {
        return Files.createSymbolicLink(folder.resolve("testdbd"), Path.of("/bin/sh"))
                .toString();
    }

    /** As while MariaDB copies its data to another node. */
    @Test
    void killEndsTheServerAndNotAScriptThatItRuns() throws Exception {
        serve(testdbd(), "-c", "sh -c 'sleep 300; : /run/testdbd/x.sock'; :");
        while (server.descendants().count() < 2) {
            Thread.sleep(20);
        }
        ProcessHandle script = server.children().findFirst().orElseThrow();
        try {
            act(inventory("testdbd"), NodeAction.KILL);

            assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isEqualTo(128 + 9);
            assertThat(script.isAlive()).isTrue();
        } finally {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
        }
    }

    @Test
    void aStopMayTakeLongerThanTheTimeout() throws Exception {
        serve(testdbd(), "-c", "trap 'sleep 12; exit' TERM; while :; do sleep 0.2; done");

        act(parse("timeout: 10s\n" + text("testdbd")), NodeAction.STOP);

        assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
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
        Inventory inventory = parse(text("sleep").replace("engine: ndb", "engine: cratedb"));

        assertThatThrownBy(() -> act(inventory, NodeAction.INITIALISE)).hasMessageContaining("has no ");
        assertThat(data.resolve("row")).exists();
    }

    @Test
    void aDataDirectoryThatIsALinkIsEmptiedWhereItLeads() throws Exception {
        server.destroyForcibly().waitFor();
        Path real = folder.resolve("real");
        Files.createDirectories(real.resolve("nodes/0"));
        Files.writeString(real.resolve("row"), "x");
        Path data = Files.createSymbolicLink(folder.resolve("data"), real);
        Inventory inventory = parse(text("sleep").replace("engine: ndb", "engine: cratedb"));

        assertThatThrownBy(() -> act(inventory, NodeAction.INITIALISE))
                .hasMessageContaining("no program no-such-program");
        assertThat(real).isEmptyDirectory();
        assertThat(data).isSymbolicLink();
    }

    @Test
    void aFilterThatDoesNotAnswerHasNotMendedAnything() throws Exception {
        programs(Map.of("nft", "exit 1", "sudo", "exit 1"));
        Inventory inventory = inventory("sleep");
        HostedLinks links = new HostedLinks(inventory);
        List<String> problems = new ArrayList<>();

        assertThatThrownBy(() -> links.trouble("1", LinkCut.both(Set.of(), true)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("(exit code 1)");
        assertThat(inventory.journal().open(problems::add))
                .as("what could not be mended is not begun")
                .isEmpty();

        inventory.journal().opened("1", "cut");
        assertThatThrownBy(() -> links.mend("1"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("(exit code 1)");
        assertThat(inventory.journal().open(problems::add).get("1"))
                .singleElement()
                .asString()
                .startsWith("cut 20");
        assertThat(problems).isEmpty();
    }

    /** Of a partition: what the other end has dropped never arrives, so that no rule of the node's own counts it. */
    @Test
    void whatEitherEndOfALinkHasDroppedIsLost() throws Exception {
        programs(Map.of("nft", """
                case "$*" in
                    "list tables") printf 'table inet ycsb_drill_%s\\n' 1 2 ;;
                    "-f -") cat >/dev/null ;;
                    *_1) printf 'chain output {\\nip daddr 10.0.0.2 counter packets 5 bytes 1 drop\\n}\\nchain input {\\nip saddr 10.0.0.2 counter packets 0 bytes 0 drop\\n}\\n' ;;
                    *_2) printf 'chain output {\\nip daddr 10.0.0.1 counter packets 7 bytes 1 drop\\nip daddr 10.0.0.11 counter packets 9 bytes 1 drop\\n}\\n' ;;
                    *) exit 1 ;;
                esac""", "ip", "exit 0"));
        HostedLinks links = new HostedLinks(parse("""
                engine: ndb
                defaults: {transport: ssh, ssh_config: %s}
                journal: %s/heal
                data_nodes: [{id: 1, host: db1, addresses: [10.0.0.1]}, {id: 2, host: db1, addresses: [10.0.0.2]},
                             {id: 3, host: db1, addresses: [10.0.0.3]}]
                """.formatted(hosts.config(), folder)));

        LinkCut both = LinkCut.both(Set.of("2", "3"), false);

        assertThat(links.look("1", both))
                .as("2 was cut off by somebody else")
                .isEqualTo(new Sight(false, "5 packets of 1 and 0 packets to 1 were lost, cut off to and from 2, 3"));
        CompletableFuture.allOf(
                        CompletableFuture.runAsync(() -> links.trouble("1", both)),
                        CompletableFuture.runAsync(() -> links.trouble("2", LinkCut.both(Set.of("1"), false))))
                .join();
        assertThat(links.look("1", both))
                .isEqualTo(new Sight(true, "5 packets of 1 and 7 packets to 1 were lost, cut off to and from 2, 3"));
        assertThat(links.look("1", new LinkCut(Set.of(), Set.of("3"), false, false))
                        .effect())
                .isFalse();
    }

    /** Of an engine's disk that takes longer to be filled than its command may take. */
    @Test
    void nobodyGoesOnToFillADisk() throws Exception {
        Path data = folder.resolve("data");
        Path writer = folder.resolve("writer");
        programs(Map.of("fallocate", "exit 1", "dd", "echo $$ >" + writer + "; exec sleep 60"));
        try (SmallDisk disk = SmallDisk.mount(data, 8)) {
            long free = disk.freeBytes();
            HostedDisks disks = new HostedDisks(parse("timeout: 8s\n" + text("sleep")));

            assertThatThrownBy(() -> disks.impair("1", DiskTrouble.of(Kind.FULL)))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("could not be filled within 4 s");

            assertThat(data).isEmptyDirectory();
            assertThat(disk.freeBytes()).isEqualTo(free);
            long pid = Long.parseLong(Files.readString(writer).strip());
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (!ProcFs.arguments(pid).isEmpty() && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            assertThat(ProcFs.arguments(pid)).isEmpty();
        }
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
        assumeTrue(root, data + " is not on the root file system");

        assertThatThrownBy(() -> new HostedDisks(inventory("sleep")).impair("1", DiskTrouble.of(Kind.FULL)))
                .hasMessageContaining(
                        "the root file system of this host, or on one of its own such as that of /var, which is"
                                + " not filled");

        assertThat(data).isEmptyDirectory();
        assertThat(InventoryCheck.of(inventory("sleep")))
                .extracting(Finding::text)
                .contains("its disk cannot be filled: its data directory is on the root file system of the host, or on"
                        + " one of its own such as that of /var");
    }

    /** Logs, packages, all other services and their containers would find it full as well. */
    @Test
    void aFileSystemThatTheSystemUsesIsNeverFilledEither() throws Exception {
        Files.createDirectories(folder.resolve("data"));
        Path written = folder.resolve("written");
        programs(Map.of(
                "df",
                "case \"$*\" in *data*) echo /dev/sdb1 9 1 8 1% /var ;; *) echo /dev/sda1 9 1 8 1% / ;; esac",
                "fallocate",
                "touch " + written + "; exit 1",
                "dd",
                "exit 1"));

        assertThatThrownBy(() -> new HostedDisks(inventory("sleep")).impair("1", DiskTrouble.of(Kind.FULL)))
                .hasMessageContaining("all that runs here would be hit");

        assertThat(written).doesNotExist();
    }

    private static void act(Inventory inventory, NodeAction action) {
        inventory.act(action, inventory.node("1").orElseThrow().info(), step -> {});
    }

    private Inventory inventory(String program) {
        return parse(text(program));
    }

    private static Inventory parse(String text) {
        return Inventory.parse("i.yaml", text, Engine.installed(), new Properties());
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
