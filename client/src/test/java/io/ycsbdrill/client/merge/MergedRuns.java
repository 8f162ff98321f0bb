package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.Specs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** Merges recordings of clients. */
abstract class MergedRuns {
    static final Instant START = Instant.parse("2026-11-21T12:00:00.123456Z");

    static final long SECOND = 1_000_000_000L;

    @TempDir
    Path root;

    RunMerge.Merged merge(Path... directories) {
        return RunMerge.merge(List.of(directories), root.resolve("merged"), List.of(), List.of("merge"));
    }

    RunFiles merged() {
        return new RunFiles(root.resolve("merged"));
    }

    Path client(int number, int of, Recording recording) throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> part(run, number, of));
    }

    static void part(ObjectNode run, int number, int of) {
        run.putObject("part").put("number", number).put("of", of);
    }

    Path abandoning(int number, int calls, Recording recording) throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> {
            part(run, number, 2);
            run.putObject("opTimeout")
                    .put("seconds", 1.0)
                    .put("abandoned", calls)
                    .put("stillUnderWay", 1)
                    .put("mostUnderWay", 8);
        });
    }

    List<Map<String, String>> totals(String file) throws IOException {
        return merged().csv(file).stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .toList();
    }

    Path calibrated(int number, Recording recording) throws IOException {
        return calibrated(number, recording, load -> {});
    }

    Path calibrated(int number, Recording recording, Consumer<ObjectNode> measured) throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> {
            part(run, number, 2);
            ObjectNode load = run.putObject("load")
                    .put("kind", "share")
                    .put("share", 0.6)
                    .put("calibrationSeconds", 25)
                    .put("sinceSeconds", 25.0);
            measured.accept(load);
        });
    }
}
