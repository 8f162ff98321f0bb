package io.ycsbdrill.testing.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.ycsbdrill.testing.DrillCluster;
import io.ycsbdrill.testing.Drills;
import io.ycsbdrill.testing.Leftovers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes that a user might write. Surefire does not run them by themselves, as they are nested and static. */
class ClusterExtensionTest {
    private static final List<DrillCluster> STARTED = new CopyOnWriteArrayList<>();

    @TempDir
    private static Path directory;

    @BeforeEach
    void forget() {
        STARTED.clear();
    }

    private static DrillCluster start() {
        DrillCluster cluster = Drills.cluster("extension" + STARTED.size())
                .directory(directory)
                .start();
        STARTED.add(cluster);
        return cluster;
    }

    private record Outcome(int passed, List<Throwable> failures, List<ReportEntry> entries) {}

    private static Outcome run(Class<?>... classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(c -> selectClass(c)).toList())
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .build();
        AtomicInteger passed = new AtomicInteger();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<ReportEntry> entries = new CopyOnWriteArrayList<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable().ifPresent(failures::add);
                if (test.isTest() && result.getThrowable().isEmpty()) {
                    passed.incrementAndGet();
                }
            }

            @Override
            public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
                entries.add(entry);
            }
        });
        return new Outcome(passed.get(), new ArrayList<>(failures), new ArrayList<>(entries));
    }

    private static boolean closed(DrillCluster cluster) {
        try {
            cluster.drill("probe").lasting(java.time.Duration.ofMillis(100)).run();
            return false;
        } catch (IllegalStateException e) {
            return e.getMessage().contains("closed");
        }
    }

    static class OnePerClass {
        @RegisterExtension
        static final ClusterExtension CLUSTER = ClusterExtension.starting(ClusterExtensionTest::start);

        static final Set<DrillCluster> SEEN = ConcurrentHashMap.newKeySet();

        @Test
        void first(DrillCluster cluster) {
            SEEN.add(cluster);
            assertThat(Drills.crash(cluster).run().reasons()).isEmpty();
        }

        @Test
        void second() {
            SEEN.add(CLUSTER.cluster());
        }

        @Nested
        class Inner {
            @Test
            void third(DrillCluster cluster) {
                SEEN.add(cluster);
            }
        }
    }

    @Test
    void staticExtensionHasOneClusterForTheClassAndItsNestedOnesAlsoInParallel() {
        OnePerClass.SEEN.clear();

        Outcome outcome = run(OnePerClass.class);

        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.passed()).isEqualTo(3);
        assertThat(STARTED).hasSize(1);
        assertThat(OnePerClass.SEEN).containsExactlyElementsOf(STARTED);
        assertThat(STARTED).allMatch(ClusterExtensionTest::closed);
    }

    static class OnePerTest {
        @RegisterExtension
        final ClusterExtension cluster = ClusterExtension.starting(ClusterExtensionTest::start);

        @Test
        void first() {
            assertThat(cluster.cluster().directory()).isNotNull();
        }

        @Test
        void second() {
            assertThat(cluster.cluster().directory()).isNotNull();
        }

        @Test
        void needsNone() {}
    }

    @Test
    void instanceExtensionHasAClusterForEachTestThatAsksForOne() {
        Outcome outcome = run(OnePerTest.class);

        assertThat(outcome.failures()).isEmpty();
        assertThat(STARTED).hasSize(2).allMatch(ClusterExtensionTest::closed);
    }

    static class Failing {
        @RegisterExtension
        static final ClusterExtension CLUSTER = ClusterExtension.starting(() -> {
            DrillCluster cluster = Drills.cluster("failing").start();
            STARTED.add(cluster);
            return cluster;
        });

        @Test
        void fails(DrillCluster cluster) {
            Drills.crash(cluster).run();
            throw new AssertionError("something else of the test");
        }
    }

    @Test
    void failedTestKeepsTheRunsAndSaysWhereAndTheClusterIsClosed() throws Exception {
        Outcome outcome = run(Failing.class);

        assertThat(outcome.failures()).extracting(Throwable::getMessage).containsExactly("something else of the test");
        DrillCluster cluster = STARTED.get(0);
        assertThat(outcome.entries())
                .extracting(entry -> entry.getKeyValuePairs().get("ycsb-drill"))
                .containsExactly(cluster.directory().toString());
        assertThat(closed(cluster)).isTrue();
        assertThat(cluster.directory().resolve("crash/run.json")).exists();
        Leftovers.remove(cluster.directory());
    }

    static class NotStarting {
        @RegisterExtension
        static final ClusterExtension CLUSTER = ClusterExtension.starting(() -> {
            STARTED.add(null);
            throw new IllegalArgumentException("no such machine");
        });

        @Test
        void first(DrillCluster cluster) {
            assertThat(cluster).isNotNull();
        }

        @Test
        void second() {
            assertThat(CLUSTER.cluster()).isNotNull();
        }
    }

    @Test
    void clusterThatDoesNotStartFailsEveryTestButIsTriedOnce() {
        Outcome outcome = run(NotStarting.class);

        assertThat(outcome.failures()).hasSize(2).allSatisfy(failure -> assertThat(failure)
                .hasStackTraceContaining("no such machine"));
        assertThat(STARTED).hasSize(1);
    }

    @EmbeddedCluster(dataNodes = 99)
    static class Annotated {
        @Test
        void first(DrillCluster cluster) {
            assertThat(cluster).isNotNull();
        }

        @Nested
        class Inner {
            @Test
            void second(DrillCluster cluster) {
                assertThat(cluster).isNotNull();
            }
        }
    }

    @Test
    void annotationIsReadForNestedClassesTooAndItsMistakesAreTold() {
        Outcome outcome = run(Annotated.class);

        assertThat(outcome.failures()).hasSize(2).allSatisfy(failure -> assertThat(failure)
                .hasStackTraceContaining("--data-nodes 99: expected a whole number from 1 to 9"));
    }
}
