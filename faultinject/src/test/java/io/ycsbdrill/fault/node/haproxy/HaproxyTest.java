package io.ycsbdrill.fault.node.haproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** With scripts in place of HAProxy. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class HaproxyTest {
    @TempDir
    Path directory;

    @BeforeEach
    void folders() throws IOException {
        Files.createDirectories(directory.resolve("run"));
        Files.createDirectories(directory.resolve("log"));
    }

    @Test
    void endOfTheProgramIsToldWithWhatItPrinted() throws IOException {
        HaproxyHome home = program("echo cannot bind socket; exit 1");

        assertThatThrownBy(() -> Haproxy.start(
                        home, directory, 20_001, HealthCheck.ANSWERS, Map.of("sql1", "127.0.0.1:20002"), Map.of()))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("HAProxy ended at once")
                .hasMessageContaining("cannot bind socket")
                .hasMessageContaining(directory.resolve("log/haproxy.out").toString());
    }

    @Test
    void recordedProcessIsShownAndEndedAndNoOther() throws Exception {
        assertThat(Haproxy.of(descriptor(Map.of()))).isEmpty();
        Haproxy proxy = Haproxy.of(descriptor(Haproxy.state(20_001))).orElseThrow();
        assertThat(proxy.status().state()).isEqualTo(State.DOWN);
        Haproxy.stop(directory); // nothing to do

        // Without servers there is nothing to wait for.
        Haproxy.start(
                program("while sleep 0.05; do :; done"),
                directory,
                20_001,
                HealthCheck.ANSWERS,
                new HashMap<>(),
                Map.of());
        NodeStatus status = proxy.status();
        assertThat(status.state()).isEqualTo(State.UNKNOWN);
        assertThat(status.detail()).contains("on 127.0.0.1:20001, does not answer");
        OsProcess process = new OsProcess(status.pid().orElseThrow());

        Haproxy.stop(directory);
        assertThat(process.alive()).isFalse();

        Process other = new ProcessBuilder("sleep", "60").start();
        try {
            // It has the id by now, or is no HAProxy.
            Files.writeString(directory.resolve("run/haproxy.pid"), other.pid() + " 1 haproxy\n");
            Haproxy.stop(directory);
            Files.writeString(directory.resolve("run/haproxy.pid"), PidFile.text(other.pid(), List.of("haproxy")));
            assertThatThrownBy(() -> Haproxy.stop(directory))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining(
                            "process " + other.pid() + " (sleep 60) is left alone: it does not run haproxy");
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private ClusterDescriptor descriptor(Map<String, String> state) {
        return new ClusterDescriptor("galera", directory, Instant.EPOCH, "1", Map.of(), state);
    }

    private HaproxyHome program(String script) throws IOException {
        Path program = Files.writeString(directory.resolve("haproxy"), "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return new HaproxyHome(program);
    }
}
