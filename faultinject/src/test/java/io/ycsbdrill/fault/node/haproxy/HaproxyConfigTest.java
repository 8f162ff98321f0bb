package io.ycsbdrill.fault.node.haproxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HaproxyConfigTest {
    private static final String SEND = "tcp-check send-binary ";

    @Test
    void listensOnLoopbackBeforeEachServerAtItsAddress() {
        String text = HaproxyConfig.text(
                Path.of("/c/haproxy.sock"),
                20_001,
                HealthCheck.SYNCED,
                new TreeMap<>(Map.of("node1", "127.0.0.1:20002", "node2", "10.99.0.2:20003")),
                Map.of());

        assertThat(text)
                .contains("stats socket /c/haproxy.sock mode 600")
                .contains("    bind 127.0.0.1:20001\n")
                .contains("    server node1 127.0.0.1:20002 check\n    server node2 10.99.0.2:20003 check\n");
    }

    @Test
    void patroniIsAskedAtItsOwnPortWhetherItsServerIsPrimary() {
        String text = HaproxyConfig.text(
                Path.of("/c/haproxy.sock"),
                20_001,
                HealthCheck.PRIMARY,
                Map.of("node1", "127.0.0.1:20002"),
                Map.of("node1", 20_012));

        assertThat(text)
                .contains("    option httpchk OPTIONS /primary\n    http-check expect status 200\n")
                .contains("    server node1 127.0.0.1:20002 check port 20012\n")
                .contains("on-marked-down shutdown-sessions")
                .contains("option redispatch");
    }

    @Test
    void ofPatronisServersOneIsEnough() {
        List<ProxiedServer> seen =
                List.of(new ProxiedServer("node1", true, true, 0, 0), new ProxiedServer("node2", false, false, 0, 0));

        assertThat(HealthCheck.PRIMARY.satisfied(seen)).isTrue();
        assertThat(HealthCheck.SYNCED.satisfied(seen)).isFalse();
    }

    @Test
    void checkOfAGaleraNodeLogsInAndAsksForItsState() {
        List<byte[]> packets = sent(HealthCheck.SYNCED);

        assertThat(packets).hasSize(3).allSatisfy(HaproxyConfigTest::isWhole);
        assertThat(packets.get(0)[3]).as("sequence of the answer to a greeting").isEqualTo((byte) 1);
        assertThat(text(packets.get(0))).endsWith("ycsb\0\0mysql_native_password\0");
        assertThat(text(packets.get(1))).endsWith("\u0003SHOW STATUS LIKE 'wsrep_local_state_comment'");
        assertThat(packets.get(2)).as("quit").containsExactly(1, 0, 0, 0, 1);
    }

    @Test
    void checkOfAMySqlServerPings() {
        List<byte[]> packets = sent(HealthCheck.ANSWERS);

        assertThat(packets).hasSize(3).allSatisfy(HaproxyConfigTest::isWhole);
        assertThat(text(packets.get(0))).endsWith("ycsb\0\0caching_sha2_password\0");
        assertThat(packets.get(1)).as("ping").containsExactly(1, 0, 0, 0, 14);
    }

    private static void isWhole(byte[] packet) {
        assertThat(packet[0] & 0xff).as("length of %s", text(packet)).isEqualTo(packet.length - 4);
    }

    private static List<byte[]> sent(HealthCheck check) {
        return check.lines().stream()
                .filter(line -> line.startsWith(SEND))
                .map(line -> HexFormat.of().parseHex(line.substring(SEND.length())))
                .toList();
    }

    private static String text(byte[] packet) {
        return new String(packet, StandardCharsets.ISO_8859_1);
    }
}
