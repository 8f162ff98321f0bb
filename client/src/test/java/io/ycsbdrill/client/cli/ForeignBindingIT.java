package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Drills of bindings that know nothing of drills, on a server that is ended and started again by the user's own commands. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ForeignBindingIT {
    @TempDir
    private Path root;

    private LineServer server;
    private World world;

    @BeforeEach
    void start() throws IOException {
        Path down = root.resolve("down");
        server = new LineServer(down);
        world = new World(root).with().file("w", """
                        workload=site.ycsb.workloads.CoreWorkload
                        recordcount=50
                        operationcount=1000
                        readproportion=0.5
                        updateproportion=0.5
                        """).file("d.yaml", """
                        name: restart
                        steady: off
                        load: max
                        cooldown: 7s
                        steps:
                          - step: kill
                            fault: run
                            node: server1
                            at: 2s
                            command: [touch, "%1$s"]
                            verify: [test, -e, "%1$s"]
                            duration: 1s
                            heal: [rm, -f, "%1$s"]
                            healed: [test, "!", -e, "%1$s"]
                        """.formatted(down));
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    private int drill(String reconnects, String... servers) {
        String[] load = {
            "load",
            LineDb.class.getName(),
            "-P",
            "w",
            "--out",
            "l",
            "-p",
            "redis.host=127.0.0.1",
            "-p",
            "redis.port=" + server.port(),
            "-p",
            "line.throws=" + reconnects
        };
        assertThat(world.execute(load)).as(world.err()).isZero();
        String[] drill = load.clone();
        drill[0] = "drill";
        drill[5] = "r";
        String[] whole = new String[drill.length + 6];
        System.arraycopy(drill, 0, whole, 0, drill.length);
        System.arraycopy(new String[] {"-D", "d.yaml", "-target", "200", "-threads", "2"}, 0, whole, drill.length, 6);
        return world.execute(whole);
    }

    @Test
    void oneThatThrowsIsOpenedAgainAndServedAgain() throws IOException {
        int exitCode = drill("true");

        assertThat(exitCode).as(world.err()).isZero();
        String summary = Files.readString(world.directory().resolve("r/summary.json"));
        assertThat(summary).contains("\"IllegalStateException\"", "\"UNAVAILABLE\"");
        assertThat(Files.readString(world.directory().resolve("r/run.json"))).contains("\"state\" : \"complete\"");
        assertThat(Files.readString(world.directory().resolve("r/markers.jsonl")))
                .contains("\"node\":\"server1\"")
                .doesNotContain("not-reconnected");
    }

    @Test
    void oneThatNeverConnectsAgainIsNamed() throws IOException {
        drill("false");

        String words = "the binding " + LineDb.class.getName() + " had no success in the last";
        assertThat(world.err()).contains(words);
        assertThat(Files.readString(world.directory().resolve("r/report.html")))
                .contains("accepted connections at the end");
    }
}
