package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a test sees of a cluster: its events, and what its servers answer. */
final class GaleraWitness {
    /** Every phase's signal, in the order of a recovery. */
    static final List<Signal> RECOVERY = List.of(
            Signal.NODE_DOWN,
            Signal.FAILURE_HANDLED,
            Signal.PROCESS_STARTED,
            Signal.SYNCHRONISE_STARTED,
            Signal.WAIT_CHECKPOINT_STARTED,
            Signal.RECOVERED);

    private final GaleraHome home;
    private final Path directory;
    private final List<EngineEvent> events = new CopyOnWriteArrayList<>();

    GaleraWitness(GaleraHome home, Path directory) {
        this.home = home;
        this.directory = directory;
    }

    void heard(EngineEvent event) {
        events.add(event);
    }

    void forget() {
        events.clear();
    }

    List<EngineEvent> events() {
        return List.copyOf(events);
    }

    void print(String victim) {
        events.stream()
                .filter(e -> e.node().equals(victim))
                .filter(e -> e.signal() != Signal.STEP)
                .forEach(e -> System.out.println(victim + " " + e.signal() + " " + e.wall() + " " + e.text()));
    }

    /** Those of {@link #RECOVERY}. */
    List<Signal> signals(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node) && RECOVERY.contains(e.signal()))
                .map(EngineEvent::signal)
                .toList();
    }

    List<String> texts(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node))
                .map(EngineEvent::text)
                .toList();
    }

    List<String> notes(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node) && e.signal() == Signal.NOTE)
                .map(EngineEvent::text)
                .toList();
    }

    boolean has(String node, Signal signal) {
        return events.stream().anyMatch(e -> e.node().equals(node) && e.signal() == signal);
    }

    /** What the node answers, without headings. */
    String sql(String node, String statement) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                home.program("mariadb").orElseThrow().toString(),
                "--no-defaults",
                "--user=root",
                "--socket=" + directory.resolve(node).resolve("s.sock"),
                "--skip-column-names",
                "--execute=" + statement);
        builder.environment().putAll(home.environment(builder.environment()));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }
}
