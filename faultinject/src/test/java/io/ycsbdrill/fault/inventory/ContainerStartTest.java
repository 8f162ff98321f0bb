package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start makes of the states of a container; a script stands in for Podman, which says of one that is up that it was started. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ContainerStartTest {
    private static final String PODMAN = """
            #!/bin/sh
            case $1 in
                inspect) echo "0123 $(cat %1$s/state) bridge pid-private $(cat %1$s/name)" ;;
                start) echo "$2" >>%1$s/started ;;
                *) exit 125 ;;
            esac
            """;

    @TempDir
    Path folder;

    private final Inventory inventory = Inventory.parse(
            "i.yaml",
            "engine: galera\ndata_nodes: [{id: a, host: db1, transport: podman}]",
            Engine.installed(),
            new Properties());

    @BeforeEach
    void standIn() throws IOException {
        Path podman = Files.writeString(folder.resolve("podman"), PODMAN.formatted(folder));
        assertThat(podman.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("name"), "db1");
    }

    /** What the first command of an action says while the container is in that state. */
    private ProgramOutput act(NodeAction action, String state) throws IOException {
        state(state);
        HostCall call = inventory
                .calls(action, inventory.node("a").orElseThrow().info())
                .get(0);
        List<String> line = new ArrayList<>(List.of("env", "PATH=" + folder + ":" + System.getenv("PATH")));
        line.addAll(call.line());
        return ProgramOutput.of(line, call.input(), Duration.ofSeconds(60));
    }

    /** In one step, as it is read at any time. */
    private void state(String stateAndProcess) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), stateAndProcess);
        Files.move(next, folder.resolve("state"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Its server may be about to end, as a data node of NDB that its cluster has ejected; nobody started it then. */
    @ParameterizedTest
    @ValueSource(strings = {"running", "stopping", "restarting"})
    void oneThatIsAboutToEndIsStartedWhenItHasEnded(String up) throws Exception {
        CompletableFuture<ProgramOutput> start = CompletableFuture.supplyAsync(() -> start(up + " 4711"));

        Thread.sleep(500);
        assertThat(folder.resolve("started")).doesNotExist();
        state("exited 0");

        assertThat(start.get().exit()).isZero();
        assertThat(folder.resolve("started")).hasContent("0123");
    }

    /** By a policy of its own: the engine then says that it was started, and does nothing. */
    @Test
    void oneThatIsUpAgainIsNotAwaited() throws Exception {
        CompletableFuture<ProgramOutput> start = CompletableFuture.supplyAsync(() -> start("running 4711"));

        Thread.sleep(500);
        assertThat(folder.resolve("started")).doesNotExist();
        state("running 4712");

        assertThat(start.get().exit()).isZero();
    }

    private ProgramOutput start(String state) {
        try {
            return act(NodeAction.START, state);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exited 0", "created 0", "stopped 0"})
    void oneThatIsDownIsStarted(String state) throws IOException {
        assertThat(act(NodeAction.START, state).exit()).isZero();

        assertThat(folder.resolve("started")).hasContent("0123");
    }

    @Test
    void onePausedHasToBeResumed() throws IOException {
        assertThat(act(NodeAction.START, "paused 4711"))
                .isEqualTo(new ProgramOutput(1, "container db1 is paused; resume it first\n"));

        assertThat(folder.resolve("started")).doesNotExist();
    }

    /** The engine takes a name that no container has any more for the beginning of an id: a name such as cafe can be one. */
    @ParameterizedTest
    @EnumSource(
            value = NodeAction.class,
            names = {"KILL", "STOP", "START", "PAUSE", "RESUME", "INITIALISE"})
    void oneThatOnlyHasAnIdWhichBeginsSoIsLeftAlone(NodeAction action) throws IOException {
        Files.writeString(folder.resolve("name"), "/others");

        ProgramOutput output = act(action, action == NodeAction.START ? "exited 0" : "running 4711");

        assertThat(output.exit()).isEqualTo(HostCall.NO_CONNECTION);
        assertThat(output.text())
                .isEqualTo("there is no container db1; podman took that for the beginning of the id of others,"
                        + " which is left alone\n");
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void oneThatIsUpIsNotEmptied() throws IOException {
        ProgramOutput output = act(NodeAction.INITIALISE, "stopping 4711");

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains("container db1 is stopping; its directory /var/lib/mysql stays as it is");
    }
}
