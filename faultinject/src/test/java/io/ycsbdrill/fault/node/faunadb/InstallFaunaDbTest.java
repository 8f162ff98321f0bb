package io.ycsbdrill.fault.node.faunadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.InstallScript;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/install-faunadb} with a small tree in place of a real one, what finds an installation and Java, and the options. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class InstallFaunaDbTest {
    private static final InstallScript SCRIPT = new InstallScript("install-faunadb");

    @TempDir
    Path folder;

    @Test
    void treeAndArchiveArePutWhereTheEngineFindsThem() throws IOException {
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString());
        Path prefix = FaunaDbHome.PLACES.cache(environment);
        Path archives = Files.createDirectories(folder.resolve("archives"));
        InstallScript.tar(tree("25.02.08"), archives.resolve("faunadb-25.tar.gz"));

        assertThat(SCRIPT.run("--archive", tree("25.02.07.dev").toString(), "--prefix", prefix.toString())
                        .exit())
                .isZero();
        ProgramOutput output = SCRIPT.run("--archive", archives.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        FaunaDbHome found = FaunaDbHome.PLACES.find(null, environment).orElseThrow();
        assertThat(found).isEqualTo(new FaunaDbHome(prefix.resolve("25.02.08")));
        assertThat(found.version()).isEqualTo("25.02.08");
        try (var left = Files.list(prefix)) {
            assertThat(left).containsExactlyInAnyOrder(prefix.resolve("25.02.07.dev"), prefix.resolve("25.02.08"));
        }
    }

    @Test
    void whatIsNoTreeIsRefusedAndLeavesNothing() throws IOException {
        Path prefix = folder.resolve("prefix");
        Path other = Files.createDirectories(folder.resolve("other/lib")).getParent();

        ProgramOutput output = SCRIPT.run("--archive", other.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains("not a built tree of FaunaDB");
        assertThat(prefix).isEmptyDirectory();
    }

    @Test
    void mistakesEndWithTwoAndAMissingArchiveWithOne() throws IOException {
        assertThat(SCRIPT.run().exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--archives", "x").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--archive").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--help").exit()).isZero();
        assertThat(SCRIPT.run("--archive", folder.resolve("absent.tar.gz").toString())
                        .exit())
                .isEqualTo(1);
    }

    @Test
    void placeThatWasNamedIsTakenAndWhatItLacksIsSaid() {
        FaunaDbHome home = FaunaDbHome.PLACES
                .find("/somewhere", Map.of("FAUNADB_HOME", "/elsewhere"))
                .orElseThrow();

        assertThat(home.root()).isEqualTo(Path.of("/somewhere"));
        assertThat(home.missing()).containsExactly("lib/fauna-service.jar", "lib/jamm.jar");
    }

    @Test
    void javaOfTheVariableIsTakenAndOneOfAnotherVersionIsRefused() throws IOException {
        Path right = java("right", "17.0.15");
        Path newer = java("newer", "25.0.1");

        assertThat(FaunaDbHome.java(Map.of(), right)).isEqualTo(right.resolve("bin/java"));
        assertThat(FaunaDbHome.java(Map.of("FAUNADB_JAVA_HOME", right.toString()), newer))
                .isEqualTo(right.resolve("bin/java"));
        assertThatThrownBy(() -> FaunaDbHome.java(Map.of(), newer))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContainingAll("Java 25", "needs Java 17", "FAUNADB_JAVA_HOME");
        assertThatThrownBy(() -> FaunaDbHome.java(Map.of("FAUNADB_JAVA_HOME", "/nowhere"), right))
                .hasMessageContainingAll("FAUNADB_JAVA_HOME=/nowhere", "unknown version");
    }

    @Test
    void optionsHaveDefaultsAndAllMistakesAreReportedAtOnce() {
        assertThat(new FaunaDbEngine().parse(Map.of())).isEqualTo(new FaunaDbOptions(3, 3, "1G", ""));
        assertThat(new FaunaDbEngine().parse(Map.of("replicas", "1")).replicas())
                .isEqualTo(1);
        assertThat(new FaunaDbEngine().parse(Map.of("nodes", "2")).replicas()).isEqualTo(1);
        assertThatThrownBy(
                        () -> new FaunaDbEngine().parse(Map.of("nodes", "9", "heap", "64M", "replicas", "2", "x", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "--nodes 9", "1 to 7", "--heap 64M", "512M", "--replicas 2", "--x is not an option");
    }

    private Path java(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        assertThat(Files.createFile(home.resolve("bin/java")).toFile().setExecutable(true))
                .isTrue();
        return home;
    }

    private Path tree(String version) throws IOException {
        Path tree = folder.resolve("faunadb-" + version);
        Path lib = Files.createDirectories(tree.resolve("lib"));
        Files.createFile(lib.resolve("fauna-service.jar"));
        Files.createFile(lib.resolve("jamm.jar"));
        Files.writeString(tree.resolve("README.txt"), "FaunaDB " + version + " (the commit), Apache License 2.0,\n");
        return tree;
    }
}
