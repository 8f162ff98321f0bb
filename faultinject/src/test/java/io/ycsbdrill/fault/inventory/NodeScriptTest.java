package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.SmallDisk;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.os.DyingServer;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script leaves alone what is not the node's; the servers are copies of {@code sleep} under other names. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class NodeScriptTest {
    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();
    private Path data;

    @BeforeEach
    void directory() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        Files.createFile(data.resolve("mark"));
        Files.copy(Path.of("/bin/sleep"), folder.resolve("drilldbd"));
        Files.copy(Path.of("/bin/sleep"), folder.resolve("editor"));
        for (String program : List.of("drilldbd", "editor")) {
            assertThat(folder.resolve(program).toFile().setExecutable(true)).isTrue();
        }
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process run(Path in, String... command) throws IOException {
        Process process = new ProcessBuilder(command).directory(in.toFile()).start();
        processes.add(process);
        return process;
    }

    private Process server(Path in) throws IOException {
        return run(in, folder.resolve("drilldbd").toString(), "300");
    }

    private Path pidFile(Process process) throws IOException {
        return Files.writeString(folder.resolve("db.pid"), process.pid() + "\n");
    }

    private ProgramOutput script(String verb, Path pidFile, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(pidFile.toString(), "drilldbd|d"));
        arguments.addAll(List.of(more));
        return NodeScript.on(Host.of(Transport.LOCAL, "here"), verb, arguments).run(Duration.ofSeconds(60));
    }

    private ProgramOutput end(String verb, Path pidFile) throws IOException {
        return script(verb, pidFile, data.toString(), "100");
    }

    private ProgramOutput wipe(Path pidFile) throws IOException {
        return script("wipe", pidFile, data.toString(), "mark");
    }

    @Test
    void theServerIsKilledAndThenItIsDownAlready() throws Exception {
        Process server = server(data);
        Path file = pidFile(server);

        assertThat(end("kill", file).exit()).isZero();
        assertThat(server.waitFor()).isEqualTo(128 + 9);
        ProgramOutput again = end("kill", file);

        assertThat(again.exit()).isZero();
        assertThat(again.text()).contains("already down");
    }

    /** The next server found its port taken, or its directory locked. */
    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop"})
    void aServerThatIsOnItsWayOutIsDownWhenItHasGivenUpItsFiles(String verb) throws Exception {
        Process server = DyingServer.start(folder.resolve("d"), data, 2);
        processes.add(server);
        Path file = pidFile(server);
        assertThat(script("alive", file, data.toString()).exit()).isEqualTo(3);

        ProgramOutput output = end(verb, file);

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(ProcFs.stat(server.pid()).map(ProcFs.Stat::ended).orElse(true))
                .isTrue();
    }

    /** It takes the signal to stop when it goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop"})
    void aPausedServerEndsToo(String verb) throws Exception {
        Process server = server(data);
        Path file = pidFile(server);
        assertThat(end("pause", file).exit()).isZero();

        ProgramOutput output = end(verb, file);

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop", "pause"})
    void aProcessThatOnlyNamesTheProgramIsLeftAlone(String verb) throws Exception {
        Process editor = run(
                folder,
                "tail",
                "-f",
                Files.createFile(folder.resolve("drilldbd.cnf")).toString());
        Process named = run(
                folder, "tail", "-f", "/dev/null", folder.resolve("drilldbd").toString());
        for (Process stranger : List.of(editor, named)) {
            end(verb, pidFile(stranger));
            assertThat(stranger.isAlive()).isTrue();
            assertThat(Files.readString(Path.of("/proc/" + stranger.pid() + "/stat")))
                    .doesNotContain(") T ");
        }
    }

    /** Keeps a server running, as its file says. */
    private Process keeper(String name, String text, String... variable) throws IOException {
        Path program = folder.resolve("keeper");
        if (!Files.exists(program)) { // a shell reads its script as it goes
            Files.writeString(program, "read -r line\n");
        }
        Path file = Files.writeString(folder.resolve(name), text);
        ProcessBuilder builder =
                new ProcessBuilder("sh", program.toString(), file.toString()).directory(folder.toFile());
        if (variable.length == 2) {
            builder.environment().put(variable[0], variable[1]);
        }
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static String file(Path directory) {
        return "{\"postgresql\": {\"data_dir\": \"" + directory + "\"}}\n";
    }

    private ProgramOutput supervised(String verb, Path pidFile) throws IOException {
        return script(verb, pidFile, data.toString(), verb.equals("wipe") ? "mark" : "100", "keeper");
    }

    private static boolean stopped(Process process) {
        return ProcFs.stat(process.pid()).map(ProcFs.Stat::state).orElse('Z') == 'T';
    }

    @Test
    void whatKeepsAServerRunningIsPausedAndEndedWithItAndThatOfAnotherServerIsNot() throws Exception {
        Process server = server(data);
        Path file = pidFile(server);
        Process own = keeper("own.yml", file(data));
        Path elsewhere = folder.resolve("data-old");
        List<Process> others = List.of(
                keeper("other.yml", file(elsewhere)),
                keeper("comment.yml", "# was data_dir: " + data + "\n" + file(elsewhere)),
                keeper("login.yml", file(elsewhere), "PGDATA", data.toString()),
                keeper("override.yml", file(data), "PATRONI_POSTGRESQL_DATA_DIR", elsewhere.toString()));

        assertThat(supervised("pause", file).exit()).isZero();
        assertThat(List.of(stopped(own), stopped(server))).containsExactly(true, true);
        assertThat(others).noneMatch(NodeScriptTest::stopped);
        assertThat(supervised("paused", file).exit()).isZero();
        assertThat(supervised("resume", file).exit()).isZero();
        assertThat(List.of(stopped(own), stopped(server))).containsExactly(false, false);
        assertThat(supervised("paused", file).exit()).isNotZero();
        assertThat(supervised("kill", file).exit()).isZero();

        assertThat(own.waitFor()).isEqualTo(128 + 9);
        assertThat(server.waitFor()).isEqualTo(128 + 9);
        assertThat(others).allMatch(Process::isAlive);
    }

    @Test
    void itsDirectoryMayBeNamedByALinkAnEnvironmentOrYaml() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);
        List<Process> own = List.of(
                keeper("link.yml", file(link)),
                keeper("none.yml", "scope: x\n", "PATRONI_POSTGRESQL_DATA_DIR", data.toString()),
                keeper("whole.yml", "", "PATRONI_CONFIGURATION", "scope: x\npostgresql:\n  data_dir: " + data + "\n"),
                keeper("yaml.yml", "postgresql:\n  data_dir: '" + data + "/'  # here\n"));

        ProgramOutput output = supervised("kill", folder.resolve("db.pid"));

        assertThat(output.exit()).as(output.text()).isZero();
        for (Process each : own) {
            assertThat(each.waitFor()).isEqualTo(128 + 9);
        }
    }

    @Test
    void aNodeWhoseServerHasEndedAndWhoseSupervisorRunsIsThereAndIsNotEmptied() throws Exception {
        Process own = keeper("own.yml", file(data));
        Path file = folder.resolve("db.pid");

        assertThat(supervised("alive", file).exit()).isZero();
        assertThat(supervised("wipe", file).text()).contains("stays as it is");
        assertThat(data.resolve("mark")).exists();
        assertThat(supervised("kill", file).exit()).isZero();
        assertThat(own.waitFor()).isEqualTo(128 + 9);
        assertThat(supervised("alive", file).exit()).isEqualTo(3);
    }

    /** Of a server of another cluster, each connection has a new process of the same program. */
    @Test
    void aYoungProcessOfTheProgramThatIsElsewhereIsNoDoubtWhereASupervisorStartsTheServer() throws Exception {
        server(folder);

        ProgramOutput output = supervised("wipe", folder.resolve("none.pid"));

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(data).isEmptyDirectory();
    }

    /** Else it would be stopped for ever. */
    @Test
    void aSupervisorIsResumedAlthoughItsServerHasEnded() throws Exception {
        Process server = server(data);
        Path file = pidFile(server);
        Process own = keeper("own.yml", file(data));
        assertThat(supervised("pause", file).exit()).isZero();
        server.destroyForcibly().waitFor();
        assertThat(supervised("paused", file).exit()).isZero();

        assertThat(supervised("resume", file).exit()).isZero();

        assertThat(stopped(own)).isFalse();
    }

    /** A process that works for a client and was paused does not end with the server. */
    @Test
    void whatAKilledServerLeavesIsKilled() throws Exception {
        Process server = server(data);
        Path file = pidFile(server);
        Process left = server(data);
        keeper("own.yml", file(data));
        run(folder, "kill", "-STOP", Long.toString(left.pid())).waitFor();

        ProgramOutput output = supervised("kill", file);

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(left.waitFor()).isEqualTo(128 + 9);
    }

    @Test
    void aSupervisorIsLeftAloneWhenItsServerIsNotTheOneOfThePidFile() throws Exception {
        server(data);
        Process own = keeper("own.yml", file(data));

        for (String verb : List.of("kill", "pause")) {
            ProgramOutput output = supervised(verb, folder.resolve("db.pid"));
            assertThat(output.exit()).as(output.text()).isNotZero();
        }

        assertThat(own.isAlive()).isTrue();
        assertThat(stopped(own)).isFalse();
    }

    /** Of one whose file cannot be read nobody knows whose it is. */
    @Test
    void aSupervisorThatCannotBeToldIsAnError() throws Exception {
        Process server = server(data);
        Path file = pidFile(server);
        Process own = keeper("own.yml", file(data));
        Files.delete(folder.resolve("own.yml"));

        ProgramOutput output = supervised("kill", file);

        assertThat(output.exit()).isNotZero();
        assertThat(output.text()).contains("may not see whether process " + own.pid());
        assertThat(own.isAlive()).isTrue();
        assertThat(server.isAlive()).isTrue();
    }

    /** A kernel that cannot change packets is found before the drill, and one draw decides which are changed. */
    @Test
    void whetherBitsCanBeFlippedIsAskedBeforeAndOneDrawDecidesWhich() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "a program of ours is to be found as root");
        Path filter = Files.writeString(
                folder.resolve("nft"),
                "#!/bin/sh\ncase $1 in -c) echo no such expression >&2; exit 1 ;; -f) cat >" + folder.resolve("rules")
                        + " ;; esac\n");
        assertThat(filter.toFile().setExecutable(true)).isTrue();

        assertThat(withFilter("may-cut", "").exit()).isZero();
        assertThat(withFilter("may-cut", "corrupt").exit()).isNotZero();
        assertThat(withFilter("may-cut", "corrupt").text()).contains("no such expression");
        assertThat(withFilter("corrupt", "t", "990").exit()).isZero();

        assertThat(Files.readString(folder.resolve("rules")))
                .contains(
                        "numgen random mod 1000 vmap { 0-246 : jump output0, 247-493 : jump output1,"
                                + " 494-741 : jump output2, 742-989 : jump output3 }",
                        "742-989 : jump input3 }");
    }

    private ProgramOutput withFilter(String verb, String... more) throws IOException {
        Path script = folder.resolve("node.sh");
        try (InputStream resource = NodeScript.class.getResourceAsStream("node.sh")) {
            Files.copy(resource, script, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = new ArrayList<>(
                List.of("env", "PATH=" + folder + ":" + System.getenv("PATH"), "sh", script.toString(), verb));
        command.addAll(List.of(more));
        return ProgramOutput.of(command, Duration.ofSeconds(60));
    }

    /** The number was given to another process since. */
    @Test
    void aProcessThatIsYoungerThanItsPidFileIsLeftAlone() throws Exception {
        Process other = server(folder);
        Path file = pidFile(other);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));

        end("kill", file);

        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void withoutItsPidFileAServerIsNeitherDownNorIsItsDirectoryEmptied() throws Exception {
        Process server = server(data);
        Path none = folder.resolve("none.pid");

        ProgramOutput killed = end("kill", none);
        assertThat(killed.exit()).isEqualTo(1);
        assertThat(killed.text()).contains("process " + server.pid(), "uses " + data);
        assertThat(script("alive", none, data.toString()).exit()).isEqualTo(1);
        assertThat(wipe(none).text()).contains("process " + server.pid(), "stays as it is");

        assertThat(data.resolve("mark")).exists();
        assertThat(server.isAlive()).isTrue();
    }

    /** Several servers of one host: a pid file that was copied, or a directory of another node. */
    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop", "pause", "resume"})
    void aServerThatDoesNotUseTheDataDirectoryIsLeftAlone(String verb) throws Exception {
        Process other = server(folder);
        Path file = pidFile(other);

        ProgramOutput output = end(verb, file);

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text())
                .contains("process " + other.pid() + ", which pid file " + file + " names, does not use " + data);
        assertThat(other.isAlive()).isTrue();
        assertThat(Files.readString(Path.of("/proc/" + other.pid() + "/stat"))).doesNotContain(") T ");
    }

    @Test
    void aServerIsKnownByAnArgumentToo() throws Exception {
        Path script = Files.createSymbolicLink(folder.resolve("d"), Path.of("/bin/sh"));
        Process server = run(folder, script.toString(), "-c", "read -r x", "d", "--datadir=" + data);

        assertThat(end("kill", pidFile(server)).exit()).isZero();

        assertThat(server.waitFor()).isEqualTo(128 + 9);
    }

    @Test
    void resumeSaysThatThereIsNothingToResume() throws Exception {
        ProgramOutput output = end("resume", folder.resolve("none.pid"));

        assertThat(output.exit()).isZero();
        assertThat(output.text()).contains("already down: no process of drilldbd|d");
        server(data);
        assertThat(end("resume", folder.resolve("none.pid")).exit()).isEqualTo(1);
    }

    @Test
    void aProgramThatIsNotThereLeavesNothingBehind() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        HostCall call = NodeScript.on(Host.of(Transport.LOCAL, "here"), "start", "no-such-program-of-ours");

        ProgramOutput output = with("TMPDIR=" + temporary, call);

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains("there is no program no-such-program-of-ours here");
        assertThat(temporary).isEmptyDirectory();
    }

    private static ProgramOutput with(String variable, HostCall call) throws IOException {
        List<String> line = new ArrayList<>(List.of("env", variable));
        line.addAll(call.line());
        return new HostCall(line, call.input()).run(Duration.ofSeconds(60));
    }

    /** What was left was taken for the data of a server, or could not be removed any more. */
    @Test
    void aDirectoryOfWhichTheEmptyingWasCutOffIsEmptiedByTheNextAttempt() throws Exception {
        Path none = folder.resolve("none.pid");
        Files.createFile(data.resolve("table"));
        // Ends the first attempt in the middle.
        Path find =
                Files.writeString(Files.createDirectory(folder.resolve("bin")).resolve("find"), """
                #!/bin/sh
                exit 1
                """);
        assertThat(find.toFile().setExecutable(true)).isTrue();
        HostCall call = NodeScript.on(
                Host.of(Transport.LOCAL, "here"), "wipe", none.toString(), "drilldbd", data.toString(), "mark");
        assertThat(with("PATH=" + find.getParent() + ":" + System.getenv("PATH"), call)
                        .exit())
                .isEqualTo(1);
        assertThat(data.resolve("table")).exists();
        assertThat(data.resolve("mark")).doesNotExist();

        assertThat(wipe(none).exit()).isZero();

        assertThat(data).isEmptyDirectory();
    }

    /** The removal of much data takes longer than its command may: a server that was started then lost its files while it ran. */
    @Test
    void whatComesIntoTheDirectoryDuringTheRemovalStays() throws Exception {
        Files.createFile(Files.createDirectory(data.resolve("tables")).resolve("-a b"));
        Files.createFile(data.resolve("-rf"));
        Path find =
                Files.writeString(Files.createDirectory(folder.resolve("bin")).resolve("find"), """
                #!/bin/sh
                PATH=%1$s
                case "$*" in *-delete*) [ -e %3$s/seen ] || { ls -A %2$s >%3$s/seen; echo new >%2$s/mark; } ;; esac
                exec find "$@"
                """.formatted(
                                System.getenv("PATH"), data, folder));
        assertThat(find.toFile().setExecutable(true)).isTrue();
        HostCall call = NodeScript.on(
                Host.of(Transport.LOCAL, "here"),
                "wipe",
                folder.resolve("none.pid").toString(),
                "drilldbd",
                data.toString(),
                "mark");

        ProgramOutput output = with("PATH=" + find.getParent() + ":" + System.getenv("PATH"), call);

        assertThat(output.text()).contains(data + " could not be emptied");
        assertThat(folder.resolve("seen")).hasContent(".ycsb-drill-removed");
        assertThat(data.resolve("mark")).hasContent("new");
        assertThat(data).isDirectoryNotContaining("glob:**/{tables,-rf,.ycsb-drill-removed}");
    }

    /** A full disk that nobody knew of any more was never freed. */
    @Test
    void aRecordThatCannotBeShortenedStaysWhole() throws Exception {
        Path small = folder.resolve("small");
        String heal = small.resolve("heal").toString();
        try (SmallDisk disk = SmallDisk.mount(small, 1)) {
            journal("journal-add", heal, "db-1", "disk-full 2026-11-29T07:00:00Z ops@admin1");
            journal("journal-add", heal, "db-1", "kill 2026-11-29T07:00:05Z ops@admin1");
            Files.write(small.resolve("ballast"), new byte[(int) disk.freeBytes()]);

            assertThat(journal("journal-clear", heal, "db-1", "kill|stop").exit())
                    .isEqualTo(1);
            assertThat(journal("journal-read", heal, "db-1").text())
                    .contains("open: disk-full 2026")
                    .contains("open: kill 2026");

            Files.delete(small.resolve("ballast"));
            assertThat(journal("journal-clear", heal, "db-1", "kill|stop").exit())
                    .isZero();
            assertThat(journal("journal-read", heal, "db-1").text())
                    .isEqualTo("open: disk-full 2026-11-29T07:00:00Z ops@admin1\n");
            assertThat(journal("journal-clear", heal, "db-1", "disk-full").exit())
                    .isZero();
            assertThat(small.resolve("heal")).isEmptyDirectory();
        }
    }

    private static ProgramOutput journal(String verb, String... arguments) throws IOException {
        return NodeScript.on(Host.of(Transport.LOCAL, "here"), verb, arguments).run(Duration.ofSeconds(60));
    }

    /** Whoever has given up waiting has undone it already. */
    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop", "pause"})
    void nothingIsDoneForAConnectionThatIsGone(String verb) throws Exception {
        Process server = server(data);
        Path file = pidFile(server);

        gone(verb, file.toString(), "drilldbd", data.toString(), "100");

        assertThat(server.isAlive()).isTrue();
        assertThat(ProcFs.stat(server.pid()).orElseThrow().stopped()).isFalse();
    }

    @Test
    void nothingIsEmptiedForAConnectionThatIsGone() throws Exception {
        gone("wipe", folder.resolve("none.pid").toString(), "drilldbd", data.toString(), "mark");

        assertThat(data).isDirectoryContaining("glob:**/mark");
    }

    @Test
    void nothingIsCutForAConnectionThatIsGone() throws Exception {
        Path nft = Files.writeString(
                Files.createDirectory(folder.resolve("bin")).resolve("nft"), """
                #!/bin/sh
                touch %s
                """.formatted(folder.resolve("cut")));
        assertThat(nft.toFile().setExecutable(true)).isTrue();

        gone("cut", "ycsb_drill_a", "10.98.0.209", "10.98.0.209", "no", "no");

        assertThat(folder.resolve("cut")).doesNotExist();
    }

    /** Runs the script as a host does of which nobody reads the answer any more. */
    private void gone(String verb, String... arguments) throws Exception {
        HostCall call = NodeScript.on(Host.of(Transport.LOCAL, "here"), verb, arguments);
        List<String> line = new ArrayList<>(List.of("sh", "-c", "\"$@\" | exec true", "sh", "env"));
        line.add("PATH=" + folder.resolve("bin") + ":" + System.getenv("PATH"));
        line.add("SSH_CONNECTION=192.0.2.1 50000 192.0.2.2 22");
        // Until the other end of the pipe is closed.
        line.addAll(List.of("sh", "-c", "(while echo; do :; done) 2>/dev/null; \"$@\"", "sh"));
        line.addAll(call.line());
        ProgramOutput.of(line, call.input(), Duration.ofSeconds(60));
    }

    @Test
    void whatALinkLeadsToThatTheDatabasesUserHasPutThereIsNotEmptied() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createFile(elsewhere.resolve("passwd"));
        Files.createSymbolicLink(data.resolve(".ycsb-drill-removed"), elsewhere);

        ProgramOutput output = wipe(folder.resolve("none.pid"));

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains(data + "/.ycsb-drill-removed is a link");
        assertThat(data.resolve("mark")).exists();
        assertThat(elsewhere).isDirectoryContaining("glob:**/passwd");
    }

    /** What NDB's servers do by an option: backups, and files of others, stay. */
    @Test
    void ofADataNodeOfNdbOnlyItsOwnFilesAreRemoved() throws IOException {
        for (String file : List.of("ndb_1_fs/D1/log", "ndb_2_fs/D1/log", "BACKUP/BACKUP-1/x", "ndb_65_config.bin.1")) {
            Files.createDirectories(data.resolve(file).getParent());
            Files.createFile(data.resolve(file));
        }

        ProgramOutput output = script("wipe", folder.resolve("none.pid"), data.toString(), "ndb_1_fs");

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(data).isDirectoryNotContaining("glob:**ndb_1_fs").isDirectoryNotContaining("glob:**removed");
        assertThat(data.resolve("ndb_2_fs/D1/log")).exists();
        assertThat(data.resolve("BACKUP/BACKUP-1/x")).exists();
        assertThat(data.resolve("ndb_65_config.bin.1")).exists();
    }

    @Test
    void aDirectoryWhosePathIsAPatternIsEmptied() throws IOException {
        Path odd = Files.createDirectory(folder.resolve("d[a]t*"));
        Files.createFile(odd.resolve("mark"));
        Files.createFile(Files.createDirectory(odd.resolve("table")).resolve("row"));

        ProgramOutput output = script("wipe", folder.resolve("none.pid"), odd.toString(), "mark");

        assertThat(output.exit()).as(output.text()).isZero();
        assertThat(odd).isEmptyDirectory();
        assertThat(data.resolve("mark")).exists();
    }

    @Test
    void aHomeIsNotEmptied() throws IOException {
        Path home = Files.createDirectories(data.resolve("home/me"));
        Files.createFile(home.resolve("mark"));
        for (Path directory : List.of(home, data)) {
            HostCall call = NodeScript.on(
                    Host.of(Transport.LOCAL, "here"),
                    "wipe",
                    folder.resolve("none.pid").toString(),
                    "drilldbd",
                    directory.toString(),
                    "mark");

            ProgramOutput output = with("HOME=" + home, call);

            assertThat(output.exit()).isEqualTo(1);
            assertThat(output.text()).contains("is, or has in it, the home directory " + home + ", and stays as it is");
        }
        assertThat(home.resolve("mark")).exists();
    }

    @Test
    void whatIsMountedInADataDirectoryIsNotEmptied() throws Exception {
        Path backup = Files.createDirectory(data.resolve("backup"));
        try (SmallDisk disk = SmallDisk.mount(backup, 1)) {
            Files.createFile(backup.resolve("file"));

            ProgramOutput output = wipe(folder.resolve("none.pid"));

            assertThat(output.exit()).isEqualTo(1);
            assertThat(output.text()).contains(backup + " in " + data + " is another file system; unmount it first");
            assertThat(backup.resolve("file")).exists();
            assertThat(data.resolve("mark")).exists();
            assertThat(disk.freeBytes()).isPositive();
        }
    }

    /** Of whatever program: a backup, an editor, a shell. */
    @Test
    void aDirectoryThatAnyProcessUsesIsNotEmptied() throws Exception {
        Path none = folder.resolve("none.pid");
        Process inIt = run(data, folder.resolve("editor").toString(), "300");
        assertThat(wipe(none).exit()).isEqualTo(1);
        inIt.destroyForcibly().waitFor();

        Process reads = run(folder, "sh", "-c", "exec 3<data/mark; exec ./editor 300");
        while (!reads.info().command().orElse("").endsWith("editor")) {
            Thread.onSpinWait();
        }
        assertThat(wipe(none).exit()).isEqualTo(1);
        reads.destroyForcibly().waitFor();

        Process names = run(
                folder, "tail", "-f", "/dev/null", "--pid=1", data.resolve("x").toString());
        assertThat(wipe(none).exit()).isEqualTo(1);
        names.destroyForcibly().waitFor();
        assertThat(data.resolve("mark")).exists();

        ProgramOutput wiped = wipe(none);
        assertThat(wiped.exit()).as(wiped.text()).isZero();
        assertThat(data).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/..",
                "/home/me",
                "/var/lib",
                "/var/lib/../db",
                "/usr/local",
                "/etc/mysql",
                "/data",
                "/var/lib/db/"
            })
    void aDirectoryWithMoreThanANodesDataIsRefusedWhenTheInventoryIsRead(String directory) {
        assertThatThrownBy(() -> Inventory.parse(
                        "i.yaml",
                        "engine: galera\ndata_nodes: [{id: a, transport: local, data_directory: \"" + directory
                                + "\"}]",
                        Engine.installed(),
                        new Properties()))
                .hasMessageContaining("data_directory")
                .hasMessageContaining("expected a directory of this node alone");
    }
}
