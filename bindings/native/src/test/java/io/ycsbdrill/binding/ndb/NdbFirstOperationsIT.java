package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The first operations of a process, which NDB's library does not guard against each other. */
@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbFirstOperationsIT {
    /** What goes wrong once in five processes shows in three of four runs of this test; more would only take longer. */
    private static final int PROCESSES = 6;

    private static final long MOST_SECONDS = 120;

    @Test
    void noneFailsWhenAllThreadsBeginAtOnceAndTheProcessEnds(RealCluster.Running cluster, @TempDir Path folder)
            throws Exception {
        Properties properties = cluster.properties("first_operations");
        makeTable(properties);
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(properties, folder.resolve("out" + i), folder.resolve("err" + i)));
            }
            for (int i = 0; i < PROCESSES; i++) {
                assertThat(processes.get(i).waitFor(MOST_SECONDS, TimeUnit.SECONDS))
                        .as("process %d ends", i)
                        .isTrue();
                assertThat(Files.readAllLines(folder.resolve("out" + i)))
                        .as(Files.readString(folder.resolve("err" + i)))
                        .containsExactlyInAnyOrderElementsOf(
                                Collections.nCopies(FirstOperations.THREADS, FirstOperations.EXPECTED).stream()
                                        .flatMap(List::stream)
                                        .map(Status::getName)
                                        .toList());
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static void makeTable(Properties properties) throws DBException {
        NdbBinding db = new NdbBinding();
        db.setProperties(properties);
        db.init();
        db.cleanup();
    }

    private static Process start(Properties properties, Path out, Path err) throws IOException {
        List<String> command = JavaProgram.command(FirstOperations.class);
        properties.forEach((name, value) -> command.add(name + "=" + value));
        return new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }
}
