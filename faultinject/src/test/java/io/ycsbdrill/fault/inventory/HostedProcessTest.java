package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostSession;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.HostedProcess.Seen;
import io.ycsbdrill.fault.node.NodeUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The server is a copy of {@code sleep}, which may be called by other names. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HostedProcessTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private Process server;
    private Path pidFile;

    @BeforeEach
    void program() throws IOException {
        pidFile = folder.resolve("pid");
        Path program = Files.copy(Path.of("/bin/sleep"), folder.resolve("redis-server"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void end() {
        server.destroyForcibly();
    }

    /** @param called the first word of its command line */
    private void start(String called) throws Exception {
        server =
                new ProcessBuilder("bash", "-c", "exec -a \"$0\" \"$1\" 300", called, folder + "/redis-server").start();
        Path words = Path.of("/proc/" + server.pid() + "/cmdline");
        while (!Files.readString(words).startsWith(called + "\0")) {
            Thread.sleep(5);
        }
        Files.writeString(pidFile, server.pid() + "\n");
    }

    private HostedNode node(String... programs) {
        return new HostedNode(
                "a",
                Role.DATA,
                Host.of(Transport.LOCAL, "here"),
                pidFile.toString(),
                List.of(programs),
                "",
                "",
                List.of(),
                List.of(),
                "",
                Map.of(),
                Optional.empty(),
                Map.of(),
                "");
    }

    private Seen look(String... programs) {
        try (HostedProcess process = new HostedProcess(node(programs))) {
            return look(process);
        }
    }

    private static Seen look(HostedProcess process) {
        return process.look(LONG).orElseThrow();
    }

    private static String process(Seen seen) {
        return seen.use().map(NodeUse::process).orElse("none");
    }

    @Test
    void aProcessThatWasSeenIsTheServersUntilItHasEndedWhateverItsPidFileSays() throws Exception {
        start("redis-server");
        try (HostedProcess asked = new HostedProcess(node("redis-server"))) {
            String seen = process(look(asked));
            assertThat(seen).startsWith(server.pid() + "-");

            for (String text :
                    List.of("", "no number\n", ProcessHandle.current().pid() + "\n")) {
                Files.writeString(pidFile, text);
                assertThat(process(look(asked))).isEqualTo(seen);
                assertThat(look("redis-server").none()).isTrue();
            }
            Files.delete(pidFile);
            assertThat(process(look(asked))).isEqualTo(seen);

            server.destroyForcibly().waitFor();
            Seen ended = look(asked);
            assertThat(ended.ended()).isTrue();
            assertThat(ended.none()).isTrue();
            assertThat(look(asked).ended()).as("that was said").isFalse();
        }
    }

    @Test
    void whenAnotherProcessHasFollowedTheFirstOneHasEnded() throws Exception {
        start("redis-server");
        try (HostedProcess asked = new HostedProcess(node("redis-server"))) {
            String first = process(look(asked));
            server.destroyForcibly().waitFor();
            start("redis-server");

            Seen seen = look(asked);

            assertThat(seen.ended()).isTrue();
            assertThat(process(seen)).startsWith(server.pid() + "-").isNotEqualTo(first);
        }
    }

    /** As Redis of Debian, whose server and Sentinel are links to one file, and which change their titles. */
    @Test
    void aServerIsKnownByItsTitleAndAnotherProgramOfTheSameFileIsNotIt() throws Exception {
        start("/usr/bin/drilldb 127.0.0.1:6379");
        assertThat(look("drilldb").use()).isPresent();
        assertThat(look("drill").none()).isTrue();
        end();

        start("/usr/bin/redis-sentinel *:26379 [sentinel]");
        assertThat(look("redis-server").use()).isPresent();
        assertThat(look("redis-server", "!redis-sentinel").none()).isTrue();
    }

    @Test
    void aProcessThatIsYoungerThanItsPidFileIsNotTheServer() throws Exception {
        start("redis-server");
        Files.setLastModifiedTime(pidFile, FileTime.from(Instant.now().minusSeconds(3600)));

        assertThat(look("redis-server").none()).isTrue();
    }

    /** What waits for the login, or for an earlier answer, was asked before the host could look. */
    @Test
    void aLookIsDatedWhenItsQuestionIsSentAndNotBefore() throws Exception {
        start("redis-server");
        Path go = folder.resolve("go");
        HostSession slow = new HostSession(
                Host.of(Transport.LOCAL, "here"),
                List.of("sh", "-c", "while [ ! -e \"$0\" ]; do sleep 0.01; done; exit 3", go.toString()));
        try (HostedProcess asked = new HostedProcess(slow, System::nanoTime)) {
            assertThat(asked.look(Duration.ofMillis(50))).isEmpty();
            long before = System.nanoTime();
            Files.createFile(go);

            assertThat(look(asked).askedNanos()).isGreaterThan(before);
        }
    }
}
