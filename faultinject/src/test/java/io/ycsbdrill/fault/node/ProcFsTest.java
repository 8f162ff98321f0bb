package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
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
            assertThat(ProcFs.runs(sleeper.pid(), "60")).isTrue();
            assertThat(ProcFs.runs(sleeper.pid(), "6"))
                    .as("whole arguments only")
                    .isFalse();
            assertThat(ProcFs.stat(sleeper.pid()).orElseThrow().stopped()).isFalse();
            assertThat(ProcFs.stat(sleeper.pid()).orElseThrow().startTicks()).isPositive();

            new ProcessBuilder("kill", "-STOP", Long.toString(sleeper.pid()))
                    .start()
                    .waitFor();

            awaitStopped(sleeper.pid());
            assertThat(ProcFs.runs(sleeper.pid(), "60"))
                    .as("stopped, but there")
                    .isTrue();
        } finally {
            sleeper.destroyForcibly().waitFor();
        }
        assertThat(ProcFs.runs(sleeper.pid(), "60")).isFalse();
    }

    /** The kernel stops a process some time after kill has returned. */
    private static void awaitStopped(long pid) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!ProcFs.stat(pid).orElseThrow().stopped()) {
            assertThat(System.nanoTime())
                    .as("process %s is still not stopped", pid)
                    .isLessThan(deadline);
            Thread.sleep(1);
        }
    }

    @Test
    void nobodyIsAbsent() {
        assertThat(ProcFs.available()).isTrue();
        assertThat(ProcFs.stat(NOBODY)).isEmpty();
        assertThat(ProcFs.arguments(NOBODY)).isEmpty();
        assertThat(ProcFs.runs(NOBODY, "")).isFalse();
    }
}
