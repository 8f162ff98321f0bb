package io.ycsbdrill.fault.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
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
                .as("until there is one and it is ready: a pod that is not there yet is no failure")
                .startsWith("sh", "-c", "until \"$@\"; do sleep 1; done", "sh", "kubectl")
                .contains("wait", "pod/ndbmtd-0");
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
