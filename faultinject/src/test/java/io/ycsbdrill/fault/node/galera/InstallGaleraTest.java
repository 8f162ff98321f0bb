package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.InstallScript;
import io.ycsbdrill.fault.node.haproxy.HaproxyHome;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/install-galera} with small packages in place of real ones; nothing is fetched. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class InstallGaleraTest {
    private static final InstallScript SCRIPT = new InstallScript("install-galera");

    @TempDir
    Path folder;

    @BeforeEach
    void needsPackageTools() {
        boolean there =
                List.of("/usr/bin/dpkg", "/usr/bin/dpkg-deb").stream().allMatch(p -> Files.isExecutable(Path.of(p)));
        assumeTrue(there, "no dpkg on this system");
    }

    @Test
    void packagesAreUnpackedWhereTheEngineFindsThem() throws Exception {
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString());
        Path prefix = GaleraHome.PLACES.cache(environment);

        ProgramOutput output = SCRIPT.run("--packages", packages().toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(GaleraHome.PLACES.find(null, environment)).contains(new GaleraHome(prefix.resolve("10.11.19")));
        assertThat(output.text()).contains("HAProxy is not in");
        try (var left = Files.list(prefix)) {
            assertThat(left).containsExactly(prefix.resolve("10.11.19"));
        }

        Path mark = Files.createFile(prefix.resolve("10.11.19/mark"));
        ProgramOutput again = SCRIPT.run("--packages", packages().toString(), "--prefix", prefix.toString());
        assertThat(again.exit()).isZero();
        assertThat(again.text())
                .contains("is there already", "export GALERA_HOME=" + prefix, "next: bin/ycsb cluster up galera");
        assertThat(mark).exists();
    }

    @Test
    void unpackedHaproxyIsFound() throws Exception {
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString(), "PATH", "");
        Path prefix = GaleraHome.PLACES.cache(environment);
        Path debs = packages();
        build(debs, "haproxy", List.of("usr/sbin/haproxy"));

        ProgramOutput output = SCRIPT.run("--packages", debs.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(output.text()).doesNotContain("HAProxy is not in");
        Path program = prefix.resolve("10.11.19/usr/sbin/haproxy");
        assertThat(HaproxyHome.find(program.toString(), environment, List.of())).contains(new HaproxyHome(program));
        assertThat(HaproxyHome.find(prefix.resolve("10.11.19").toString(), environment, List.of()))
                .contains(new HaproxyHome(program));
    }

    @Test
    void packagesOfSomethingElseLeaveNothing() throws Exception {
        Path debs = Files.createDirectories(folder.resolve("other"));
        build(debs, "other", List.of("usr/bin/other"));

        ProgramOutput output = SCRIPT.run(
                "--packages",
                debs.toString(),
                "--prefix",
                folder.resolve("prefix").toString());

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains("not MariaDB Server");
        assertThat(folder.resolve("prefix")).isEmptyDirectory();
    }

    @Test
    void dryRunDoesNothingAndMistakesEndWithTwo() throws Exception {
        ProgramOutput dry = SCRIPT.run(
                "--dry-run",
                "--packages",
                folder.toString(),
                "--prefix",
                folder.resolve("prefix").toString());

        assertThat(dry.exit()).as(dry.text()).isZero();
        assertThat(folder.resolve("prefix")).doesNotExist();
        assertThat(SCRIPT.run("--package", "x").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--prefix").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--help").exit()).isZero();
        assertThat(SCRIPT.run("--packages", folder.resolve("absent").toString()).exit())
                .isEqualTo(1);
    }

    private Path packages() throws Exception {
        Path debs = Files.createDirectories(folder.resolve("debs"));
        build(
                debs,
                "mariadb-server-core",
                List.of(
                        "usr/sbin/mariadbd",
                        "usr/bin/mariadb-install-db",
                        "usr/bin/mariadb",
                        "usr/bin/my_print_defaults",
                        "usr/bin/wsrep_sst_rsync",
                        "usr/bin/rsync"));
        build(debs, "galera-4", List.of("usr/lib/galera/libgalera_smm.so"));
        return debs;
    }

    private void build(Path debs, String name, List<String> files) throws Exception {
        Path tree = Files.createTempDirectory(folder, name);
        Path control = Files.createDirectories(tree.resolve("DEBIAN")).resolve("control");
        Files.writeString(
                control,
                "Package: " + name
                        + "\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: test\n");
        for (String file : files) {
            Path program = tree.resolve(file);
            Files.createDirectories(program.getParent());
            Files.writeString(program, "#!/bin/sh\necho 'mariadbd  Ver 10.11.19-MariaDB for Linux'\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        ProgramOutput built = ProgramOutput.of(List.of(
                "dpkg-deb",
                "--root-owner-group",
                "--build",
                tree.toString(),
                debs.resolve(name + "_1_all.deb").toString()));
        assertThat(built.exit()).as(built.text()).isZero();
    }
}
