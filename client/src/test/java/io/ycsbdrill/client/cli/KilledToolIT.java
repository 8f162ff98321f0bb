package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL to a drill while its fault is in force: a heal leaves what was there before. The long form is {@code soak/kill9.sh}. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class KilledToolIT {
    @TempDir
    private Path folder;

    @Test
    void nothingIsLeftOfADrillThatWasKilled() throws Exception {
        Files.writeString(folder.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=100
                readproportion=1
                updateproportion=0
                """);
        ends(0, "cluster", "up", "embedded", "--data-nodes", "2", "--backups", "1", "--disk-faults");
        try {
            kill("pause", "pause, duration: 1h");
            kill("disk-stall", "disk-stall, duration: 1h");
            kill("restart", "restart, mode: kill, down: 2s");
        } finally {
            ends(0, "cluster", "down", "embedded");
        }
        assertThat(processes()).isEmpty();
        assertThat(files()).containsExactly("embedded/cluster.lock");
    }

    private void kill(String name, String fault) throws Exception {
        List<String> processes = processes();
        List<String> files = files();
        Files.writeString(
                folder.resolve(name + ".yaml"),
                "name: " + name + "\nload: 20/s\nsteady: off\nsteps:\n  - {step: f, node: node2, at: 0s, fault: "
                        + fault + "}\n");
        String[] drill = {"drill", "native", "--engine", "embedded", "-P", "w", "-D", name + ".yaml", "--out", name};
        try (Child tool = child(drill)) {
            // Written before the fault begins.
            tool.await(() -> Files.exists(folder.resolve("state/embedded/cluster/heal.json")));
            tool.signal("KILL");
            tool.exitCode();
        }
        assertThat(folder.resolve("state/embedded/cluster/heal.json")).exists();

        ends(0, "cluster", "heal", "embedded");

        assertThat(processes()).as(name).isEqualTo(processes).noneMatch(process -> process.startsWith("stopped"));
        assertThat(files()).as(name).isEqualTo(files);
        ends(0, "cluster", "status", "embedded");
    }

    private void ends(int exitCode, String... arguments) throws Exception {
        try (Child child = child(arguments)) {
            assertThat(child.exitCode()).as(child.err()).isEqualTo(exitCode);
        }
    }

    private Child child(String... arguments) throws IOException {
        Map<String, String> environment =
                Map.of("YCSB_DRILL_STATE", folder.resolve("state").toString());
        return new Child(folder, environment, Child.ycsb(arguments));
    }

    /** Names of everything that was started with the state directory of this test, and whether it is stopped. */
    private List<String> processes() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path process :
                    all.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
                try {
                    String environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
                    if (environment.contains("YCSB_DRILL_STATE=" + folder.resolve("state") + "\0")) {
                        boolean stopped =
                                Files.readString(process.resolve("status")).contains("State:\tT");
                        found.add((stopped ? "stopped " : "")
                                + Files.readString(process.resolve("comm")).strip());
                    }
                } catch (IOException e) {
                    continue; // it has ended meanwhile, or is another user's
                }
            }
        }
        return found.stream().sorted().toList();
    }

    /** In the state directory, but for the nodes' data and logs. */
    private List<String> files() throws IOException {
        Path state = folder.resolve("state");
        try (Stream<Path> all = Files.walk(state)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> state.relativize(file).toString())
                    .filter(file -> !file.matches(".*/data/.*|.*\\.log.*|.*\\.lck|.*events\\.jsonl"))
                    .sorted()
                    .toList();
        }
    }
}
