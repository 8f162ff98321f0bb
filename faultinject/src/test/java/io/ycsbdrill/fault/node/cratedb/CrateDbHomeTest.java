package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where the server, its Java and the installer's result are found. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class CrateDbHomeTest {
    private static final Path SCRIPT = Path.of(System.getProperty("basedir", "."), "..", "bin", "install-cratedb")
            .toAbsolutePath()
            .normalize();

    @TempDir
    Path folder;

    private record Output(int exit, String text) {}

    @Test
    void unpackedArchiveIsFoundAndKeptWhenItIsThere() throws Exception {
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString());
        Path prefix = CrateDbHome.PLACES.cache(environment);
        Path archive = archive();

        Output output = install("--archive", archive.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(output.text()).contains("it brings no JDK");
        CrateDbHome home = CrateDbHome.PLACES.find(null, environment).orElseThrow();
        assertThat(home).isEqualTo(new CrateDbHome(prefix.resolve("6.4.3")));
        assertThat(home.version()).isEqualTo("6.4.3");
        assertThat(home.driver()).contains(home.root().resolve("lib/postgresql-42.7.13.jar"));
        try (var left = Files.list(prefix)) {
            assertThat(left).containsExactly(prefix.resolve("6.4.3"));
        }
        Path mark = Files.createFile(prefix.resolve("6.4.3/mark"));
        Output again = install("--archive", archive.getParent().toString(), "--prefix", prefix.toString());
        assertThat(again.exit()).as(again.text()).isZero();
        assertThat(again.text()).contains("is there already").contains("export CRATEDB_HOME=" + prefix);
        assertThat(mark).exists();
    }

    @Test
    void mistakesOfTheInstallerLeaveNothing() throws Exception {
        Path prefix = folder.resolve("prefix");
        Path other = Files.createDirectories(folder.resolve("other/x"));
        tar(folder.resolve("other.tar"), other.getParent());

        Output wrong = install("--archive", folder.resolve("other.tar").toString(), "--prefix", prefix.toString());

        assertThat(wrong.exit()).isEqualTo(1);
        assertThat(wrong.text()).contains("not CrateDB");
        assertThat(prefix).isEmptyDirectory();
        assertThat(install("--prefix", prefix.toString()).exit()).isEqualTo(2);
        assertThat(install("--archiv", "x").exit()).isEqualTo(2);
        assertThat(install("--archive", folder.resolve("absent").toString()).exit())
                .isEqualTo(1);
        Output dry = install(
                "--dry-run",
                "--archive",
                archive().toString(),
                "--prefix",
                folder.resolve("d").toString());
        assertThat(dry.exit()).as(dry.text()).isZero();
        assertThat(folder.resolve("d")).doesNotExist();
    }

    @Test
    void placeThatWasNamedIsTakenAndWhatItLacksIsSaid() {
        CrateDbHome home = CrateDbHome.PLACES
                .find("/somewhere", Map.of("CRATEDB_HOME", "/elsewhere"))
                .orElseThrow();

        assertThat(home.root()).isEqualTo(Path.of("/somewhere"));
        assertThat(home.missing()).containsExactly("bin/crate", "lib/crate-server-VERSION.jar");
        assertThat(CrateDbHome.PLACES.find(null, Map.of("XDG_CACHE_HOME", folder.toString())))
                .isEmpty();
    }

    @Test
    void javaIsTakenFromTheInstallationThenAsNamedThenFromBesideOurOwn() throws IOException {
        Path installation = Files.createDirectories(folder.resolve("crate"));
        Path own = jdk("jvm/java-17", "17.0.9");
        jdk("jvm/java-21", "21");
        Path newest = jdk("jvm/java-25", "25.0.1");
        Path named = jdk("elsewhere", "24-ea");

        assertThat(CrateDbJdk.find(installation, Map.of(), own)).isEqualTo(new CrateDbJdk(newest.toRealPath(), 25));
        assertThat(CrateDbJdk.find(installation, Map.of(CrateDbJdk.VARIABLE, named.toString()), own))
                .isEqualTo(new CrateDbJdk(named.toRealPath(), 24));
        Files.createSymbolicLink(installation.resolve("jdk"), newest);
        assertThat(CrateDbJdk.find(installation, Map.of(CrateDbJdk.VARIABLE, named.toString()), own)
                        .version())
                .isEqualTo(25);
    }

    @Test
    void javaThatIsTooOldIsRefusedWithWhatToDo() throws IOException {
        Path installation = Files.createDirectories(folder.resolve("crate"));
        Path own = jdk("jvm/java-17", "17.0.9");

        assertThatThrownBy(() -> CrateDbJdk.find(installation, Map.of(), own))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no JDK of version 24 or newer")
                .hasMessageContaining("set CRATEDB_JAVA_HOME");
        assertThatThrownBy(() -> CrateDbJdk.find(installation, Map.of(CrateDbJdk.VARIABLE, own.toString()), own))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("CRATEDB_JAVA_HOME=" + own + " is Java 17");
        assertThatThrownBy(() -> CrateDbJdk.find(installation, Map.of(CrateDbJdk.VARIABLE, "/none"), own))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no Java installation");
    }

    @Test
    void optionsAreCheckedTogether() {
        assertThat(new CrateDbEngine().parse(Map.of())).isEqualTo(new CrateDbOptions(3, "512M", 0, "", "nobody", ""));
        assertThat(new CrateDbEngine()
                        .parse(Map.of("nodes", "1", "replicas", "0-all", "shards", "4"))
                        .replicas())
                .isEqualTo("0-all");
        assertThatThrownBy(() -> new CrateDbEngine()
                        .parse(Map.of("nodes", "2", "replicas", "2", "heap", "1M", "run-as", "root", "shards", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--replicas 2: expected a number or a range such as 0-1, at most 1 with 2 nodes")
                .hasMessageContaining("--heap 1M")
                .hasMessageContaining("--run-as root")
                .hasMessageContaining("--shards x");
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        executable(home.resolve("bin/java"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Path archive() throws Exception {
        Path tree = folder.resolve("tree/crate-6.4.3");
        executable(tree.resolve("bin/crate"));
        Files.createDirectories(tree.resolve("lib"));
        for (String jar : List.of("crate-server-6.4.3.jar", "postgresql-42.7.13.jar")) {
            if (!Files.exists(tree.resolve("lib").resolve(jar))) {
                Files.createFile(tree.resolve("lib").resolve(jar));
            }
        }
        Path archive = Files.createDirectories(folder.resolve("archives")).resolve("crate-6.4.3.tar");
        tar(archive, folder.resolve("tree"));
        return archive;
    }

    private static void tar(Path archive, Path folder) throws Exception {
        Output made = output(List.of("tar", "-cf", archive.toString(), "-C", folder.toString(), "."));
        assertThat(made.exit()).as(made.text()).isZero();
    }

    private static void executable(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static Output install(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        return output(command);
    }

    private static Output output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }
}
