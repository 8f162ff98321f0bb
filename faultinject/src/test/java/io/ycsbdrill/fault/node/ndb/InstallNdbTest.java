package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.InstallScript;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/install-ndb} with a small archive in place of a real one; nothing is fetched. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class InstallNdbTest {
    private static final InstallScript SCRIPT = new InstallScript("install-ndb");

    @TempDir
    Path folder;

    @Test
    void archiveIsPutWhereTheEngineFindsIt() throws IOException {
        Path prefix = NdbHome.cache(Map.of("XDG_CACHE_HOME", folder.toString()));

        ProgramOutput output = SCRIPT.run("--archive", archive().toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(NdbHome.find(null, Map.of("XDG_CACHE_HOME", folder.toString())))
                .contains(new NdbHome(prefix.resolve("9.7.2")));
        try (var left = Files.list(prefix)) {
            assertThat(left).containsExactly(prefix.resolve("9.7.2"));
        }
    }

    @Test
    void installationThatIsThereIsKept() throws IOException {
        Path archive = archive();
        Path prefix = folder.resolve("prefix");
        SCRIPT.run("--archive", archive.toString(), "--prefix", prefix.toString());
        Path mark = Files.createFile(prefix.resolve("9.7.2/mark"));

        ProgramOutput output = SCRIPT.run("--archive", archive.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).isZero();
        assertThat(output.text()).contains("is there already").contains("export NDB_HOME=" + prefix.resolve("9.7.2"));
        assertThat(mark).exists();
    }

    /** As root, ycsb-drill may start servers as another user. */
    @Test
    void anyUserMayReadTheInstallation() throws IOException {
        Path archive = archive();
        Path tree = folder.resolve("mysql-cluster-gpl-9.7.2");
        for (String path : List.of("bin", "bin/ndb_mgmd")) {
            Files.setPosixFilePermissions(tree.resolve(path), PosixFilePermissions.fromString("rwx------"));
        }
        InstallScript.tar(tree, archive);
        Path prefix = folder.resolve("prefix");

        ProgramOutput output = SCRIPT.run("--archive", archive.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        for (String path : List.of("bin", "bin/ndb_mgmd")) {
            assertThat(Files.getPosixFilePermissions(prefix.resolve("9.7.2").resolve(path)))
                    .contains(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE);
        }
    }

    @Test
    void archiveOfSomethingElseLeavesNothing() throws IOException {
        Path other = Files.createDirectories(folder.resolve("other-1.0"));
        Files.createFile(other.resolve("README"));
        Path archive = folder.resolve("other.tar.gz");
        InstallScript.tar(other, archive);

        ProgramOutput output = SCRIPT.run(
                "--archive",
                archive.toString(),
                "--prefix",
                folder.resolve("prefix").toString());

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains("not an NDB Cluster tree");
        assertThat(folder.resolve("prefix")).isEmptyDirectory();
    }

    @Test
    void dryRunPrintsTheStepsAndDoesNothing() throws IOException {
        ProgramOutput output =
                SCRIPT.run("--dry-run", "--prefix", folder.resolve("prefix").toString());

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(output.text()).contains("source package mysql-9.7").contains("-DWITH_NDB_JAVA=ON");
        assertThat(folder.resolve("prefix")).doesNotExist();
    }

    @Test
    void mistakesEndWithTwo() throws IOException {
        assertThat(SCRIPT.run("--archives", "x").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--archive").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--jobs", "many").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--help").exit()).isZero();
        assertThat(SCRIPT.run("--archive", folder.resolve("absent.tar.gz").toString())
                        .exit())
                .isEqualTo(1);
    }

    private Path archive() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("mysql-cluster-gpl-9.7.2/bin"));
        Path program =
                Files.writeString(bin.resolve("ndb_mgmd"), "#!/bin/sh\necho 'Ver mysql-9.7.2 ndb-9.7.2 for Linux'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path archive = folder.resolve("a.tar.gz");
        InstallScript.tar(bin.getParent(), archive);
        return archive;
    }
}
