package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host on which a user logs in who is not root, behind a real sshd: servers of that user's own, one of somebody else's, and one that is a
 * service, whose {@code sudo} and {@code systemctl} are played by scripts.
 */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class OtherUserIT {
    @TempDir
    private Path folder;

    private final List<Process> servers = new ArrayList<>();
    private String user;
    private String group;
    private Path data;
    private SshHosts hosts;
    private Inventory inventory;

    @BeforeEach
    void start() throws Exception {
        String[] found = Files.readAllLines(Path.of("/etc/passwd")).stream()
                .map(line -> line.split(":"))
                .filter(words -> words.length == 7 && !words[2].equals("0") && words[6].matches("/bin/(ba|da)?sh"))
                .map(words -> words[0] + ":" + words[3])
                .findFirst()
                .orElse(" : ")
                .split(":");
        user = found[0].strip();
        group = found[1];
        if (!System.getProperty("user.name").equals("root") || user.isEmpty()) {
            Assumptions.abort("this user is not root, or no other user has a shell");
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        data = Files.createDirectory(folder.resolve("data"));
        for (String name : List.of("own", "foreign", "unit", "bin")) {
            Files.createDirectory(data.resolve(name));
        }
        script("sudo", "echo \"sudo $*\" >>%s/calls; shift; exec \"$@\"");
        script("systemctl", "echo \"systemctl $*\" >>%s/calls");
        run("chown", "-R", user, data.toString());
        run("chown", "root", data.resolve("foreign").toString());
        hosts = SshHosts.start(
                folder.resolve("ssh"),
                List.of(new SshHosts.Machine(
                        "h1",
                        "127.0.0.1",
                        List.of(
                                "sh",
                                "-c",
                                "chown -R \"$0\" \"$1\" && shift && exec setpriv --reuid=\"$0\" --regid=\"$(id -g \"$0\")\" --init-groups \"$@\"",
                                user,
                                folder.resolve("ssh").toString()),
                        List.of("PATH=" + data.resolve("bin") + ":/usr/local/bin:/usr/bin:/bin"))));
        inventory = Inventory.parse(
                "i.yaml", """
                engine: cratedb
                defaults: {transport: ssh, ssh_config: %1$s, user: %2$s, pid_file: "%3$s/{node}.pid", data_directory: "%3$s/{node}"}
                journal: %3$s/heal
                data_nodes:
                - {id: own, host: h1, program: sleep}
                - {id: foreign, host: h1, program: sleep}
                - id: unit
                  host: h1
                  commands:
                    start: [sudo, -n, systemctl, start, db]
                    stop: [sudo, -n, systemctl, stop, db]
                    kill: [sudo, -n, systemctl, kill, --signal=KILL, db]
                """.formatted(hosts.config(), user, data), Engine.installed(), new Properties());
    }

    @AfterEach
    void stop() {
        servers.forEach(Process::destroyForcibly);
        if (hosts != null) {
            hosts.close();
        }
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(data.resolve("bin/" + name), "#!/bin/sh\n" + text.formatted(data) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private Process server(String node, String... as) throws IOException {
        List<String> command = new ArrayList<>(List.of(as));
        command.addAll(List.of("sleep", "300"));
        Process server = new ProcessBuilder(command)
                .directory(data.resolve(node).toFile())
                .start();
        servers.add(server);
        while (!Files.readString(Path.of("/proc", Long.toString(server.pid()), "cmdline"))
                .startsWith("sleep")) {
            Thread.onSpinWait();
        }
        Files.writeString(data.resolve(node + ".pid"), server.pid() + "\n");
        return server;
    }

    private Process ownServer() throws IOException {
        return server("own", "setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups");
    }

    private void act(NodeAction action, String node) {
        inventory.act(action, inventory.node(node).orElseThrow().info(), step -> {});
    }

    @Test
    void aServerOfThatUserIsKilledAndStopped() throws Exception {
        for (NodeAction action : List.of(NodeAction.KILL, NodeAction.STOP)) {
            Process own = ownServer();

            act(action, "own");

            assertThat(own.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aServerOfSomebodyElseIsLeftAloneAndThatIsSaidBeforeAndThen() throws Exception {
        ownServer();
        Process foreign = server("foreign");

        assertThat(InventoryCheck.of(inventory))
                .filteredOn(finding -> finding.verdict() == Finding.Verdict.BAD)
                .anyMatch(finding -> finding.text()
                        .contains("process " + foreign.pid() + " may not be signalled by " + user
                                + "; name another user, or give commands of your own"));
        assertThat(InventoryCheck.of(inventory))
                .anyMatch(finding -> finding.text().contains(", may be signalled by " + user));
        for (NodeAction action : List.of(NodeAction.KILL, NodeAction.STOP, NodeAction.PAUSE)) {
            assertThatThrownBy(() -> act(action, "foreign"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining(user + " may not see whether process " + foreign.pid() + " uses ")
                    .hasMessageContaining("name another user");
        }
        assertThat(foreign.isAlive()).isTrue();
    }

    /** As docs/inventory.md has the commands. */
    @Test
    void aServiceIsKilledStoppedAndStartedByTheCommandsOfTheInventory() throws Exception {
        for (NodeAction action : List.of(NodeAction.KILL, NodeAction.START, NodeAction.STOP)) {
            act(action, "unit");
        }

        assertThat(Files.readAllLines(data.resolve("calls")))
                .containsExactly(
                        "sudo -n systemctl kill --signal=KILL db",
                        "systemctl kill --signal=KILL db",
                        "sudo -n systemctl start db",
                        "systemctl start db",
                        "sudo -n systemctl stop db",
                        "systemctl stop db");
    }
}
