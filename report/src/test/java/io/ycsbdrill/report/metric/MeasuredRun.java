package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.io.TempDir;

/** Measures runs that a test has scripted. */
abstract class MeasuredRun {
    static final Offset<Double> EXACT = within(1e-6);

    @TempDir
    Path directory;

    DrillMetrics metrics(SampleRun run) {
        return DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("run"))));
    }

    static double value(DrillMetrics metrics, Metric metric) {
        return metrics.get(metric).value().orElseThrow();
    }

    static SampleRun stalling(double from, double to) {
        return SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= from && t < to ? 0 : 1000, t -> 300)
                .drill("stall", "{}");
    }

    static SampleRun steadyLoad() {
        return SampleRun.lasting(80).exact().rate(1000).drill("two", "{}");
    }
}
