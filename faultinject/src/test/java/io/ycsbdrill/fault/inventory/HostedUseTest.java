package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostSession;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class HostedUseTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private long now;

    /** Each connection leaves a line and ends: who asked for one each second would be locked out. */
    @Test
    void aHostThatRefusesIsLeftAloneForAWhile() throws IOException {
        Path logins = folder.resolve("logins");
        try (HostSession session = new HostSession(
                Host.of(Transport.LOCAL, "here"),
                List.of("sh", "-c", "echo x >>\"$1\"; kill -9 $PPID", "sh", logins.toString()))) {
            HostedProcess asked = new HostedProcess(session, () -> now);

            for (int second = 0; second < 10; second++) {
                assertThat(asked.look(LONG)).isEmpty();
                now += TimeUnit.SECONDS.toNanos(1);
            }
            assertThat(Files.readAllLines(logins)).hasSize(3);

            now += TimeUnit.SECONDS.toNanos(10);
            asked.look(LONG);
            asked.look(LONG);
            assertThat(Files.readAllLines(logins)).hasSize(4);
        }
    }

    /** The process of PostgreSQL's pid file does next to none of its work. */
    @Test
    void aServerOfManyProcessesHasNoFigure() throws IOException {
        Process server = new ProcessBuilder("sleep", "60").start();
        try {
            Files.writeString(folder.resolve("pid"), server.pid() + "\n");

            assertThat(use("galera")).containsOnlyKeys("a");
            assertThat(use("patroni")).isEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    /** Asked until the first answer of the shell, or its second, is there. */
    private Map<String, NodeUse> use(String engine) {
        Inventory inventory = Inventory.parse(
                "i.yaml",
                "engine: %s\ndefaults: {transport: local, pid_file: %s}\ndata_nodes: [{id: a, program: sleep}]\n"
                        .formatted(engine, folder.resolve("pid")),
                Engine.installed(),
                new Properties());
        try (HostedUse use = new HostedUse(inventory)) {
            Map<String, NodeUse> found = use.now();
            for (int i = 0; found.isEmpty() && i < 20; i++) {
                found = use.now();
            }
            return found;
        }
    }

    @Test
    void aProcessHasAnAge() {
        String stat = "S 1 2 3 4 5 6 7 8 9 10 50 70 13 14 15 16 17 18 90000 20";

        assertThat(HostedProcess.parse("ticks 100\nuptime 1000.50 77.00\nstat " + stat + "\nVmRSS:\t 4 kB\npid 12\n"))
                .contains(new NodeUse("12-90000", 100.5, 1.2, 4096));
    }
}
