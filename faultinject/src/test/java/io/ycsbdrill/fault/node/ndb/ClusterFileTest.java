package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.inventory.NodeAction;
import io.ycsbdrill.fault.node.NodeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {
    @TempDir
    Path folder;

    @Test
    void commandsAreFilledIn() throws IOException {
        ClusterFile file = read("""
                connectstring: mgm1,mgm2:1187
                timeout: 500ms
                hosts: {1: db1.example.org}
                commands:
                  kill: [ssh, "{host}", "kill {node} {node}"]
                  start: docker start ndb$NODE
                """);

        assertThat(file.connectString()).contains("mgm1:1186,mgm2:1187");
        assertThat(file.timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(file.hosts()).containsEntry("1", "db1.example.org");
        assertThat(line(file, NodeAction.KILL, "1", "db1.example.org"))
                .containsExactly("ssh", "db1.example.org", "kill 1 1");
        assertThat(line(file, NodeAction.START, "2", ""))
                .containsExactly("env", "NODE=2", "HOST=", "/bin/sh", "-c", "docker start ndb$NODE");
        assertThatThrownBy(() -> read("commands: {kill: 'docker kill ndb{node}'}"))
                .hasMessageContaining("kill: ")
                .hasMessageContaining("$NODE");
    }

    @Test
    void hostThatAShellWouldReadOtherwiseIsRefused() throws IOException {
        ClusterFile file = read("commands: {kill: 'ssh $HOST x'}");

        assertThatThrownBy(() -> line(file, NodeAction.KILL, "1", "a;rm -r b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"a;rm -r b\"");
        assertThatThrownBy(() -> line(file, NodeAction.KILL, "1", ""))
                .hasMessageContaining("not known")
                .hasMessageContaining("hosts in the cluster file");
    }

    @Test
    void allMistakesAreNamedAtOnce() {
        assertThatThrownBy(() -> read("""
                        connectstring: ":1"
                        timeout: 5
                        hosts: {a: b}
                        nodes: 3
                        commands: {reboot: x, pause: y, start: ''}
                        """))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no host in \":1\"")
                .hasMessageContaining("timeout: \"5\"")
                .hasMessageContaining("\"a: b\" is not a node id and a host name")
                .hasMessageContaining("unknown key nodes")
                .hasMessageContaining("unknown action reboot")
                .hasMessageContaining("start is empty")
                .hasMessageContaining("pause, resume and paused need each other");
    }

    @Test
    void fileThatIsNoYamlOrAbsentIsToldSo() {
        assertThatThrownBy(() -> read("{")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read("- a")).hasMessageContaining("expected connectstring");
        assertThatThrownBy(() -> read("timeout: 5s\ntimeout: 6s")).hasMessageContaining("timeout");
        assertThatThrownBy(() -> ClusterFile.read(folder.resolve("absent.yaml")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be read");
    }

    private static List<String> line(ClusterFile file, NodeAction action, String node, String host) {
        return file.calls(action, new NodeInfo(node, host, 0)).get(0).line();
    }

    private ClusterFile read(String text) throws IOException {
        return ClusterFile.read(Files.writeString(folder.resolve("cluster.yaml"), text));
    }
}
