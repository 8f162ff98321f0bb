package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import io.ycsbdrill.fault.node.trouble.Deceivable.Clock;
import io.ycsbdrill.fault.node.trouble.Deceivable.Clock.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The library in processes of their own, shells that write what time it is again and again. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ClockShimTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final long HOUR = 3600;

    @TempDir
    private Path cluster;

    private final Map<String, Process> started = new HashMap<>();
    private Deceivable clocks;
    /** The shell itself, and no program that it starts. */
    private String asking = "printf '%(%s)T\\n' -1";

    @BeforeEach
    void start() throws IOException {
        assumeTrue(CompilerTool.program().isPresent(), "no C compiler");
        assumeTrue(Launcher.program("bash").isPresent(), "no bash");
        assertThat(ClockShim.FEATURE.attach(nodes())).isEmpty();
        ClockShim.FEATURE.make(new Ground(cluster, List.of(), Lifetime.OWNED, false));
        launch("node1", true);
        launch("node2", true);
        clocks = attached();
        await("node1", ahead -> true);
        await("node2", ahead -> true);
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : started.values()) {
            process.destroyForcibly().waitFor();
        }
    }

    /** As another process of the tool would, at any later time. */
    private Deceivable attached() {
        return (Deceivable) ClockShim.FEATURE.attach(nodes()).orElseThrow();
    }

    private void launch(String node, boolean loading) throws IOException {
        Files.createDirectories(cluster.resolve(node));
        started.put(
                node,
                Launcher.start(
                        List.of("bash", "-c", "while :; do " + asking + " >" + said(node) + "; sleep 0.02; done"),
                        cluster,
                        cluster.resolve(node + ".out"),
                        cluster.resolve(node + ".pid"),
                        List.of("bash"),
                        environment -> {
                            if (loading) {
                                ClockShim.FEATURE.environment(cluster, node, cluster.resolve(node), environment);
                            }
                        }));
    }

    private SandboxedNodes nodes() {
        return new SandboxedNodes() {
            @Override
            public Path directory() {
                return cluster;
            }

            @Override
            public Path data(String node) {
                return cluster.resolve(node);
            }

            @Override
            public Optional<OsProcess> process(String node) {
                return Optional.ofNullable(started.get(node)).map(process -> OsProcess.started(process, "bash"));
            }

            @Override
            public void exclusively(String node, Runnable operation) {
                operation.run();
            }

            @Override
            public void kill(String node) {
                started.get(node).destroyForcibly();
            }
        };
    }

    private static Clock clock(Kind kind, Duration ahead) {
        return new Clock(kind, ahead, kind == Kind.STROBE ? Duration.ofMillis(300) : Duration.ZERO);
    }

    @Test
    void theClockOfOneNodeJumpsAndNobodyElses() {
        Clock jump = clock(Kind.JUMP, Duration.ofHours(1));
        assertThat(clocks.look("node1", jump).effect()).isFalse();

        clocks.deceive("node1", jump);

        await("node1", ahead -> Math.abs(ahead - HOUR) <= 2);
        assertThat(clocks.look("node1", jump).effect()).isTrue();
        assertThat(clocks.look("node1", jump).text()).contains("node1 was told ", "its clock is 3600000 ms ahead");
        await("node2", ahead -> Math.abs(ahead) <= 2);
        assertThat(clocks.look("node2", jump).effect()).isFalse();
    }

    @Test
    void whoeverComesLaterMakesItRightAgain() {
        clocks.deceive("node1", clock(Kind.JUMP, Duration.ofHours(-1)));
        await("node1", ahead -> Math.abs(ahead + HOUR) <= 2);

        attached().correctAll();

        await("node1", ahead -> Math.abs(ahead) <= 2);
        clocks.correct("node7"); // never started
    }

    @Test
    void aClockThatRunsFastIsMoreAndMoreAhead() {
        clocks.deceive("node1", clock(Kind.SKEW, Duration.ofSeconds(100)));

        await("node1", ahead -> ahead > 30);
        await("node1", ahead -> ahead > 60);
    }

    @Test
    void aClockThatStrobesIsWrongAndRightByTurns() {
        clocks.deceive("node1", clock(Kind.STROBE, Duration.ofHours(1)));

        for (int turn = 0; turn < 2; turn++) {
            await("node1", ahead -> Math.abs(ahead - HOUR) <= 2);
            await("node1", ahead -> Math.abs(ahead) <= 2);
        }
    }

    /** A process that is started while its node's clock is wrong is told the same, as on a host. */
    @Test
    void aRestartedNodeIsToldTheSame() throws Exception {
        clocks.deceive("node1", clock(Kind.JUMP, Duration.ofHours(1)));
        started.get("node1").destroyForcibly().waitFor();
        Files.delete(said("node1"));

        launch("node1", true);

        await("node1", ahead -> Math.abs(ahead - HOUR) <= 2);
    }

    /** So are programs that are linked statically. */
    @Test
    void aProcessThatHasNotLoadedItIsRefused() throws Exception {
        started.get("node1").destroyForcibly().waitFor();
        launch("node1", false);
        await("node1", ahead -> true);

        assertThat(clocks.deaf()).hasValueSatisfying(why -> assertThat(why)
                .startsWith("node node1 (pid ")
                .contains("has not loaded ", "linked statically"));
        assertThatThrownBy(() -> clocks.deceive("node1", clock(Kind.JUMP, Duration.ofHours(1))))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("has not loaded ");
    }

    /** What a program of the node's is told proves nothing of its server. */
    @Test
    void helpersDoNotCount() throws Exception {
        Clock jump = clock(Kind.JUMP, Duration.ofHours(1));
        started.get("node1").destroyForcibly().waitFor();
        Files.delete(said("node1"));
        asking = "date +%s";
        launch("node1", true);
        await("node1", ahead -> true); // the shell asks, too, when it starts

        clocks.deceive("node1", jump);

        await("node1", ahead -> Math.abs(ahead - HOUR) <= 2);
        assertThat(clocks.look("node1", jump).text()).contains("node1 has not asked for the time");
    }

    @Test
    void linesAreDatedWhenTheyAreReadWhileTheClockIsWrongAndALittleLonger() {
        Instant stamp = Instant.now().plusSeconds(HOUR);
        Instant read = Instant.now();
        assertThat(ClockShim.written(cluster, "node1", stamp, read)).isEqualTo(stamp);

        clocks.deceive("node1", clock(Kind.JUMP, Duration.ofHours(1)));
        assertThat(ClockShim.written(cluster, "node1", stamp, read)).isEqualTo(read);
        assertThat(ClockShim.written(cluster, "node2", stamp, read)).isEqualTo(stamp);

        attached().correctAll();
        Instant soon = Instant.now();
        assertThat(ClockShim.written(cluster, "node1", stamp, soon)).isEqualTo(soon);
        Instant late = soon.plusSeconds(5);
        assertThat(ClockShim.written(cluster, "node1", stamp, late)).isEqualTo(stamp);
        assertThat(ClockShim.written(cluster.resolve("other"), "node1", stamp, soon))
                .isEqualTo(stamp);
    }

    /** A deadline that never comes is none of the wrong clock. */
    @Test
    void whoWaitsForEverGoesOnWaiting() throws Exception {
        Path source = Files.writeString(cluster.resolve("wait.c"), """
                #define _GNU_SOURCE
                #include <errno.h>
                #include <limits.h>
                #include <pthread.h>
                #include <semaphore.h>
                #include <stdio.h>
                #include <sys/time.h>
                #include <time.h>
                static sem_t never;
                static void *forever(void *unused) {
                    struct timespec end = {LONG_MAX, 0};
                    sem_timedwait(&never, &end);
                    puts("woken");
                    fflush(stdout);
                    return unused;
                }
                int main(void) {
                    pthread_t thread;
                    struct timespec bad = {time(NULL), 2000000000};
                    struct timezone zone = {7, 7};
                    struct timeval now;
                    sem_init(&never, 0, 0);
                    pthread_create(&thread, NULL, forever, NULL);
                    printf("%s\\n", sem_timedwait(&never, &bad) != 0 && errno == EINVAL ? "refused" : "taken");
                    struct timespec soon = {time(NULL), 300000000};
                    soon.tv_sec += 1;
                    sem_timedwait(&never, &soon);
                    gettimeofday(&now, &zone);
                    printf("zone %d\\n", zone.tz_minuteswest);
                    return 0;
                }
                """);
        Path program = cluster.resolve("wait");
        ProgramOutput compiled = ProgramOutput.of(
                List.of(CompilerTool.program().orElseThrow(), "-pthread", "-o", program.toString(), source.toString()),
                BOUND);
        assertThat(compiled.exit()).as(compiled.text()).isZero();
        clocks.deceive("node1", clock(Kind.JUMP, Duration.ofHours(-1)));
        Map<String, String> environment = new HashMap<>();
        ClockShim.FEATURE.environment(cluster, "node1", cluster.resolve("node1"), environment);
        List<String> command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.add(program.toString());

        assertThat(ProgramOutput.of(command, BOUND).text().lines()).containsExactly("refused", "zone 0");
    }

    private Path said(String node) {
        return cluster.resolve(node).resolve("said");
    }

    private void await(String node, LongPredicate ahead) {
        NodeLocks.await(
                BOUND,
                () -> {
                    try {
                        String said = Files.exists(said(node))
                                ? Files.readString(said(node)).strip()
                                : "";
                        return !said.isEmpty()
                                && ahead.test(
                                        Long.parseLong(said) - Instant.now().getEpochSecond());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                () -> "not within " + BOUND.toSeconds() + " s: " + node);
    }
}
