package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class PatroniUpgradeTest {
    @TempDir
    private Path folder;

    private PatroniFiles files;
    private Path old;
    private List<String> members = List.of("node1", "node2");

    @BeforeEach
    void cluster() throws IOException {
        files = new PatroniFiles(folder.resolve("cluster"));
        old = installation("old", "3.0.2", "15.20");
        for (String node : List.of("node1", "node2")) {
            Files.createDirectories(files.home(node));
            times(node, 30, 10);
            new PatroniHome(old).link(files, node);
        }
    }

    private void times(String node, int ttl, int retry) throws IOException {
        Files.writeString(
                files.configuration(node),
                "{\"bootstrap\": {\"dcs\": {\"ttl\": %d, \"retry_timeout\": %d}}}".formatted(ttl, retry));
    }

    private Path installation(String name, String patroni, String postgresql) throws IOException {
        Path home = folder.resolve(name);
        program(home.resolve("usr/bin/etcd"), "");
        Path bin = home.resolve("usr/lib/postgresql/" + postgresql.replaceFirst("\\..*", "") + "/bin");
        program(bin.resolve("postgres"), "echo 'postgres (PostgreSQL) " + postgresql + "'");
        program(bin.resolve("pg_ctl"), "");
        Path modules = Files.createDirectories(home.resolve("usr/lib/python3/dist-packages/patroni"));
        Files.writeString(modules.resolve("version.py"), "__version__ = '" + patroni + "'\n");
        return home;
    }

    private static void program(Path file, String line) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private PatroniUpgrade upgrade(Optional<OsProcess> patroni, Optional<OsProcess> server) {
        return new PatroniUpgrade(
                new Installations(folder, old), files, () -> members, node -> patroni, node -> server);
    }

    private PatroniUpgrade upgrade() {
        return upgrade(Optional.empty(), Optional.empty());
    }

    @Test
    void aNewerPatroniWithTheSamePostgresqlIsTaken() throws IOException {
        assertThat(upgrade().refusals(installation("next", "4.1.5", "15.21"))).isEmpty();
    }

    @Test
    void anotherMajorVersionDoesNotReadTheData() throws IOException {
        assertThat(upgrade().refusals(installation("next", "4.1.5", "17.2")))
                .singleElement()
                .asString()
                .contains("has PostgreSQL 17.2, and the nodes' data is of 15.20", "give an installation with 15");
    }

    @Test
    void anOlderPatroniIsRefused() throws IOException {
        assertThat(upgrade().refusals(installation("next", "3.0.1", "15.20")))
                .singleElement()
                .asString()
                .contains("version 3.0.1, older than 3.0.2");
    }

    /** A spare node is not upgraded, and runs nothing. */
    @Test
    void membersThatAllRunFromItAlreadyAreRefusedBeforeTheDrillWhateverASpareNodeHas() throws IOException {
        members = List.of("node1");
        Path next = installation("next", "4.1.5", "15.21");
        PatroniUpgrade upgrade = upgrade();
        upgrade.install("node1", next);

        assertThat(upgrade.refusals(next))
                .singleElement()
                .asString()
                .contains("every node runs from " + next + " already");
    }

    /** Patroni would take other times than the ones that the cluster has, and say so in its log only. */
    @Test
    void timesThatTheNewerPatroniDoesNotTakeAreRefused() throws IOException {
        times("node1", 5, 2);

        assertThat(upgrade().refusals(installation("next", "4.1.5", "15.20")))
                .singleElement()
                .asString()
                .contains("--ttl 5, --retry-timeout 2: Patroni 4.1.5 takes a ttl of at least 20");
    }

    @Test
    void theNextStartIsFromTheNewOneAndItCanBeTakenBack() throws IOException {
        Path next = installation("next", "4.1.5", "15.21");
        PatroniUpgrade upgrade = upgrade();

        Runnable undo = upgrade.install("node1", next);

        assertThat(upgrade.home("node1").root()).isEqualTo(next);
        assertThat(upgrade.home("node2").root()).isEqualTo(old);
        assertThat(Files.readSymbolicLink(files.programs("node1").resolve("pg_ctl")))
                .isEqualTo(next.resolve("usr/lib/postgresql/15/bin/pg_ctl"));
        assertThat(files.programs("node1").resolve("postgres")).content().contains(next.toString(), "node1");
        assertThat(files.programs("node2").resolve("postgres")).content().contains(old.toString(), "node2");
        assertThatThrownBy(() -> upgrade.install("node1", next))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("already");

        undo.run();

        assertThat(upgrade.home("node1").root()).isEqualTo(old);
        assertThat(files.programs("node1").resolve("postgres")).content().contains(old.toString());
    }

    /** The server may have been started by a Patroni of the former installation, from programs that are of the new one by now. */
    @Test
    void bothProgramsAreLookedAt() throws Exception {
        Path next = installation("next", "4.1.5", "15.21");
        Path server = next.resolve("usr/lib/postgresql/15/bin/postgres");
        Files.copy(
                Path.of("/bin/sleep").toRealPath(),
                Files.createDirectories(server.getParent()).resolve("s"));
        Process postgres = new ProcessBuilder(server.resolveSibling("s").toString(), "600").start();
        Process without = new ProcessBuilder("sleep", "600").start();
        Process with = new ProcessBuilder("sleep", "600")
                .directory(next.resolve("usr/lib/python3/dist-packages").toFile())
                .start();
        try {
            Sight half = upgrade(process(without), process(postgres)).lookForInstallation("node1", next);
            Sight whole = upgrade(process(with), process(postgres)).lookForInstallation("node1", next);
            Sight other = upgrade(process(with), process(without)).lookForInstallation("node1", next);

            assertThat(half.effect()).isFalse();
            assertThat(half.text()).contains("node1 runs ", ", but not Patroni of " + next);
            assertThat(whole.effect()).isTrue();
            assertThat(whole.text()).endsWith(", and Patroni of " + next);
            assertThat(other.effect()).isFalse();
        } finally {
            for (Process process : List.of(postgres, without, with)) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private static Optional<OsProcess> process(Process process) {
        return Optional.of(new OsProcess(process.pid()));
    }
}
