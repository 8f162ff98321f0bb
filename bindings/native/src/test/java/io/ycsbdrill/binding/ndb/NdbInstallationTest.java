package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.ndb.NdbInstallation.NotFoundException;
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
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;

class NdbInstallationTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "share/java/clusterj-9.7.2.jar, lib/libndbclient.so, 9.7.2",
        "share/java/clusterj-rondb-22.10.1.jar, lib/libndbclient.so.6.1.0, 22.10.1",
        "share/mysql/java/clusterj-8.0.36.jar, lib64/mysql/libndbclient.so.6.1.0, 8.0.36",
        "share/mysql/java/clusterj-8.4.0.jar, lib/x86_64-linux-gnu/libndbclient.so.6.1.0, 8.4.0"
    })
    void layoutsOfTarballsAndPackagesAreKnown(String jar, String library, String version) throws Exception {
        file(folder.resolve(jar));
        file(folder.resolve(jar.replace("clusterj-", "clusterj-api-")));
        file(folder.resolve(library));

        NdbInstallation found = NdbInstallation.find(Optional.of(folder), Map.of());

        assertThat(found).isEqualTo(new NdbInstallation(folder, folder.resolve(jar), folder.resolve(library)));
        assertThat(found.version()).contains(version);
    }

    /** The fault injector is tested with the same table. */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/ndb/homes.csv", delimiter = '|', numLinesToSkip = 4)
    void installationIsFoundWhereTheTableSays(
            String name, String files, String option, String variable, String home, String library, String jar)
            throws Exception {
        for (String path : files.split(" ")) {
            file(folder.resolve(path));
            assertThat(folder.resolve(path).toFile().setExecutable(path.matches(".*/s?bin/.*")))
                    .isTrue();
        }
        Map<String, String> environment =
                new HashMap<>(Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()));
        if (variable != null) {
            environment.put("NDB_HOME", folder.resolve(variable).toString());
        }
        Optional<Path> named = Optional.ofNullable(option).map(folder::resolve);
        List<Path> packages = List.of(folder.resolve("usr"), folder.resolve("local"));

        if (library.equals("-") || jar.equals("-")) {
            assertThatThrownBy(() -> NdbInstallation.find(named, environment, packages))
                    .isInstanceOf(NotFoundException.class)
                    .message()
                    .satisfies(message -> {
                        if (!home.equals("nothing")) {
                            assertThat(message).contains(" below " + folder.resolve(home) + " (");
                            assertThat(message).as("the only place").containsOnlyOnce(folder.toString());
                        }
                    });
            return;
        }
        Path root = folder.resolve(home);
        assertThat(NdbInstallation.find(named, environment, packages))
                .isEqualTo(new NdbInstallation(root, root.resolve(jar), root.resolve(library)));
    }

    @Test
    void whatWasLookedForIsSaidWhenNothingIsFound() throws IOException {
        file(folder.resolve("half/lib/libndbclient.so"));

        assertThatThrownBy(() -> NdbInstallation.find(Optional.of(folder.resolve("half")), Map.of()))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining("half (no clusterj*.jar)")
                .hasMessageContaining("bin/install-ndb");
    }

    @Test
    void libraryThatCannotBeLoadedIsNamedWithWhatToDo() throws Exception {
        NdbInstallation broken = NdbInstallation.find(Optional.of(installed("broken")), Map.of());

        assertThatThrownBy(() -> ClientLoader.client(broken))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("libndbclient.so cannot be loaded")
                .hasMessageContaining("ldd");
    }

    private Path installed(String name) throws IOException {
        Path home = folder.resolve(name);
        file(home.resolve("share/java/clusterj-1.2.3.jar"));
        file(home.resolve("lib/libndbclient.so"));
        return home;
    }

    private static void file(Path path) throws IOException {
        Files.createDirectories(path.getParent());
        Files.write(path, new byte[] {1});
    }
}
