package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.JavaProgram;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A killed test JVM left its NDB cluster running. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class OrphansIT {
    @TempDir
    private Path folder;

    /** One is known by the variable, one by its pid file; the third only has the folder's name in its arguments, or the id of such a file. */
    @Test
    void whatAKilledTestHasStartedEndsAndNothingElse() throws Exception {
        Process recorded = new ProcessBuilder("setsid", "sleep", "300").start();
        Process stranger = new ProcessBuilder("sh", "-c", "sleep 300; :", "sh", folder + "/").start();
        Files.writeString(folder.resolve("node1.pid"), PidFile.text(recorded.pid(), List.of("sleep")));
        Files.writeString(folder.resolve("node2.pid"), stranger.pid() + " 1 sh\n");
        Process test = new ProcessBuilder(JavaProgram.command(OrphansIT.class, folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String pid =
                new BufferedReader(new InputStreamReader(test.getInputStream(), StandardCharsets.UTF_8)).readLine();
        ProcessHandle orphan = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();

        test.destroyForcibly().waitFor();

        try {
            orphan.onExit().get(30, TimeUnit.SECONDS);
            assertThat(recorded.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.descendants().forEach(ProcessHandle::destroyForcibly);
            stranger.destroyForcibly();
        }
    }

    /** The test that is killed: it starts something that goes on by itself, as a cluster does. */
    public static void main(String[] arguments) throws Exception {
        try (Child child = new Child(
                Path.of(arguments[0]), Map.of(), List.of("sh", "-c", "setsid sleep 300 >/dev/null 2>&1 & echo $!"))) {
            child.exitCode();
            System.out.println(child.out().strip());
            Thread.currentThread().join();
        }
    }
}
