package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of scripts that become another program, {@code sleep}. */
class DeclaredClusterTest {
    @TempDir
    private Path folder;

    private ClusterDirectory clusters;
    private Path pid;

    @BeforeEach
    void scripts() throws IOException {
        clusters = new ClusterDirectory(folder.resolve("state"));
        pid = folder.resolve("pid");
        script("server", "echo $$ >" + pid + "\nexec sleep 600\n");
        script("probe", "grep -q sleep /proc/$(cat " + pid + ")/comm && echo PONG\n");
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private DeclaredEngine engine(String programs) throws IOException {
        return DeclaredEngine.read(
                Files.writeString(folder.resolve("mine.yaml"), """
                        engine: mine
                        programs: [%s]
                        nodes:
                          count: 1
                          ports: [p]
                          command: [env, %s/server]
                          probe: {command: [env, %s/probe], recovered: PONG}
                        bindings: {rest: {a: b}}
                        """.formatted(programs, folder, folder)), List.of());
    }

    private LocalCluster up(String programs, List<String> said) throws IOException {
        return engine(programs).up(clusters.directory("mine"), Map.of(), Lifetime.OWNED, said::add);
    }

    private boolean runs() throws IOException {
        // A handle is also there for one that has ended and was not collected yet.
        return new OsProcess(Long.parseLong(Files.readString(pid).strip())).alive();
    }

    @Test
    void aServerThatBecomesAProgramOfTheFileIsKilledAndTakenDown() throws IOException {
        List<String> said = new ArrayList<>();
        LocalCluster cluster = up("env, sleep", said);
        assertThat(said).anyMatch(line -> line.contains("every account of this machine can reach the servers"));
        assertThat(runs()).isTrue();

        cluster.capability(Killable.class).orElseThrow().kill("node1");

        assertThat(runs()).isFalse();
        cluster.down();
        assertThat(clusters.directory("mine")).doesNotExist();
    }

    @Test
    void aServerThatBecomesAnotherProgramIsEndedAndRefused() {
        assertThatThrownBy(() -> up("env", new ArrayList<>()))
                .hasMessageContaining("the process of node1 (sleep 600) runs none of programs (env")
                .hasMessageContaining("add the one that the command becomes");

        assertThat(pid).satisfies(file -> assertThat(runs()).isFalse());
        assertThat(clusters.directory("mine")).doesNotExist();
    }

    @Test
    void aClusterIsTakenDownAlsoWhenItsCopyOfTheFileCannotBeRead() throws IOException {
        LocalCluster cluster = up("env, sleep", new ArrayList<>());
        ClusterDescriptor descriptor = cluster.descriptor();
        cluster.close();
        Files.writeString(new DeclaredFiles(descriptor.directory()).engine(), "engine: [");

        Engine engine = DeclaredEngine.recorded(clusters, List.of()).get(0);

        assertThat(engine.name()).isEqualTo("mine");
        assertThatThrownBy(() -> ((LocalEngine) engine).attach(descriptor))
                .hasMessageContaining("the copy of the file by which the cluster of engine mine was made")
                .hasMessageContaining("ycsb cluster down mine");
        assertThatThrownBy(() -> engine("env, sleep").attach(descriptor))
                .as("the user's file is not what the cluster was made by")
                .hasMessageContaining("the copy of the file");
        ((LocalEngine) engine).removeLeftovers(descriptor.directory());
        assertThat(runs()).isFalse();
        assertThat(descriptor.directory()).doesNotExist();
    }
}
