package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.client.run.BuildInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/ycsb} itself, in a project folder of its own whose name has a blank. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class LauncherIT {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path root;

    private Path home;
    private Path jar;
    private Path elsewhere;

    @BeforeEach
    void project() throws IOException {
        home = Files.createDirectories(root.resolve("my project"));
        elsewhere = Files.createDirectories(root.resolve("else where"));
        Files.createDirectories(home.resolve("bin"));
        Files.copy(PROJECT.resolve("bin/ycsb"), home.resolve("bin/ycsb"));
        executable(home.resolve("bin/ycsb"));
        Files.copy(PROJECT.resolve("pom.xml"), home.resolve("pom.xml"));
        String name = "client-" + BuildInfo.current().version() + ".jar";
        jar = home.resolve("client/target").resolve(name);
        Files.createDirectories(jar.getParent());
        Files.copy(PROJECT.resolve("client/target").resolve(name), jar);
        Files.createSymbolicLink(home.resolve("client/target/lib"), PROJECT.resolve("client/target/lib"));
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Child ycsb(Path launcher, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> all = new HashMap<>(Map.of(
                "JAVA_HOME", System.getProperty("java.home"),
                "YCSB_DRILL_STATE", root.resolve("state").toString()));
        all.putAll(environment);
        return new Child(elsewhere, all, command);
    }

    private Child ycsb(String... arguments) throws IOException {
        return ycsb(home.resolve("bin/ycsb"), Map.of(), arguments);
    }

    private Path script(String name, String... lines) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        executable(file);
        return file;
    }

    @Test
    void worksThroughChainedSymbolicLinksFromAnyFolder() throws Exception {
        Path first = Files.createSymbolicLink(root.resolve("ycsb one"), home.resolve("bin/ycsb"));
        Path second = Files.createSymbolicLink(elsewhere.resolve("ycsb"), Path.of("../" + first.getFileName()));

        try (Child child = ycsb(second, Map.of(), "--version")) {
            assertThat(child.exitCode()).isZero();
            assertThat(child.out()).startsWith("ycsb-drill ");
            assertThat(child.err()).isEmpty();
        }
    }

    /** With root's pid files, which everybody could change then, any process could be named to be killed. */
    @Test
    void makesNothingThatEverybodyCanWrite() throws Exception {
        script("jdk/bin/java", "[ \"$1\" = -version ] && echo 'openjdk version \"17.0.1\"' >&2 || umask");
        List<String> command = List.of(
                "sh",
                "-c",
                "umask 000; exec \"$0\" --version",
                home.resolve("bin/ycsb").toString());

        try (Child child =
                new Child(elsewhere, Map.of("JAVA_HOME", root.resolve("jdk").toString()), command)) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.out()).isEqualToIgnoringNewLines("0002");
        }
    }

    @Test
    void givesArgumentsOnAsTheyAreTyped() throws Exception {
        Path more = Files.createSymbolicLink(
                root.resolve("more classes"), Path.of("target/test-classes").toAbsolutePath());
        Files.writeString(
                elsewhere.resolve("my workload"),
                "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=5\noperationcount=5\n");

        try (Child child = ycsb(
                "load",
                StoreDb.class.getName(),
                "-P",
                "my workload",
                "-cp",
                more.toString(),
                "-jvm-args=-Xmx77m -XshowSettings:vm",
                "-p",
                "label=a  'b' \"c\" $HOME *",
                "--out",
                "my run")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.err()).contains("77.00M").contains("a  'b' \"c\" $HOME * ");
            assertThat(child.out()).contains("[INSERT], Return=OK, 5");
        }
        assertThat(elsewhere.resolve("my run/run.json")).content().contains("\"a  'b' \\\"c\\\" $HOME *\"");
    }

    @Test
    void takesJvmArgumentsInASeparateWordToo() throws Exception {
        try (Child child = ycsb("doctor", "-jvm-args", "-XshowSettings:vm -Xmx78m")) {
            child.exitCode();
            assertThat(child.err()).contains("78.00M");
        }
    }

    /** From Java 22 to 24 the shell took a pipe for a terminal, and its exit code was 0 whatever had failed. */
    @Test
    void aPipeIsNoConsole() throws Exception {
        try (Child child = ycsb("--version", "-jvm-args=-XshowSettings:properties")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.err()).contains("jdk.console = java.base");
        }
    }

    @Test
    void passesTheExitCodeOn() throws Exception {
        try (Child child = ycsb("rnu", "native")) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("did you mean \"run\"?");
        }
    }

    @Test
    void saysWhichJavaIsMissing() throws Exception {
        try (Child child = ycsb(home.resolve("bin/ycsb"), Map.of("JAVA_HOME", "/no where"), "--version")) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("JAVA_HOME is /no where").contains("JDK 17 or newer");
        }
    }

    @Test
    void saysWhenNoJavaIsOnThePath() throws Exception {
        Path tools = Files.createDirectories(root.resolve("tools"));
        for (String tool : List.of("dirname", "readlink", "sed", "head", "sh")) {
            Path real = Files.exists(Path.of("/usr/bin", tool)) ? Path.of("/usr/bin", tool) : Path.of("/bin", tool);
            Files.createSymbolicLink(tools.resolve(tool), real);
        }

        try (Child child =
                ycsb(home.resolve("bin/ycsb"), Map.of("JAVA_HOME", "", "PATH", tools.toString()), "--version")) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("no java found").contains("JAVA_HOME");
        }
    }

    @Test
    void refusesAnOldJava() throws Exception {
        script("old/bin/java", "echo 'openjdk version \"1.8.0_392\"' >&2");

        try (Child child = ycsb(
                home.resolve("bin/ycsb"),
                Map.of("JAVA_HOME", root.resolve("old").toString()),
                "--version")) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("is Java 1.8.0").contains("needs 17 or newer");
        }
    }

    @Test
    void buildsOnceWhenTheJarIsMissing() throws Exception {
        Path kept = Files.move(jar, root.resolve("kept.jar"));
        Path build = script("built", "echo building $*", "cp '" + kept + "' '" + jar + "'");
        Files.copy(build, home.resolve("mvnw"));

        try (Child first = ycsb("--version")) {
            assertThat(first.exitCode()).as(first.err()).isZero();
            assertThat(first.err()).contains("the jars are not built yet; building them now");
            assertThat(first.out()).startsWith("ycsb-drill ");
        }
        try (Child second = ycsb("--version")) {
            assertThat(second.exitCode()).isZero();
            assertThat(second.err()).isEmpty();
        }
    }

    /** Else two versions of one library would be on the class path. */
    @Test
    void jarsOfVersionsThatAPomNamedBeforeGoBeforeTheBuild() throws Exception {
        Path lib = home.resolve("client/target/lib");
        Files.delete(lib);
        Files.createFile(Files.createDirectory(lib).resolve("netty-1.jar"));
        FileTime before = FileTime.from(Instant.now().minusSeconds(3600));
        Files.setLastModifiedTime(lib, before);
        Files.setLastModifiedTime(jar, before);
        String jars = PROJECT.resolve("client/target/lib") + "/*.jar";
        Files.copy(script("built", "cp " + jars + " '" + lib + "'", "touch '" + jar + "'"), home.resolve("mvnw"));

        try (Child child = ycsb("--version")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
        }

        assertThat(lib.resolve("netty-1.jar")).doesNotExist();
        assertThat(lib).isNotEmptyDirectory();
    }

    @Test
    void aBuildThatFailsShowsItsEndAndItsLog() throws Exception {
        Files.delete(jar);
        Files.copy(script("failing", "echo '[ERROR] no network'", "exit 1"), home.resolve("mvnw"));

        try (Child child = ycsb("--version")) {
            assertThat(child.exitCode()).isEqualTo(1);
            assertThat(child.err())
                    .contains("[ERROR] no network")
                    .contains(home.resolve("target/ycsb-build.log").toString());
            assertThat(child.out()).isEmpty();
        }
    }

    /** A project folder has its own jars here, so that an archive that was made for others never fits them. */
    private Path archive(String version) {
        return jar.resolveSibling("ycsb-" + version + ".jsa");
    }

    private void answersWithoutAWord(Map<String, String> environment, String java) throws Exception {
        try (Child child = ycsb(home.resolve("bin/ycsb"), environment, "--version")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.out())
                    .startsWith("ycsb-drill ")
                    .endsWith(", Java " + java + "\n")
                    .hasLineCount(1);
            assertThat(child.err()).isEmpty();
        }
    }

    /** The newest JDK beside the one that runs the tests; null when there is none. */
    private static Path otherJava() throws IOException {
        Path folder = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(folder)) {
            return null;
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(java -> Files.isExecutable(java.resolve("bin/java")) && feature(java) >= 17)
                    .filter(java -> !version(java).equals(System.getProperty("java.version")))
                    .max(Comparator.comparingInt(LauncherIT::feature))
                    .orElse(null);
        }
    }

    private static int feature(Path java) {
        return Integer.parseInt("0" + version(java).split("\\.")[0]);
    }

    /** As {@code java.version} says it; empty when the JDK does not. */
    private static String version(Path java) {
        try (Stream<String> lines = Files.lines(java.resolve("release"))) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.split("\"")[1])
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void theBuildMakesAnArchiveThatIsUsed() throws Exception {
        String name = archive(System.getProperty("java.version")).getFileName().toString();
        assertThat(PROJECT.resolve("client/target").resolve(name)).isNotEmptyFile();

        try (Child child = ycsb(
                PROJECT.resolve("bin/ycsb"), Map.of(), "--version", "-jvm-args=-Xlog:class+load:stderr -Xshare:on")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.err()).contains("io.ycsbdrill.client.cli.Main source: shared objects file");
        }
    }

    /** As in a container; the message repeats what was typed. */
    @Test
    void signsThatAreNotAsciiAreWrittenWhereNothingSaysHow() throws Exception {
        Path typed = script(
                "typed",
                "exec " + PROJECT.resolve("bin/ycsb") + " cluster up \"$(printf 'gr\\303\\266\\303\\237er')\"");
        try (Child child = ycsb(typed, Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", ""))) {
            assertThat(child.exitCode()).isEqualTo(2);
            assertThat(child.err()).contains("unknown engine \"größer\"");
        }
    }

    @Test
    void worksWithoutAnArchive() throws Exception {
        assertThat(archive(System.getProperty("java.version"))).doesNotExist();

        answersWithoutAWord(Map.of(), System.getProperty("java.version"));
    }

    @Test
    void worksWithAnArchiveThatIsGarbage() throws Exception {
        Files.writeString(archive(System.getProperty("java.version")), "no archive".repeat(10_000));

        answersWithoutAWord(Map.of(), System.getProperty("java.version"));
    }

    @Test
    void worksWithAnArchiveOfOtherJars() throws Exception {
        Path own = archive(System.getProperty("java.version"));
        Files.copy(PROJECT.resolve("client/target").resolve(own.getFileName()), own);

        answersWithoutAWord(Map.of(), System.getProperty("java.version"));
    }

    @Test
    void worksWithAnArchiveOfAnotherJvm() throws Exception {
        Path other = otherJava();
        assumeTrue(other != null, "there is no second JDK in /usr/lib/jvm");
        String version = version(other);
        Files.copy(
                PROJECT.resolve("client/target")
                        .resolve(archive(System.getProperty("java.version")).getFileName()),
                archive(version));

        answersWithoutAWord(Map.of("JAVA_HOME", other.toString()), version);
    }
}
