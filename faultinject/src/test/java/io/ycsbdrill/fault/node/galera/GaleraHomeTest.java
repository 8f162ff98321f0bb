package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.kit.EngineHomes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GaleraHomeTest {
    @TempDir
    Path folder;

    @Test
    void newestInTheCacheIsFoundBeforeInstalledPackages() throws IOException {
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString());
        Path cache = GaleraHome.PLACES.cache(environment);
        tree(cache.resolve("10.11.9"));
        tree(cache.resolve("10.11.19"));
        Files.createDirectories(cache.resolve("11.4.1")); // empty
        tree(folder.resolve("system"));

        assertThat(places("system").find(null, environment)).contains(new GaleraHome(cache.resolve("10.11.19")));
        assertThat(places("system")
                        .find(
                                "",
                                Map.of("XDG_CACHE_HOME", folder.resolve("none").toString())))
                .contains(new GaleraHome(folder.resolve("system")));
        assertThat(places("none")
                        .find(
                                null,
                                Map.of("XDG_CACHE_HOME", folder.resolve("none").toString())))
                .isEmpty();
    }

    @Test
    void placeThatWasNamedIsTakenAndWhatItLacksIsSaid() {
        GaleraHome home = GaleraHome.PLACES
                .find("/somewhere", Map.of("GALERA_HOME", "/elsewhere"))
                .orElseThrow();

        assertThat(home.root()).isEqualTo(Path.of("/somewhere"));
        assertThat(home.missing()).contains("mariadbd", "rsync", "libgalera_smm.so");
        assertThat(GaleraHome.PLACES.named(null, Map.of("GALERA_HOME", "/usr"))).contains(new GaleraHome(Path.of("/")));
    }

    @Test
    void unpackedProgramsAreToldWhereTheirLibrariesAre() throws IOException {
        Path root = tree(folder.resolve("h"));
        Files.createDirectories(root.resolve("usr/lib/x86_64-linux-gnu"));

        Map<String, String> added = new GaleraHome(root).environment(Map.of("PATH", "/bin"));

        assertThat(added.get("PATH")).isEqualTo(root.resolve("usr/sbin") + ":" + root.resolve("usr/bin") + ":/bin");
        assertThat(added.get("LD_LIBRARY_PATH"))
                .contains(root.resolve("usr/lib/x86_64-linux-gnu").toString());
        assertThat(new GaleraHome(Path.of("/")).environment(Map.of())).doesNotContainKey("LD_LIBRARY_PATH");
    }

    private EngineHomes<GaleraHome> places(String packages) {
        return new EngineHomes<>("galera", "Galera", "usr", Optional.of(folder.resolve(packages)), GaleraHome::new);
    }

    private static Path tree(Path root) throws IOException {
        for (String program :
                List.of("mariadb-install-db", "mariadb", "my_print_defaults", "wsrep_sst_rsync", "rsync")) {
            executable(root.resolve("usr/bin").resolve(program));
        }
        executable(root.resolve("usr/sbin/mariadbd"));
        Files.createDirectories(root.resolve("usr/lib/galera"));
        Files.createFile(root.resolve("usr/lib/galera/libgalera_smm.so"));
        return root;
    }

    private static void executable(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
