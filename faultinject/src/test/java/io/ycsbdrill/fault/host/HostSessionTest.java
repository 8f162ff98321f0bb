package io.ycsbdrill.fault.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real shell, on this machine, whose command prints the process that runs it again and again. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HostSessionTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private HostSession session;

    private HostSession running(String script) {
        session =
                new HostSession(Host.of(Transport.LOCAL, "here"), List.of("sh", "-c", script, "sh", folder.toString()));
        return session;
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void everyRunIsOnTheSameConnection() throws IOException {
        running("echo $PPID; exit 3");

        String first = session.run(LONG).text();

        assertThat(first).matches("\\d+\n");
        assertThat(session.run(LONG).text()).isEqualTo(first);
        assertThat(session.run(LONG).exit()).isEqualTo(3);
    }

    @Test
    void aRunHasItsArgumentAndTheNextOneHasNot() throws IOException {
        running("echo \"<$argument>\"");

        assertThat(session.run(LONG, "12-34 x").text()).isEqualTo("<12-34 x>\n");
        assertThat(session.run(LONG).text()).isEqualTo("<>\n");
    }

    /** A bound that is shorter than the login, or a server that hangs for a moment, must not make the host unreachable for ever. */
    @Test
    void anAnswerThatComesTooLateIsNobodysAndTheConnectionStays() throws IOException {
        running("n=$(cat \"$1/n\" 2>/dev/null || echo 0); echo $((n + 1)) >\"$1/n\";"
                + " while [ ! -e \"$1/go\" ]; do sleep 0.01; done; echo \"$n $PPID\"");

        assertThatThrownBy(() -> session.run(Duration.ofMillis(50))).hasMessageContaining("did not answer in time");
        assertThatThrownBy(() -> session.run(Duration.ofMillis(50))).hasMessageContaining("did not answer in time");
        Files.createFile(folder.resolve("go"));

        String[] second = session.run(LONG).text().strip().split(" ");
        assertThat(second[0])
                .as("the command ran twice: for who gave up first, and for this")
                .isEqualTo("1");
        assertThat(session.run(LONG).text()).isEqualTo("2 " + second[1] + "\n");
    }

    @Test
    void aConnectionThatWasLostIsOpenedAgain() throws IOException {
        Files.createFile(folder.resolve("dies"));
        running("if [ -e \"$1/dies\" ]; then rm \"$1/dies\"; kill -9 $PPID; fi; echo well");

        assertThatThrownBy(() -> session.run(LONG)).hasMessageContaining("the connection to here (local) has ended");

        assertThat(session.run(LONG).text()).isEqualTo("well\n");
    }

    /** The program's own words, and not those of the pipe to it. */
    @Test
    void aConnectionThatEndsBeforeTheQuestionSaysWhy() throws Exception {
        String refuses =
                "exec 0<&-; echo 'Permission denied (publickey).'; touch \"$0\"; exec sleep 600 >/dev/null 2>&1";
        Path said = folder.resolve("said");
        session = new HostSession(
                List.of("sh", "-c", "read -r first; echo \"$first 0\"; " + refuses, said.toString()),
                Host.of(Transport.LOCAL, "here"));
        session.run(LONG);
        while (!Files.exists(said)) {
            Thread.sleep(10);
        }

        assertThatThrownBy(() -> session.run(LONG))
                .hasMessage("the connection to here (local) has ended: Permission denied (publickey).");
    }

    /** In one line, in many, and as far as it comes when nobody asks: what is kept of it has a bound. */
    @ParameterizedTest
    @ValueSource(strings = {"tr '\\0' x </dev/zero", "yes", "(yes >/proc/$PPID/fd/1 &); echo well"})
    void aHostThatSendsWithoutEndIsNotListenedTo(String script) throws Exception {
        running(script);

        assertThatThrownBy(() -> {
                    while (true) {
                        session.run(LONG);
                        Thread.onSpinWait();
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("here (local)")
                .hasMessageContaining("more than 1048576 characters came");
    }

    @Test
    void whatIsClosedStaysClosed() throws IOException {
        running("echo well");
        session.run(LONG);

        session.close();

        assertThatThrownBy(() -> session.run(LONG)).hasMessage("the session with here (local) is closed");
    }
}
