package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class NdbHomeTest {
    @TempDir
    Path folder;

    /** The binding is tested with the same table. */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/ndb/homes.csv", delimiter = '|', numLinesToSkip = 4)
    void installationIsFoundWhereTheTableSays(
            String name, String files, String option, String variable, String home, String library, String jar)
            throws IOException {
        for (String path : files.split(" ")) {
            if (path.matches(".*/s?bin/.*")) {
                program(path);
            } else {
                file(path);
            }
        }
        Map<String, String> environment =
                new HashMap<>(Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()));
        if (variable != null) {
            environment.put("NDB_HOME", folder.resolve(variable).toString());
        }

        Optional<NdbHome> found = NdbHome.find(
                option == null ? null : folder.resolve(option).toString(),
                environment,
                List.of(folder.resolve("usr"), folder.resolve("local")));

        if (home.equals("nothing")) {
            assertThat(found).isEmpty();
            return;
        }
        Path root = folder.resolve(home);
        assertThat(found).contains(new NdbHome(root));
        assertThat(found.get().clientLibrary())
                .isEqualTo(library.equals("-") ? Optional.empty() : Optional.of(root.resolve(library)));
        assertThat(found.get().clusterj())
                .isEqualTo(jar.equals("-") ? Optional.empty() : Optional.of(root.resolve(jar)));
    }

    @Test
    void layoutOfATarball() throws IOException {
        program("t/bin/ndb_mgmd");
        program("t/bin/ndbmtd");
        file("t/lib/libndbclient.so");
        file("t/lib/libndbclient.so.6.1.0");
        file("t/share/java/clusterj-9.7.2.jar");
        file("t/share/java/clusterj-test-9.7.2.jar");
        NdbHome home = new NdbHome(folder.resolve("t"));

        assertThat(home.missing(false)).isEmpty();
        assertThat(home.missing(true)).containsExactly("mysqld");
        assertThat(home.clientLibrary()).contains(folder.resolve("t/lib/libndbclient.so"));
        assertThat(home.clusterj()).contains(folder.resolve("t/share/java/clusterj-9.7.2.jar"));
    }

    @Test
    void layoutOfDebianPackages() throws IOException {
        program("usr/sbin/ndb_mgmd");
        program("usr/sbin/ndbmtd");
        program("usr/sbin/mysqld");
        file("usr/lib/x86_64-linux-gnu/libndbclient.so.6.1.0");
        file("usr/share/mysql/java/clusterj-8.4.0.jar");
        NdbHome home = new NdbHome(folder.resolve("usr"));

        assertThat(home.missing(true)).isEmpty();
        assertThat(home.clientLibrary()).contains(folder.resolve("usr/lib/x86_64-linux-gnu/libndbclient.so.6.1.0"));
        assertThat(home.clusterj()).contains(folder.resolve("usr/share/mysql/java/clusterj-8.4.0.jar"));
    }

    @Test
    void layoutOfRpmPackages() throws IOException {
        program("usr/sbin/ndb_mgmd");
        file("usr/lib64/mysql/libndbclient.so.6.1.0");
        file("usr/lib64/mysql/libndbclient.so");
        NdbHome home = new NdbHome(folder.resolve("usr"));

        assertThat(home.missing(false)).containsExactly("ndbmtd");
        assertThat(home.clientLibrary()).contains(folder.resolve("usr/lib64/mysql/libndbclient.so"));
        assertThat(home.clusterj()).isEmpty();
    }

    @Test
    void descriptionTellsWhatIsMissingAndWhatFor() throws IOException {
        Path mgmd = program("t/bin/ndb_mgmd");
        Files.writeString(mgmd, "#!/bin/sh\necho 'MySQL distrib mysql-9.7.2 ndb-9.7.2, for Linux'\n");

        assertThat(NdbEngine.describe(new NdbHome(folder.resolve("t"))))
                .contains(
                        "NDB installation: " + folder.resolve("t"),
                        "  management server: " + mgmd + ", MySQL distrib mysql-9.7.2 ndb-9.7.2, for Linux",
                        "  data node: missing (ndbmtd)",
                        "  client library: missing (libndbclient.so; needed by the native binding)");
    }

    @Test
    void aServerThatDoesNotRunIsNoneThatIsReady() throws IOException {
        Path mysqld = program("t/bin/mysqld");
        Files.writeString(
                mysqld,
                "#!/bin/sh\necho 'mysqld: error while loading shared libraries: libaio.so.1: cannot open' >&2\nexit 127\n");

        assertThat(NdbEngine.describe(new NdbHome(folder.resolve("t"))))
                .contains("  SQL node: " + mysqld
                        + ", mysqld: error while loading shared libraries: libaio.so.1: cannot open (does not run: exit code"
                        + " 127; a library that is missing is in a package of the system, see docs/ndb.md)");
    }

    private Path program(String path) throws IOException {
        Path file = file(path);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private Path file(String path) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }
}
