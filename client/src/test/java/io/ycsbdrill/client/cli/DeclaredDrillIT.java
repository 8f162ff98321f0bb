package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.declared.DeclaredEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drills on clusters of the shipped files of engines: up, loaded, the primary killed under load, audited, down. */
@Tag("engine")
@Timeout(180)
class DeclaredDrillIT {
    private static final Path ENGINES = Path.of("../examples/engines");

    @TempDir
    private Path root;

    private World world;
    private String engine = "";

    @AfterEach
    void down() {
        if (!engine.isEmpty()) {
            assertThat(world.execute("cluster", "down", engine)).as(world.err()).isZero();
        }
    }

    /** The file is a copy in the working directory, as a user's own would be. */
    private void up(String name, String text, String down) throws IOException {
        Path copy =
                Files.writeString(Files.createDirectories(root.resolve("cwd")).resolve(name + ".yaml"), text);
        DeclaredEngine declared = DeclaredEngine.read(copy, Engine.installed());
        List<String> missing = declared.missing(System.getenv());
        assumeTrue(missing.isEmpty(), name + ": no program " + String.join(", ", missing) + " is installed");
        engine = name;
        world = new World(root).file("w", """
                        workload=site.ycsb.workloads.CoreWorkload
                        recordcount=200
                        operationcount=1000000
                        readproportion=0.5
                        updateproportion=0.5
                        """).file("d.yaml", """
                        name: kill
                        steady: off
                        load: max
                        cooldown: 3s
                        recovery_timeout: 1m
                        steps:
                          - step: crash
                            fault: restart
                            node: primary
                            mode: kill
                            down: %s
                            at: 2s
                        limits:
                          max_recovery: 50s
                          acked_lost: any
                        """.formatted(down));
        assertThat(world.execute("cluster", "up", "./" + name + ".yaml"))
                .as(world.err())
                .isZero();
        // As the next process finds it.
        world.with(DeclaredEngine.recorded(world.clusters(), Engine.installed()).toArray(Engine[]::new));
    }

    private JsonNode drill(String binding) throws IOException {
        int exitCode = world.execute(
                "drill",
                binding,
                "-P",
                "w",
                "-D",
                "d.yaml",
                "-target",
                "200",
                "-threads",
                "4",
                "--audit",
                "--out",
                "r");
        assertThat(exitCode).as(world.err()).isIn(0, 3);
        Path run = world.directory().resolve("r");
        // How soon the service is what it was depends on how busy the machine is; nothing else does.
        assertThat(new ObjectMapper()
                        .readTree(run.resolve("summary.json").toFile())
                        .at("/drill/verdict/checks"))
                .filteredOn(check -> !check.path("limit").asText().equals("serviceRestored"))
                .isNotEmpty()
                .allMatch(check -> check.path("result").asText().equals("pass"), "kept");
        assertThat(Files.readString(run.resolve("phases.csv")))
                .contains(",failure-handling,", ",down,", ",local-recovery,", ",synchronise,");
        return new ObjectMapper().readTree(run.resolve("audit.json").toFile());
    }

    @Test
    void etcdLosesNoWriteWhenItsLeaderIsKilled() throws IOException {
        up("etcd", Files.readString(ENGINES.resolve("etcd.yaml")), "1s");
        Files.copy(ENGINES.resolve("etcd-rest.txt"), world.directory().resolve("etcd-rest.txt"));

        JsonNode audit = drill("rest");

        assertThat(audit.at("/ackedLost").asInt(-1)).as("%s", audit).isZero();
    }

    /** The binding asks a Sentinel only when it is made: it is made again when its connection breaks. */
    @Test
    @Tag("soak")
    void redisFailsOverUnderABindingOfSomebodyElse() throws IOException {
        String own = Files.readString(ENGINES.resolve("redis.yaml"))
                .replace("com.example.SentinelClient", SentinelDb.class.getName());
        up("redis", own, "6s"); // Sentinel takes 2 s to see that it is down

        JsonNode audit = drill(SentinelDb.class.getName());

        assertThat(audit.at("/keys/judged").asInt(-1)).as("%s", audit).isPositive();
    }
}
