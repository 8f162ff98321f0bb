package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class DrillClusterTest {
    @TempDir
    private Path directory;

    @Test
    void drillBuiltInCodeGivesFaultsPhasesWindowsAndFigures() {
        List<String> said = new ArrayList<>();
        try (DrillCluster cluster =
                Drills.cluster("code").directory(directory).log(said::add).start()) {
            DrillResult drill = Drills.crash(cluster).run();

            assertThat(drill.reasons()).isEmpty();
            assertThat(drill.phases()).extracting(Stage::phase).contains("local-recovery", "synchronise");
            assertThat(drill.metrics().faults()).hasSize(1);
            assertThat(drill.metric(Metric.REDUNDANCY_RESTORED)).isPresent();
            assertThat(drill.ok())
                    .isPositive()
                    .isEqualTo(drill.windows("READ").stream()
                                    .mapToLong(w -> w.ok())
                                    .sum()
                            + drill.windows("UPDATE").stream()
                                    .mapToLong(w -> w.ok())
                                    .sum());
            assertThat(drill.failed() + drill.unknown()).isZero();
            // It sets no limits, but is audited.
            assertThat(drill.verdict().outcome()).isEqualTo(Verdict.Outcome.PASS);
            assertThat(drill.directory()).isEqualTo(directory.resolve("crash"));
            assertThat(drill.directory().resolve("load/summary.json")).exists();
        }
        assertThat(said).anyMatch(line -> line.startsWith("loading 100 records"));
        assertThat(said).anyMatch(line -> line.contains("local-recovery"));
        assertThat(MemoryDb.store("code")).hasSize(100);
    }

    @Test
    void drillFromAFileHasItsStepsAndLimits() throws Exception {
        Path file = Files.writeString(directory.resolve("d.yaml"), """
                name: from-file
                load: max
                steady: off
                cooldown: 300ms
                steps:
                  - step: kill
                    fault: kill
                    node: node2
                    at: 0s
                limits:
                  max_failed: 0
                """);
        try (DrillCluster cluster = Drills.cluster("file").start()) {
            DrillResult drill = cluster.drill(file).records(50).run();

            assertThat(drill.name()).isEqualTo("from-file");
            assertThat(drill.verdict().outcome()).isEqualTo(Verdict.Outcome.PASS);
            assertThat(drill.metrics().faults()).extracting(f -> f.title()).containsExactly("kill node2");
            Drill again = cluster.drill(file);
            assertThatThrownBy(() -> again.step("more", new KillNode())).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void drillFileWithMistakesIsRefusedWithAllOfThem() throws Exception {
        Path file = Files.writeString(directory.resolve("d.yaml"), "name: x\nstep: []\ncooldown: 3\n");
        try (DrillCluster cluster = Drills.cluster("wrong").start()) {
            assertThatThrownBy(() -> cluster.drill(file))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("step")
                    .hasMessageContaining("cooldown");
        }
    }

    @Test
    void runWithoutFaultsLastsAsLongAsItIsTold() {
        try (DrillCluster cluster = DrillCluster.servers()
                .binding(MemoryDb.class)
                .property("store", "plain")
                .start()) {
            DrillResult run = cluster.drill("plain")
                    .lasting(Duration.ofMillis(300))
                    .records(20)
                    .mix(1, 0)
                    .run();

            assertThat(run.valid()).as(run.toString()).isTrue();
            assertThat(run.windows("READ")).isNotEmpty();
            assertThat(run.metrics().faults()).isEmpty();
        }
    }

    @Test
    void whatTheClusterCannotDoIsRefusedBeforeAnythingIsWritten() {
        FakeNodeController nodes = new FakeNodeController(NanoClock.SYSTEM, 3).without(Killable.class);
        try (DrillCluster cluster = DrillCluster.given(nodes)
                .binding(MemoryDb.class)
                .property("store", "refused")
                .directory(directory)
                .start()) {
            assertThatThrownBy(() -> Drills.crash(cluster).run())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("crash")
                    .hasMessageContaining("kill");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDrillThatIsRefusedLeavesTheLoadToTheNextOne() {
        try (DrillCluster cluster = Drills.cluster("after-refusal").start()) {
            Drill wrong = Drills.crash(cluster).property("recordcount", "many");
            assertThatThrownBy(wrong::run).isInstanceOf(ConfigException.class);

            DrillResult drill = Drills.crash(cluster).run();

            assertThat(MemoryDb.store("after-refusal")).hasSize(100);
            assertThat(drill.failed()).isZero();
        }
    }

    /** CoreWorkload itself would end the JVM. */
    @Test
    void wrongWorkloadIsRefusedAndDoesNotEndTheJvm() {
        try (DrillCluster cluster = Drills.cluster("jvm").directory(directory).start()) {
            Drill wrong = Drills.crash(cluster)
                    .property("dataintegrity", "true")
                    .property("fieldlengthdistribution", "uniform")
                    .property("recordcount", "many");

            assertThatThrownBy(wrong::run)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("dataintegrity")
                    .hasMessageContaining("recordcount");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void faultThatCannotBeInjectedMakesAnInvalidResultWhoseDirectoryStays() throws Exception {
        FakeNodeController nodes = new FakeNodeController(NanoClock.SYSTEM, 1).failing("kill node1", "still alive");
        DrillResult drill;
        try (DrillCluster cluster = DrillCluster.given(nodes)
                .binding(MemoryDb.class)
                .property("store", "invalid")
                .start()) {
            drill = Drills.crash(cluster).run();
        }

        assertThat(drill.valid()).isFalse();
        assertThat(String.join(" ", drill.reasons())).contains("still alive");
        assertThat(drill.directory().resolve("run.json")).exists();
        Leftovers.remove(drill.directory().getParent());
    }

    @Test
    void temporaryDirectoryGoesWithTheClusterUnlessAResultIsKept() throws IOException {
        Path gone;
        try (DrillCluster cluster = Drills.cluster("temporary").start()) {
            Drills.crash(cluster).run();
            gone = cluster.directory();
        }
        assertThat(gone).doesNotExist();

        DrillResult kept;
        try (DrillCluster cluster = Drills.cluster("kept").start()) {
            Drills.crash(cluster).run();
            kept = Drills.crash(cluster).run();
            assertThat(kept.report()).isNotEmptyFile();
        }
        try (Stream<Path> runs = Files.list(kept.directory().getParent())) {
            assertThat(runs).containsExactly(kept.directory());
        }
        Leftovers.remove(kept.directory().getParent());
    }

    /** The clients of both wait for each other, so that the runs do go on together; an audit's own connections would wait, too. */
    @Test
    void drillsOnTwoClustersGoOnAtTheSameTimeAndDoNotMix() throws Exception {
        MemoryDb.meeting("both", 4);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (DrillCluster first = Drills.cluster("first")
                        .property("meets", "both")
                        .directory(directory)
                        .start();
                DrillCluster second = Drills.cluster("second")
                        .property("meets", "both")
                        .directory(directory)
                        .start()) {
            Future<DrillResult> reads = threads.submit(
                    () -> Drills.crash(first).mix(1, 0).audit(false).run());
            Future<DrillResult> updates = threads.submit(
                    () -> Drills.crash(second).mix(0, 1).audit(false).run());

            for (DrillResult drill : List.of(reads.get(), updates.get())) {
                assertThat(drill.reasons()).isEmpty();
                assertThat(drill.metrics().faults()).hasSize(1);
                assertThat(drill.failed()).isZero();
            }
            assertThat(reads.get().windows("UPDATE")).isEmpty();
            assertThat(updates.get().windows("READ")).isEmpty();
            assertThat(reads.get().directory()).isNotEqualTo(updates.get().directory());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void drillsOnOneClusterTakeTurns() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (DrillCluster cluster = Drills.cluster("turns").start()) {
            Future<DrillResult> one = threads.submit(() -> Drills.crash(cluster).run());
            Future<DrillResult> other =
                    threads.submit(() -> Drills.crash(cluster).run());

            // With both at once one would find the other's node down, and heal it.
            assertThat(one.get().reasons()).isEmpty();
            assertThat(other.get().reasons()).isEmpty();
            assertThat(one.get().directory()).isNotEqualTo(other.get().directory());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void interruptedThreadIsRefusedADrillAndStaysInterrupted() throws Exception {
        try (DrillCluster cluster =
                Drills.cluster("interrupt").directory(directory).start()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Drills.crash(cluster).run()).isInstanceOf(IllegalStateException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void closedClusterSaysSo() {
        DrillCluster cluster = Drills.cluster("closed").start();
        cluster.close();
        cluster.close();

        assertThatThrownBy(() -> Drills.crash(cluster).run()).hasMessageContaining("closed");
    }

    @Test
    void unknownEngineAndMissingBindingAreNamed() {
        assertThatThrownBy(() -> DrillCluster.local("embeded")).hasMessageContaining("embeded");
        assertThatThrownBy(() -> DrillCluster.servers().start()).hasMessageContaining("binding");
    }
}
