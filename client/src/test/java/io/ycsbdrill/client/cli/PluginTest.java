package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.fault.node.Engine;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine and a binding that are on the class path and in a services file, and named nowhere else. */
@Timeout(120)
class PluginTest {
    private static final String DRILL = """
            name: toy
            steady: off
            cooldown: 500ms
            recovery_timeout: 30s
            steps:
              - {step: restart, fault: restart, node: node2, mode: kill, down: 200ms, at: 500ms}
            limits: {max_recovery: 20s}
            """;

    @TempDir
    private Path root;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private URLClassLoader loader;
    private World world;

    @BeforeEach
    void install() throws IOException {
        Path services = Files.createDirectories(root.resolve("plugin/META-INF/services"));
        Files.writeString(services.resolve(Engine.class.getName()), ToyEngine.class.getName());
        Files.writeString(services.resolve(BindingPlugin.class.getName()), ToyBinding.class.getName());
        loader = new URLClassLoader(new URL[] {root.resolve("plugin").toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(loader);
        StoreDb.store("toy").clear();
        world = new World(root)
                .with()
                .file("d.yaml", DRILL)
                .file("w", "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=50\noperationcount=100\n");
    }

    @AfterEach
    void uninstall() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }

    @Test
    void aClusterIsStartedShownRunOnAndStopped() {
        assertThat(world.execute("cluster", "up", "toy", "--toy-size", "4")).isZero();
        assertThat(world.err()).contains("use it: ycsb run toystore -P workloads/workloadb");

        assertThat(world.execute("cluster", "status", "toy")).isZero();
        assertThat(world.out()).contains("toy 1, up since", "node3");

        assertThat(world.execute("run", "toystore", "-P", "w", "--out", "r")).isZero();
        assertThat(world.err()).contains("toystore: toy cluster in");
        assertThat(world.directory().resolve("r/run.json")).content().contains("\"name\" : \"toy\"");

        assertThat(world.execute("drill", "toystore", "-P", "w", "-D", "d.yaml", "-target", "200", "--out", "d"))
                .isZero();
        assertThat(world.directory().resolve("d/phases.csv")).content().contains("node2");

        assertThat(world.execute("cluster", "down", "toy")).isZero();
        assertThat(world.err()).contains("toy is down");
    }

    @Test
    void withoutAClusterOneIsStartedForTheCommand() {
        assertThat(world.execute("run", "toystore", "-P", "w", "--out", "r")).isZero();

        assertThat(world.err()).contains("toystore: no cluster is up, so a toy one is started for this command");
    }

    @Test
    void aClusterElsewhereIsNamedByTheEnginesOwnProperty() {
        assertThat(world.execute("cluster", "status", "-p", "toy.address=far")).isZero();
        assertThat(world.out()).contains(", at far", "node1");

        assertThat(world.execute("cluster", "status", "-p", "toy.adress=far")).isEqualTo(2);
        assertThat(world.err()).contains("-p toy.adress is not supported by this command", "toy.address");
    }

    @Test
    void theDoctorAsksThemBoth() {
        assertThat(world.execute("doctor", "-p", "toy.colour=red")).isEqualTo(1);

        assertThat(world.out())
                .contains("ok    toy: the box is complete", "bad   toystore: red is out of stock", ", toy");
    }

    @Test
    void helpAndMessagesNameThem() {
        assertThat(world.execute("run", "--help")).isZero();
        assertThat(world.execute("cluster", "up", "--help")).isZero();
        assertThat(world.execute("cluster", "status", "--help")).isZero();
        assertThat(world.out()).contains("basic, toystore", "toy: how large the toy is", "toy.address=HOST");

        assertThat(world.execute("run", "toystor", "-P", "w")).isEqualTo(2);
        assertThat(world.err()).contains("did you mean \"toystore\"?");
    }
}
