package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drills on clusters that somebody else runs: the user's own commands end a node's process and start it again, and the phases are
 * what the nodes tell of themselves. The nodes are {@link ScriptedNode}s, each a process of its own.
 */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class WatchedDrillIT {
    private static final List<Integer> NODES = List.of(1, 2, 3);

    @TempDir
    Path root;

    /** A port that is free on the hosts of all nodes. */
    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket first = listening(1, 0)) {
                int port = first.getLocalPort();
                if (isFree(2, port) && isFree(3, port)) {
                    return port;
                }
            }
        }
    }

    private static boolean isFree(int node, int port) throws IOException {
        try (ServerSocket socket = listening(node, port)) {
            return socket.isBound();
        } catch (BindException e) {
            return false; // that is what was asked
        }
    }

    private static ServerSocket listening(int node, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(ScriptedNode.host(node), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The user's commands. Both may be run at any time. */
    private void scripts(String engine, int port) throws Exception {
        Path classes = Path.of(ScriptedNode.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Files.writeString(root.resolve("start"), """
                cd "$(dirname "$0")"
                [ ! -f $1.pid ] || exit 0 # it runs
                again=false
                [ ! -f $1.killed ] || again=true
                echo "start $1" >>commands
                '%s' -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' %s %s ${1#n} %d $again >$1.log 2>&1 </dev/null &
                echo $! >$1.pid
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        classes,
                        ScriptedNode.class.getName(),
                        engine,
                        port));
        Files.writeString(root.resolve("kill"), """
                cd "$(dirname "$0")"
                echo "kill $1 at $2" >>commands
                [ ! -f $1.pid ] || kill -KILL $(cat $1.pid)
                mv -f $1.pid $1.killed
                """);
    }

    private void startAll(int port) throws Exception {
        for (int node : NODES) {
            assertThat(new ProcessBuilder("sh", root.resolve("start").toString(), "n" + node)
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
        }
        for (int node : NODES) {
            while (!isUp(node, port)) {
                Thread.sleep(20);
            }
        }
    }

    private static boolean isUp(int node, int port) {
        try (Socket socket = new Socket(ScriptedNode.host(node), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false; // not yet
        }
    }

    @AfterEach
    void endAll() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".pid")).toList()) {
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(ScriptedNode.class.getName()))
                        .ifPresent(process -> {
                            process.destroyForcibly();
                            process.onExit().join();
                        });
            }
        }
    }

    /** All nodes run, on this port of each host. */
    private int started(String engine) throws Exception {
        int port = freePort();
        scripts(engine, port);
        startAll(port);
        return port;
    }

    /** A workload and this drill, whose {@code %1$s} is the directory of the user's commands. */
    private World world(String drill) throws IOException {
        return new World(root).with().file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=50
                operationcount=50
                fieldcount=2
                readproportion=0.5
                updateproportion=0.5
                requestdistribution=uniform
                """).file("d.yaml", drill.formatted(root) + """
                steady: {after: 1s, window: 3s, within: 2m}
                slo: {p99: 2s, p50: 200ms}  # of commands and connections; how fast a busy machine answers is not asked
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"harperdb", "cratedb"})
    void aNodeThatTheUsersCommandsEndAndStartHasItsPhasesAndItsClientsBack(String engine) throws Exception {
        int port = started(engine);
        World world = world("""
                name: commands
                limits: {service_restored: any}  # looked at are phases, commands and connections
                cooldown: 2s
                recovery_timeout: 2m
                steps:
                  - step: kill
                    fault: run
                    node: n2
                    at: 0s
                    command: [sh, '%1$s/kill', '{node}', '{host}']
                    heal: [sh, '%1$s/start', '{node}']
                    duration: 2s
                """);

        int exitCode = world.execute(arguments(engine, port));

        assertThat(exitCode).as(world.err() + world.out()).isZero();
        Path run = world.directory().resolve("r");
        assertThat(json(run, "run.json").path("state").asText()).isEqualTo("complete");
        Markers.assertEveryFaultWasEffective(run);
        assertThat(phases(run)).containsExactly("fault", "failure-handling", "down", "local-recovery", "synchronise");
        assertThat(Files.readAllLines(root.resolve("commands")))
                .containsExactly("start n1", "start n2", "start n3", "kill n2 at 127.0.0.2", "start n2");
        JsonNode connections = json(run, "summary.json").path("connections");
        assertThat(connections.path("silentThreads").asInt()).isZero();
        for (JsonNode server : connections.path("servers")) {
            long lost = server.path("server").asText().contains("127.0.0.2") ? 1 : 0;
            assertThat(server.path("lost").asLong()).as("%s", connections).isEqualTo(lost);
            assertThat(server.path("regained").asLong()).as("%s", connections).isEqualTo(lost);
        }
        long bad = 0;
        for (JsonNode operation : json(run, "summary.json").path("operations")) {
            bad += operation.path("failed").asLong() + operation.path("unknown").asLong();
        }
        assertThat(bad)
                .as("what was under way on one connection, and attempts to connect again")
                .isBetween(1L, 30L);
    }

    /** Without a duration the node stays down until the drill heals it, and nobody but the user can start it. */
    @ParameterizedTest
    @ValueSource(strings = {"harperdb", "cratedb"})
    void aNodeThatTheDrillLeavesDownIsHealedByTheUsersCommandAndAwaited(String engine) throws Exception {
        int port = started(engine);
        World world = world("""
                name: left-down
                limits: {service_restored: any}  # looked at are phases, commands and connections
                cooldown: 3s
                recovery_timeout: 1m
                steps:
                  - step: kill
                    fault: run
                    node: n2
                    at: 0s
                    command: [sh, '%1$s/kill', '{node}', '--password=hunter2']
                    heal: [sh, '%1$s/start', '{node}']
                    verify: [test, -f, '%1$s/{node}.killed']
                    healed: [test, -f, '%1$s/{node}.pid']
                """);

        int exitCode = world.execute(arguments(engine, port));

        assertThat(exitCode).as(world.err()).isZero();
        Path run = world.directory().resolve("r");
        Markers.assertEveryFaultWasEffective(run);
        assertThat(world.err() + world.out()).doesNotContain("not healed", "hunter2");
        assertThat(Files.readString(run.resolve("run.json")))
                .contains("--password=***")
                .doesNotContain("hunter2");
        assertThat(Files.readString(run.resolve("markers.jsonl"))).doesNotContain("hunter2");
        assertThat(Files.readAllLines(root.resolve("commands"))).last().isEqualTo("start n2");
    }

    private static String[] arguments(String engine, int port) {
        String endpoints = NODES.stream()
                .map(node -> "http://" + ScriptedNode.host(node) + ":" + port)
                .collect(Collectors.joining(","));
        // A thread asks more often than a connection is looked at for its end (Link), so the end is met by a
        // request.
        String fixed = "drill rest -P w -D d.yaml -threads 3 -target 1500 --window 1s --out r -p rest.dialect=" + engine
                + " -p rest.endpoints=" + endpoints;
        // A node of HarperDB has a second port, for questions about the cluster; here it is the same.
        String more = engine.equals("harperdb") ? " -p rest.harperdb.operations.port=" + port : "";
        return (fixed + more).split(" ");
    }

    /** The phases of the node, as the report's table has them, in order. */
    private static List<String> phases(Path run) throws IOException {
        List<String> lines = Files.readAllLines(run.resolve("phases.csv"));
        List<String> header = List.of(lines.get(0).split(","));
        return lines.stream()
                .skip(1)
                .map(line -> line.split(",", -1)[header.indexOf("phase")])
                .toList();
    }

    private static JsonNode json(Path run, String file) throws IOException {
        return new ObjectMapper().readTree(run.resolve(file).toFile());
    }
}
