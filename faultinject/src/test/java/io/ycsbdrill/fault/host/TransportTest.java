package io.ycsbdrill.fault.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
    private static final List<String> COMMAND = List.of("kill", "-9", "it's $HOME; 1");

    @Test
    void localRunsTheCommandItself() {
        assertThat(Host.of(Transport.LOCAL, "localhost").call(COMMAND).line()).isEqualTo(COMMAND);
    }

    @Test
    void sshQuotesWhatTheOtherShellReadsAndChecksHostKeys() {
        Host host = new Host(
                Transport.SSH,
                "db1",
                Optional.of("ops"),
                OptionalInt.of(2222),
                Optional.of("/etc/drill/ssh"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());

        List<String> line = host.call(COMMAND).line();

        assertThat(line).startsWith("ssh", "-T", "-o", "BatchMode=yes");
        assertThat(line).containsSubsequence("-F", "/etc/drill/ssh", "-o", "Port=2222", "-l", "ops", "--", "db1");
        assertThat(line).endsWith("kill -9 'it'\\''s $HOME; 1'");
        assertThat(line).noneMatch(word -> word.contains("StrictHostKeyChecking"));
    }

    @Test
    void containersGetTheCommandAsItIs() {
        Host docker = new Host(
                Transport.DOCKER,
                "ndb1",
                Optional.of("mysql"),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());

        assertThat(docker.call(COMMAND).line())
                .containsExactly("docker", "exec", "-i", "-u", "mysql", "ndb1", "kill", "-9", "it's $HOME; 1");
        assertThat(Host.of(Transport.PODMAN, "ndb1").call(List.of("true")).line())
                .containsExactly("podman", "exec", "-i", "ndb1", "true");
        assertThat(Transport.PODMAN.own(Host.of(Transport.PODMAN, "ndb1")))
                .as("what is done to it is proven first, by a script")
                .isEmpty();
        assertThat(docker.machine()).contains(Host.of(Transport.LOCAL, "localhost"));
        assertThat(Host.of(Transport.KUBECTL, "ndb1").machine()).isEmpty();
    }

    @Test
    void podsAreReachedInTheirNamespace() {
        Host pod = new Host(
                Transport.KUBECTL,
                "ndbmtd-0",
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of("rondb"),
                Optional.of("staging"),
                Optional.of("ndbmtd"),
                List.of());

        assertThat(pod.call(List.of("true")).line())
                .containsExactly(
                        "kubectl",
                        "--context",
                        "staging",
                        "--namespace",
                        "rondb",
                        "exec",
                        "-i",
                        "ndbmtd-0",
                        "-c",
                        "ndbmtd",
                        "--",
                        "true");
        assertThat(Transport.KUBECTL.own(pod).get("kill"))
                .containsExactly(
                        "kubectl",
                        "--context",
                        "staging",
                        "--namespace",
                        "rondb",
                        "delete",
                        "pod",
                        "ndbmtd-0",
                        "--grace-period=0",
                        "--force",
                        "--wait=false");
        assertThat(Transport.KUBECTL.own(pod).get("stop"))
                .as("not killed after the pod's own grace period")
                .endsWith("delete", "pod", "ndbmtd-0", "--grace-period=86400");
        assertThat(Transport.KUBECTL.own(pod).get("start"))
                .startsWith("sh", "-c")
                .endsWith("sh", "ndbmtd-0", "kubectl", "--context", "staging", "--namespace", "rondb");
    }

    /** Whoever switches to another cluster in another terminal while a drill runs: its pods may have the same names. */
    @Test
    void aPodStaysThatOfTheContextInWhichTheCommandBegan() {
        Host pod = Host.of(Transport.KUBECTL, "db-0");

        assertThat(kubectl(Transport.chosen(pod, new ProgramOutput(0, "admin@eu/staging\nrondb"))))
                .containsExactly("kubectl", "--context", "admin@eu/staging", "--namespace", "rondb");
        assertThat(kubectl(Transport.chosen(pod, new ProgramOutput(0, "staging\n"))))
                .as("without a namespace of its own; in a pod that may be another one than default")
                .containsExactly("kubectl", "--context", "staging");
        assertThat(Transport.chosen(pod, new ProgramOutput(0, "prod backup\ndb")))
                .as("prod is another one")
                .isEqualTo(pod);
        assertThat(Transport.chosen(pod, new ProgramOutput(1, "error: current-context must exist")))
                .as("in a pod there is nothing to choose")
                .isEqualTo(pod);
        assertThat(Transport.chosen(pod, new ProgramOutput(0, "\n"))).isEqualTo(pod);
    }

    private static List<String> kubectl(Host pod) {
        List<String> line = Transport.KUBECTL.own(pod).get("kill");
        return line.subList(0, line.indexOf("delete"));
    }

    /** One that is about to end is ready until then, and one that is not there yet is no failure; a script stands in for kubectl. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aPodIsStartedWhenItIsReadyAndNotAboutToEnd(@TempDir Path folder) throws Exception {
        Path kubectl = Files.writeString(folder.resolve("kubectl"), """
                #!/bin/sh
                case "$(wc -l <%1$s/calls) $1" in
                    "0 get") echo 2026-11-28T12:00:00Z ;;
                    "1 get") echo not found >&2; answer=1 ;;
                    "2 wait") echo not found >&2; answer=1 ;;
                esac
                echo "$*" >>%1$s/calls
                exit ${answer:-0}
                """.formatted(folder));
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        Path calls = Files.createFile(folder.resolve("calls"));
        List<String> line = new ArrayList<>(List.of("env", "PATH=" + folder + ":" + System.getenv("PATH")));
        line.addAll(
                Transport.KUBECTL.own(Host.of(Transport.KUBECTL, "ndbmtd-0")).get("start"));

        assertThat(ProgramOutput.of(line, Optional.empty(), Duration.ofSeconds(60))
                        .exit())
                .isZero();

        String get = "get pod ndbmtd-0 -o jsonpath={.metadata.deletionTimestamp}";
        String ready = "wait --for=condition=Ready pod/ndbmtd-0 --timeout=10s";
        assertThat(calls).hasContent(String.join("\n", get, get, ready, get, ready));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-oProxyCommand=x", "a;b", "a b", "$(id)", "a/b", "user@host"})
    void whatIsNoNameIsRefused(String address) {
        assertThatThrownBy(() -> Host.of(Transport.SSH, address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host \"" + address + "\" is not a name");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void everyTransportPassesOnAScriptsInput(Transport transport) {
        HostCall call = Host.of(transport, "h1").script("echo \"$1\"", List.of("x"));

        assertThat(call.input()).contains("echo \"$1\"");
        assertThat(call.line().get(call.line().size() - 1)).endsWith("x");
    }

    @Test
    void localScriptGetsItsArgumentsUnchanged() throws IOException {
        HostCall call = Host.of(Transport.LOCAL, "here").script("printf '%s|' \"$@\"", COMMAND);

        assertThat(call.run(Duration.ofSeconds(30)).text()).isEqualTo("kill|-9|it's $HOME; 1|");
    }

    @Test
    void textHasNoSecrets() {
        HostCall call = Host.of(Transport.SSH, "db1").call(List.of("mysql", "--password=hunter2"));

        assertThat(call.toString()).contains("db1", "--password=***").doesNotContain("hunter2");
    }
}
