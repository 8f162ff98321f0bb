package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Switchable;
import io.ycsbdrill.fault.node.TestedInstallations;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real cluster of three nodes, by the contract of all engines and by what only this one does. */
@Tag("engine")
@Timeout(300)
class PatroniClusterIT extends NodeControllerContract {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;
    private static final List<EngineEvent> events = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void up() throws IOException {
        TestedPatroni.home();
        folder.toFile().setExecutable(true, false); // as root, another user runs the servers
        cluster = new PatroniEngine()
                .up(
                        folder.resolve("c"),
                        TestedPatroni.quick(),
                        Lifetime.OWNED,
                        line -> System.out.println("up: " + line));
        cluster.listen(events::add);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(folder.resolve("c")).doesNotExist();
        }
    }

    @Override
    protected NodeController controller() {
        events.clear();
        return cluster;
    }

    /** There is nothing to wait for. */
    @Override
    protected boolean alwaysWaitsForCheckpoint() {
        return false;
    }

    @Test
    void whatANodeHasUsedIsOfPatroniAndOfPostgresql() {
        for (NodeInfo node : cluster.nodes()) {
            OsProcess server = PidFile.running(new PatroniFiles(folder.resolve("c")).server(node.id()))
                    .orElseThrow();

            double alone = ProcFs.useOfTree(server.pid()).orElseThrow().cpuSeconds();

            assertThat(alone).isPositive();
            assertThat(cluster.use().get(node.id()).cpuSeconds()).isGreaterThan(alone);
        }
    }

    /** Any account of this machine reaches the port. */
    @Test
    void patroniTakesNoSettingsFromStrangers() throws Exception {
        String rest = cluster.descriptor().engineState().get("rest").split(",")[0];
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + rest + "/config"))
                                .method("PATCH", BodyPublishers.ofString("{\"loop_wait\": 1}"))
                                .build(),
                        BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(401);
    }

    @Test
    void aKilledPrimaryIsReplacedAndItsPhasesHaveTheTimesOfTheServersLogs() {
        String primary = cluster.primary().orElseThrow();

        capability(Killable.class).kill(primary);
        await(() -> has(primary, Signal.FAILURE_HANDLED), "another primary");
        String next = cluster.primary().orElseThrow();
        assertThat(next).isNotEqualTo(primary);
        EngineEvent writable = events.stream()
                .filter(e -> e.node().equals(primary) && e.signal() == Signal.FAILURE_HANDLED)
                .findFirst()
                .orElseThrow();
        assertThat(LogTail.last(new PatroniFiles(folder.resolve("c")).log(next), 1, "is ready to accept connections")
                        .get(0))
                .contains(writable.wall().toString().substring(11, 19));
        capability(Startable.class).start(primary);
        capability(Startable.class).awaitStarted(primary, BOUND);

        assertThat(signals(primary))
                .containsSubsequence(
                        Signal.NODE_DOWN,
                        Signal.FAILURE_HANDLED,
                        Signal.PROCESS_STARTED,
                        Signal.SYNCHRONISE_STARTED,
                        Signal.RECOVERED);
        assertThat(cluster.primary()).contains(next);
    }

    @Test
    void thePasswordsAreForTheServersUserOnly() throws IOException {
        PatroniFiles files = new PatroniFiles(folder.resolve("c"));
        for (NodeInfo node : cluster.nodes()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.configuration(node.id()))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aSwitchoverMakesAReplicaPrimary() {
        String primary = cluster.primary().orElseThrow();

        capability(Switchable.class).switchOver(primary);

        await(() -> cluster.primary().filter(now -> !now.equals(primary)).isPresent(), "another primary");
        capability(Startable.class).awaitStarted(primary, BOUND);
        await(() -> has(primary, Signal.RECOVERED), "the former primary");
        assertThat(signals(primary)).containsSubsequence(Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.RECOVERED);
        assertThatThrownBy(() -> capability(Switchable.class).switchOver(primary))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(primary + " is not primary");
    }

    @Test
    void withoutEtcdThePrimaryGivesUpAndIsBackWithIt() {
        capability(Killable.class).kill(PatroniFiles.ETCD);
        await(() -> has(PatroniFiles.ETCD, Signal.FAILURE_HANDLED), "the primary to give up");
        assertThatThrownBy(() -> capability(Initialisable.class).startInitial(PatroniFiles.ETCD))
                .hasMessageContaining("make a new cluster");
        capability(Startable.class).start(PatroniFiles.ETCD);
        capability(Startable.class).awaitStarted(PatroniFiles.ETCD, BOUND);

        for (NodeInfo node : cluster.nodes()) {
            capability(Startable.class).awaitStarted(node.id(), BOUND);
        }
        assertThat(signals(PatroniFiles.ETCD))
                .containsSubsequence(
                        Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.PROCESS_STARTED, Signal.RECOVERED);
        assertThat(cluster.primary()).isPresent();
    }

    @Test
    @Tag("soak")
    void aPausedPrimaryIsReplacedAndEveryProcessOfItIsPaused() {
        String primary = cluster.primary().orElseThrow();
        OsProcess server = PidFile.running(new PatroniFiles(folder.resolve("c")).server(primary))
                .orElseThrow();

        capability(Pausable.class).pause(primary);
        assertThat(server.stopped()).isTrue();
        assertThat(server.children()).isNotEmpty().allMatch(OsProcess::stopped);
        await(() -> has(primary, Signal.FAILURE_HANDLED), "another primary");
        capability(Pausable.class).resume(primary);

        await(() -> has(primary, Signal.RECOVERED), "the paused primary");
        capability(Startable.class).awaitStarted(primary, BOUND);
    }

    /** Split brain: it takes writes as long as nobody tells it. */
    @Test
    void aPrimaryWhosePatroniIsKilledGoesOnBesideTheNextOneUntilItIsBack() {
        String primary = cluster.primary().orElseThrow();
        OsProcess server = server(primary);

        capability(Composed.class).kill(primary, "patroni");
        assertThat(cluster.status())
                .filteredOn(status -> status.id().equals(primary))
                .singleElement()
                .satisfies(status -> {
                    assertThat(status.state()).isEqualTo(State.DOWN);
                    assertThat(status.wholly(State.DOWN)).isFalse();
                    assertThat(status.detail()).contains("process " + server.pid() + ", goes on without it");
                });
        await(() -> has(primary, Signal.FAILURE_HANDLED), "another primary");
        assertThat(server.alive()).isTrue();
        capability(Startable.class).start(primary);
        await(() -> has(primary, Signal.RECOVERED), "the former primary");

        capability(Startable.class).awaitStarted(primary, BOUND);
        assertThat(signals(primary)).containsSubsequence(Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.RECOVERED);
        assertThat(cluster.primary()).isPresent().get().isNotEqualTo(primary);
    }

    /** It is primary again unless that takes longer than the leader's key lasts, as on a busy machine. */
    @Test
    void aKilledPostgresqlIsStartedByItsPatroni() {
        String primary = cluster.primary().orElseThrow();
        OsProcess server = server(primary);

        capability(Composed.class).kill(primary, "postgres");
        assertThat(capability(Composed.class).lookForEnd(primary, "postgres").effect())
                .isTrue();
        await(() -> has(primary, Signal.RECOVERED), "the primary");

        assertThat(server(primary)).isNotEqualTo(server);
        assertThat(signals(primary)).containsSubsequence(Signal.NODE_DOWN, Signal.PROCESS_STARTED, Signal.RECOVERED);
        capability(Startable.class).awaitStarted(primary, BOUND);
        assertThat(cluster.primary()).isPresent();
        assertThat(has(primary, Signal.FAILURE_HANDLED))
                .as("another node has taken over")
                .isEqualTo(!cluster.primary().get().equals(primary));
    }

    @Test
    @Tag("soak")
    void aFailoverMakesTheCandidatePrimary() {
        String primary = cluster.primary().orElseThrow();
        String candidate = cluster.nodes().stream()
                .map(NodeInfo::id)
                .filter(node -> !node.equals(primary))
                .reduce((one, other) -> other)
                .orElseThrow();

        capability(Switchable.class).failOver(candidate);

        await(() -> cluster.primary().filter(candidate::equals).isPresent(), "the candidate");
        await(() -> has(primary, Signal.RECOVERED), "the former primary");
        assertThatThrownBy(() -> capability(Switchable.class).failOver(candidate))
                .hasMessage(candidate + " is primary already");
    }

    @Test
    @Tag("soak")
    void nodesAreMovedOntoAnotherInstallationAndTheServiceWithThem() throws Exception {
        Path next = TestedInstallations.copy(TestedPatroni.home().root(), folder.resolve("next"));

        RealDrill drill = RealDrill.run(
                cluster,
                "- {operation: upgrade, home: %s, node: rolling, at: 0s, every: 0s, count: all}".formatted(next));

        assertThat(drill.effects()).hasSize(3).allSatisfy(effect -> assertThat(effect)
                .containsPattern("node[123] runs " + next + "/usr/lib/postgresql/\\d+/bin/postgres")
                .endsWith(", and Patroni of " + next));
        assertThat(cluster.primary()).isPresent();
    }

    private static OsProcess server(String node) {
        return PidFile.running(new PatroniFiles(folder.resolve("c")).server(node))
                .orElseThrow();
    }

    @Test
    void allNodesComeBackWithoutEachOther() {
        List<String> all = cluster.nodes().stream().map(NodeInfo::id).toList();

        all.forEach(node -> capability(Stoppable.class).stop(node, Stoppable.Mode.ABORT, BOUND));
        assertThat(cluster.status())
                .filteredOn(status -> all.contains(status.id()))
                .extracting(NodeStatus::state)
                .containsOnly(State.DOWN);
        assertThatThrownBy(() -> capability(Initialisable.class).startInitial(all.get(0)))
                .hasMessageContaining("Start the others first");
        all.forEach(node -> capability(Startable.class).start(node));
        all.forEach(node -> capability(Startable.class).awaitStarted(node, BOUND));

        assertThat(cluster.primary()).isPresent();
    }

    private static List<Signal> signals(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node))
                .map(EngineEvent::signal)
                .toList();
    }

    private static boolean has(String node, Signal signal) {
        return signals(node).contains(signal);
    }

    private static <C> C capability(Class<C> type) {
        return cluster.capability(type).orElseThrow();
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for %s", what).isLessThan(deadline);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
