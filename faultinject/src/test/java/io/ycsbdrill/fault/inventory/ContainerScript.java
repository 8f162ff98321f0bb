package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.host.Containers;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to real containers, and to which nothing is done; the server is a {@code sleep} in its data directory. */
@Tag("process")
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContainerScript {
    private static final String DATA = "/var/lib/drill";
    private static final String SERVER =
            "mkdir -p " + DATA + " && cd " + DATA + " && touch nodes row && exec sleep 3600";

    private final Containers.Kind kind;
    private Containers containers;

    ContainerScript(Containers.Kind kind) {
        this.kind = kind;
    }

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        containers = Containers.start(kind, directory.resolve("engine"));
    }

    @AfterAll
    void stop() throws IOException {
        if (containers != null) {
            containers.close();
        }
    }

    /** A container with a server; its data are on a volume of its name. */
    private void serve(String name, String... options) throws Exception {
        List<String> all = new ArrayList<>(containers.programs());
        all.addAll(List.of(options));
        if (!all.contains("--network")) {
            all.addAll(List.of("--network", "drill"));
        }
        containers.container(name, all, List.of("sh", "-c", SERVER));
        await(() -> containers.engine("exec", name, "cat", "/proc/1/comm").equals("sleep"));
    }

    private String state(String name) throws IOException {
        return containers.engine("inspect", "-f", "{{.State.Status}}", name);
    }

    private Inventory inventory(String name) {
        return inventory(name, "sleep", DATA);
    }

    private Inventory inventory(String name, String program, String data) {
        return Inventory.parse(
                "i.yaml", """
                engine: cratedb
                timeout: 20s
                data_nodes: [{id: a, host: %s, transport: %s, program: %s, data_directory: %s}]
                """.formatted(name, kind.program(), program, data), Engine.installed(), new Properties());
    }

    private void act(Inventory inventory, NodeAction action) throws IOException {
        for (HostCall call :
                inventory.calls(action, inventory.node("a").orElseThrow().info())) {
            ProgramOutput output = run(call);
            if (output.exit() != 0) {
                throw new IOException(output.text());
            }
        }
    }

    /** As this tool does it, in the network of the machine and with the engine that is this test's. */
    private ProgramOutput run(HostCall call) throws IOException {
        List<String> line = containers.into();
        line.add("env");
        containers.environment().forEach((name, value) -> line.add(name + "=" + value));
        line.addAll(call.line());
        return ProgramOutput.of(line, call.input(), Duration.ofSeconds(60));
    }

    private ProgramOutput cut(String name) throws IOException {
        return run(NodeScript.onNode(
                inventory(name).node("a").orElseThrow().host(),
                "cut",
                "ycsb_drill_a",
                "10.98.0.209",
                "10.98.0.209",
                "yes",
                "no"));
    }

    private ProgramOutput mend(String name) throws IOException {
        return run(new HostedLinks(inventory(name)).mending("a"));
    }

    private boolean isPaused(Inventory inventory) {
        try {
            act(inventory, NodeAction.PAUSED);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private int alive(String name) throws IOException {
        return run(inventory(name).node("a").orElseThrow().alive().orElseThrow())
                .exit();
    }

    /** As in small images; that nobody is seen to use the directory would be said of another server. */
    @Test
    void imageWithoutAwkIsSaidToBeOne() throws Exception {
        assumeTrue(Files.isSymbolicLink(Path.of("/usr/bin/awk")), "skipped: awk is no alternative here");
        containers.container("plain", List.of("-v", "/usr:/usr:ro", "--network", "none"), List.of("sh", "-c", SERVER));

        assertThatThrownBy(() -> act(inventory("plain"), NodeAction.KILL)).hasMessageContaining("no program awk here");

        assertThat(state("plain")).isEqualTo("running");
    }

    @Test
    void itIsPausedResumedKilledStartedAndStopped() throws Exception {
        serve("whole", "-v", "whole:" + DATA);
        Inventory inventory = inventory("whole");

        act(inventory, NodeAction.PAUSE);
        act(inventory, NodeAction.PAUSE); // does nothing
        assertThat(isPaused(inventory)).isTrue();
        assertThat(alive("whole")).isZero();
        act(inventory, NodeAction.RESUME);
        assertThat(alive("whole")).isZero();
        act(inventory, NodeAction.RESUME); // does nothing
        assertThat(isPaused(inventory)).isFalse();
        act(inventory, NodeAction.PAUSE);
        act(inventory, NodeAction.KILL);
        act(inventory, NodeAction.KILL); // does nothing
        assertThat(alive("whole")).isEqualTo(HostedNode.NO_PROCESS);
        act(inventory, NodeAction.START);
        assertThat(state("whole")).isEqualTo("running");
        act(inventory, NodeAction.KILL);
    }

    @Test
    void oneInWhichNoServerOfTheNodeIsSeenIsLeftAlone() throws Exception {
        serve("other", "-v", "other:" + DATA);

        for (NodeAction action : List.of(NodeAction.KILL, NodeAction.STOP, NodeAction.PAUSE)) {
            assertThatThrownBy(() -> act(inventory("other", "crate", DATA), action))
                    .hasMessageContaining("container other is left alone: no process of crate runs in it");
            assertThatThrownBy(() -> act(inventory("other", "sleep", "/var/lib/mysql"), action))
                    .hasMessageContaining("does not use /var/lib/mysql, so it is left alone");
            assertThatThrownBy(() -> act(inventory("nobody"), action))
                    .hasMessageContaining("does not know container nobody");
        }
        assertThat(state("other")).isEqualTo("running");
        containers.engine("pause", "other");
        for (NodeAction action : List.of(NodeAction.KILL, NodeAction.STOP)) {
            assertThatThrownBy(() -> act(inventory("other", "crate", DATA), action))
                    .hasMessageContaining("container other is left alone: no process of crate runs in it");
            assertThat(state("other")).isEqualTo("paused");
        }
        containers.engine("unpause", "other");
        assertThat(Files.readString(Path.of("/proc", process("other"), "stat"))).doesNotContain(") T ");
    }

    /** What clients have sent it meanwhile would be done before it ends. */
    @Test
    void onePausedIsKilledBeforeItDoesAnythingMore(@TempDir Path copied) throws Exception {
        containers.container(
                "busy",
                containers.programs(),
                List.of(
                        "sh",
                        "-c",
                        "mkdir -p " + DATA + "; cd " + DATA + "; sleep 3600 & while :; do echo >>/rows; done"));
        await(() -> containers
                .engine("exec", "busy", "sh", "-c", "cat /proc/*/comm")
                .contains("sleep"));
        act(inventory("busy"), NodeAction.PAUSE);
        long before = Files.size(Path.of("/proc", process("busy"), "root/rows"));

        act(inventory("busy"), NodeAction.KILL);

        containers.engine("cp", "busy:/rows", copied.resolve("rows").toString());
        assertThat(Files.size(copied.resolve("rows"))).isPositive().isBetween(before, before + 1);
    }

    @Test
    void itsOwnPolicyStartsItWhenItEndsByItselfAndNotWhenItWasKilled() throws Exception {
        serve("policy", "--restart", "always", "-v", "policy:" + DATA);
        String first = process("policy");

        ProcessHandle.of(Long.parseLong(first)).orElseThrow().destroyForcibly();
        await(() -> state("policy").equals("running") && !process("policy").equals(first));
        await(() -> alive("policy") == 0);
        act(inventory("policy"), NodeAction.KILL);

        assertThat(alive("policy")).isEqualTo(HostedNode.NO_PROCESS);
        act(inventory("policy"), NodeAction.START);
        assertThat(state("policy")).isEqualTo("running");
    }

    /** As a data node of NDB whose cluster has ejected it while it was paused. */
    @Test
    void oneThatIsAboutToEndIsStartedWhenItHasEnded() throws Exception {
        serve("ejected", "-v", "ejected:" + DATA);
        Inventory inventory = inventory("ejected");
        HostCall start = inventory
                .calls(NodeAction.START, inventory.node("a").orElseThrow().info())
                .get(0);
        act(inventory, NodeAction.PAUSE);
        assertThat(run(start).text()).contains("container ejected is paused");
        act(inventory, NodeAction.RESUME);
        String first = process("ejected");

        FutureTask<ProgramOutput> started = new FutureTask<>(() -> run(start));
        new Thread(started, "start").start();
        Thread.sleep(1000);
        ProcessHandle.of(Long.parseLong(first)).orElseThrow().destroyForcibly();

        assertThat(started.get().exit()).isZero();
        assertThat(state("ejected")).isEqualTo("running");
        assertThat(process("ejected")).isNotEqualTo(first);
    }

    @Test
    void volumeOfOneThatIsDownIsEmptied() throws Exception {
        serve("wiped", "-v", "wiped:" + DATA);
        containers.engine("exec", "wiped", "touch", DATA + "/old");

        assertThatThrownBy(() -> act(inventory("wiped"), NodeAction.INITIALISE))
                .hasMessageContaining("container wiped is running; its directory " + DATA + " stays as it is");
        act(inventory("wiped"), NodeAction.KILL);
        act(inventory("wiped"), NodeAction.INITIALISE);

        await(() -> containers.engine("exec", "wiped", "ls", DATA).contains("nodes"));
        assertThat(containers.engine("exec", "wiped", "ls", DATA)).doesNotContain("old");
        assertThat(containers.engine("ps", "-a")).doesNotContain("ycsb-drill-wipe");
    }

    @Test
    void whatIsNotTheNodesAloneIsNotEmptied() throws Exception {
        serve("bare");
        serve("shared", "-v", "shared:" + DATA);
        act(inventory("bare"), NodeAction.KILL);
        act(inventory("shared"), NodeAction.KILL);
        serve("sharing", "-v", "shared:/var/lib/drill");

        assertThatThrownBy(() -> act(inventory("bare"), NodeAction.INITIALISE)).hasMessageContaining("is on no volume");
        assertThatThrownBy(() -> act(inventory("shared"), NodeAction.INITIALISE))
                .hasMessageContaining("too; directory " + DATA + " of container shared stays as it is");
        containers.engine("exec", "sharing", "rm", "-r", DATA + "/nodes");
        act(inventory("sharing"), NodeAction.KILL);
        assertThatThrownBy(() -> act(inventory("shared"), NodeAction.INITIALISE))
                .hasMessageContaining("has no nodes, so it is not taken for a data directory");

        assertThat(state("shared")).isEqualTo("exited");
        containers.engine("start", "shared");
        assertThat(containers.engine("exec", "shared", "ls", DATA)).contains("row");
    }

    @Test
    void linksAreCutInItsOwnNetworkOnly() throws Exception {
        serve("linked", "-v", "linked:" + DATA);
        serve("hosts", "--network", "host");
        serve("joined", "--network", "container:linked");

        assertThat(cut("hosts").text()).contains("container hosts uses the network of its host");
        assertThat(cut("joined").text()).contains("container joined shares its network with process");
        assertThat(cut("linked").text()).contains("container linked shares its network with process");
        containers.engine("rm", "-f", "joined");
        assertThat(cut("linked")).isEqualTo(new ProgramOutput(0, ""));

        assertThat(containers.tables("linked")).contains("ycsb_drill_a");
        assertThat(containers.onMachine("nft", "list", "tables")).doesNotContain("ycsb_drill");
        act(inventory("linked"), NodeAction.PAUSE);
        assertThat(mend("linked")).isEqualTo(new ProgramOutput(0, ""));
        assertThat(containers.tables("linked")).doesNotContain("ycsb_drill");
        act(inventory("linked"), NodeAction.RESUME);
        assertThat(cut("linked").exit()).isZero();
        act(inventory("linked"), NodeAction.KILL);
        assertThat(cut("linked")).extracting(ProgramOutput::exit).isEqualTo(3);
        assertThat(mend("linked")).isEqualTo(new ProgramOutput(0, ""));
        act(inventory("linked"), NodeAction.START);
        assertThat(containers.tables("linked")).as("its network is another one").doesNotContain("ycsb_drill");
    }

    private String process(String name) throws IOException {
        return containers.engine("inspect", "-f", "{{.State.Pid}}", name);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(50);
        }
    }
}
