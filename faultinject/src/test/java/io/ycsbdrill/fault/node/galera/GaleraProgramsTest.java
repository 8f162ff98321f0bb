package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.kit.Members;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class GaleraProgramsTest {
    @TempDir
    Path directory;

    private GaleraFiles files;
    private GaleraPrograms programs;

    @BeforeEach
    void cluster() throws IOException {
        files = new GaleraFiles(Files.createDirectories(directory.resolve("c")));
        Files.createDirectories(files.output("x").getParent());
        programs = new GaleraPrograms(
                new GaleraHome(directory.resolve("old")),
                files,
                new Members(files.directory(), List.of("node1", "node2")));
    }

    /** An installation whose backup program notes who ran, and with which libraries. */
    private Path installation(String name) throws IOException {
        Path home = directory.resolve(name);
        Path program = Files.createDirectories(home.resolve("usr/bin")).resolve("mariadb-backup");
        Files.writeString(program, """
                #!/bin/sh
                for argument; do case $argument in --target-dir=*) to=${argument#*=};; esac; done
                mkdir -p "$to"
                echo "$0 $LD_LIBRARY_PATH" >"$to/by"
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return home;
    }

    @Test
    void aBackupIsMadeByTheInstallationThatTheNodeRunsFrom() throws IOException {
        installation("old");
        Path next = installation("next");
        programs.installations().set("node2", next);

        Path to = programs.backUp("node2");

        assertThat(Files.readString(to.resolve("by")))
                .startsWith(next + "/usr/bin/mariadb-backup ")
                .doesNotContain(directory.resolve("old").toString());
    }

    @Test
    void aNodeThatCannotMakeABackupDoesNotKeepTheOthersFromIt() throws IOException {
        assertThat(programs.canBackUp()).isFalse();
        installation("old");
        assertThat(programs.canBackUp()).isTrue();

        programs.installations().set("node2", directory.resolve("next"));
        assertThat(programs.canBackUp()).isTrue();
        assertThat(programs.canBackUp("node1")).isTrue();
        assertThat(programs.canBackUp("node2")).isFalse();

        programs.installations().set("node1", directory.resolve("next"));
        assertThat(programs.canBackUp()).isFalse();
    }

    /** In the hour that a clock change repeats, a local time would not say when it was. */
    @Test
    void serversLogInUtcWhateverTheUsersZone() {
        Map<String, String> environment =
                new HashMap<>(Map.of("TZ", "Europe/Berlin", "PATH", "/bin", "MYSQL_HOME", "/home/x"));

        programs.setEnvironment("node1", environment);

        assertThat(environment).containsEntry("TZ", "UTC0").doesNotContainKey("MYSQL_HOME");
    }
}
