package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start makes of the states of a container; a script stands in for Podman, which says of one that is up that it was started. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ContainerStartTest {
    private static final String PODMAN = """
            #!/bin/sh
            case $1 in
                inspect) echo "0123 $(cat %1$s/state) 4711 bridge pid-private" ;;
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
    }

    /** What the first command of an action says while the container is in that state. */
    private ProgramOutput act(NodeAction action, String state) throws IOException {
        Files.writeString(folder.resolve("state"), state);
        HostCall call = inventory
                .calls(action, inventory.node("a").orElseThrow().info())
                .get(0);
        List<String> line = new ArrayList<>(List.of("env", "PATH=" + folder + ":" + System.getenv("PATH")));
        line.addAll(call.line());
        return ProgramOutput.of(line, call.input(), Duration.ofSeconds(60));
    }

    /** Its server may be about to end, as a data node of NDB that its cluster has ejected; nobody started it then. */
    @ParameterizedTest
    @ValueSource(strings = {"running", "stopping", "restarting"})
    void oneThatIsUpIsNotSaidToBeStarted(String state) throws IOException {
        assertThat(act(NodeAction.START, state))
                .isEqualTo(new ProgramOutput(
                        NodeCommands.TRY_AGAIN,
                        "container db1 is " + state + ", with process 4711; it can be started when that has ended\n"));

        assertThat(folder.resolve("started")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exited", "created", "stopped"})
    void oneThatIsDownIsStarted(String state) throws IOException {
        assertThat(act(NodeAction.START, state).exit()).isZero();

        assertThat(folder.resolve("started")).hasContent("0123");
    }

    @Test
    void onePausedHasToBeResumed() throws IOException {
        assertThat(act(NodeAction.START, "paused"))
                .isEqualTo(new ProgramOutput(1, "container db1 is paused; resume it first\n"));

        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void oneThatIsUpIsNotEmptiedYet() throws IOException {
        ProgramOutput output = act(NodeAction.INITIALISE, "stopping");

        assertThat(output.exit()).isEqualTo(NodeCommands.TRY_AGAIN);
        assertThat(output.text()).contains("container db1 is stopping; its directory /var/lib/mysql stays as it is");
    }
}
