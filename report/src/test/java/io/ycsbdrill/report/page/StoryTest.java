package io.ycsbdrill.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.DrillMetrics;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoryTest {
    @TempDir
    private Path directory;

    /** A stall of 0.4 s is too short to be an outage; it is not said that there was none. */
    @Test
    void whatIsTooShortToBeSeenIsNotDenied() {
        SampleRun stalled = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 30 && t < 30.4 ? 0 : 1000, t -> 300)
                .marker(30, "fault-started", "pause", "node1", "")
                .drill("pause", "{}");

        assertThat(Story.of(DrillMetrics.of(RunData.read(stalled.writeTo(directory)))))
                .singleElement()
                .asString()
                .contains(" The service was never out for half a second or more, and the fault cost what ");
    }
}
