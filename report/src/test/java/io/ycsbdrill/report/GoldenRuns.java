package io.ycsbdrill.report;

import io.ycsbdrill.report.summary.DrillSummary;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Makes the golden runs of the current schema anew: {@code java ... GoldenRuns src/test/resources/runs/v1}. Those of older
 * schemas are never touched: readers must go on accepting what was once written.
 */
final class GoldenRuns {
    private GoldenRuns() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        SampleRun.plain().withResponse().writeTo(directory.resolve("plain"));
        SampleRun.nodeRestart().killed().writeTo(directory.resolve("killed"));
        for (Path drill : new Path[] {
            SampleRun.nodeRestart().writeTo(directory.resolve("node-restart")),
            SampleRun.nodeKill().writeTo(directory.resolve("node-kill")),
            SampleRun.oneOfThreeOut().writeTo(directory.resolve("one-of-three-out"))
        }) {
            DrillSummary.write(drill);
        }
    }
}
