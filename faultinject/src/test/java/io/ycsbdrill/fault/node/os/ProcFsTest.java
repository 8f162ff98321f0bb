package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.NodeUse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("process")
@EnabledOnOs(OS.LINUX)
class ProcFsTest {
    /** Larger than any process id of Linux. */
    private static final long NOBODY = 4_194_999;

    @Test
    void aProcessIsTherePausedAndGone() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(ProcFs.arguments(sleeper.pid())).isEqualTo(List.of("sleep", "60"));
            assertThat(ProcFs.arguments(sleeper.pid()).contains("60")).isTrue();
            assertThat(ProcFs.arguments(sleeper.pid()).contains("6"))
                    .as("whole arguments only")
                    .isFalse();
            assertThat(ProcFs.stat(sleeper.pid()).orElseThrow().stopped()).isFalse();
            assertThat(ProcFs.stat(sleeper.pid()).orElseThrow().startTicks()).isPositive();

            new ProcessBuilder("kill", "-STOP", Long.toString(sleeper.pid()))
                    .start()
                    .waitFor();

            // The signal is on its way when kill ends, and the process stops when the kernel next looks at it.
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!ProcFs.stat(sleeper.pid()).orElseThrow().stopped()) {
                assertThat(System.nanoTime()).as("time to stop").isLessThan(deadline);
                Thread.sleep(2);
            }
            assertThat(ProcFs.arguments(sleeper.pid()).contains("60"))
                    .as("stopped, but there")
                    .isTrue();
        } finally {
            sleeper.destroyForcibly().waitFor();
        }
        assertThat(ProcFs.arguments(sleeper.pid()).contains("60")).isFalse();
    }

    @Test
    void aProcessHasUsedWhatTheKernelSaysUntilItEnds() throws Exception {
        Process busy = new ProcessBuilder(
                        "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo; read line")
                .start();
        try {
            busy.getInputStream().read(); // the loop is over
            NodeUse use = ProcFs.use(busy.pid()).orElseThrow();
            double kernel =
                    busy.toHandle().info().totalCpuDuration().orElseThrow().toNanos() / 1e9;

            assertThat(use.cpuSeconds()).isPositive().isLessThanOrEqualTo(kernel);
            assertThat(use.memoryBytes()).isBetween(100_000L, 100_000_000L);
            assertThat(use.process()).startsWith(busy.pid() + "-");
        } finally {
            busy.destroyForcibly().waitFor();
        }
        assertThat(ProcFs.use(busy.pid())).isEmpty();
    }

    @Test
    void aTreeHasUsedAlsoWhatItsEndedAndLivingChildrenHave() throws Exception {
        String loop = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo";
        Process parent =
                new ProcessBuilder("sh", "-c", "sh -c '" + loop + "'; sh -c '" + loop + "; read line'; true").start();
        try {
            parent.getInputStream().read(); // the first child's loop is over
            parent.getInputStream().read(); // and the second one's, which lives
            long child = parent.descendants().findFirst().orElseThrow().pid();
            double living = ProcFs.use(child).orElseThrow().cpuSeconds();
            NodeUse tree = ProcFs.useOfTree(parent.pid()).orElseThrow();
            NodeUse alone = ProcFs.use(parent.pid()).orElseThrow();

            assertThat(tree.process()).isEqualTo(alone.process());
            assertThat(tree.cpuSeconds())
                    .as("and those of the child that has ended")
                    .isGreaterThan(alone.cpuSeconds() + living);
            assertThat(tree.memoryBytes())
                    .isGreaterThan(alone.memoryBytes())
                    .isLessThan(alone.memoryBytes()
                            + ProcFs.use(child).orElseThrow().memoryBytes());
        } finally {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly().waitFor();
        }
        assertThat(ProcFs.useOfTree(parent.pid())).isEmpty();
    }

    @Test
    void nobodyIsAbsent() {
        assertThat(ProcFs.available()).isTrue();
        assertThat(ProcFs.stat(NOBODY)).isEmpty();
        assertThat(ProcFs.arguments(NOBODY)).isEmpty();
        assertThat(ProcFs.arguments(NOBODY).contains("")).isFalse();
    }
}
