package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.stat.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NarrowingTest {
    private static final double[] SCATTER = {1.08, 0.97, 1.02, 0.93, 1.05, 1.3, 0.8};

    @TempDir
    private Path directory;

    /** A width that does not exist was never the widest, and the line was about another variant for ever. */
    @Test
    void aVariantWithoutAnIntervalIsNamedFirst() throws IOException {
        ExperimentFiles files =
                new ExperimentFiles(directory, 7, "1", "2", "4").until(0.1).plan();
        for (int repeat = 1; repeat <= 7; repeat++) {
            files.ok(1, repeat, false, 1000, 100);
            files.ok(2, repeat, false, 1000 * SCATTER[repeat - 1], 100);
            files.na(3, repeat, "exit code 1");
        }

        Narrowing now = Narrowing.of(directory);
        assertThat(now.text()).isEqualTo("threads=4: 0 pairs with the reference, too few for an interval: exit code 1");
        assertThat(now.enough()).isFalse();

        files.ok(3, 7, false, 1500, 100);
        assertThat(Narrowing.of(directory).text())
                .isEqualTo("threads=4: 1 pair with the reference, too few for an interval");
    }

    /** In a closed loop the mean latency is the reciprocal of the throughput, whose scatter decides how many pairs there are. */
    @Test
    void theIntervalsOfOtherFiguresFollowTheSameRule() throws IOException {
        ExperimentFiles files =
                new ExperimentFiles(directory, 7, "1", "2").until(0.1).plan();
        for (int repeat = 1; repeat <= 7; repeat++) {
            double throughput = 1000 * SCATTER[repeat - 1];
            files.ok(1, repeat, false, 1000, 1000);
            files.ok(2, repeat, false, throughput, 1e6 / throughput);
        }

        ExperimentData data = ExperimentData.collect(directory);
        Estimate throughput = data.ratio(2, CellFigures.THROUGHPUT).orElseThrow();
        Estimate latency = data.ratio(2, "READ_service_mean_us").orElseThrow();
        assertThat(latency.n()).isEqualTo(7);
        assertThat(1 / latency.high()).isCloseTo(throughput.low(), within(1e-6));
        assertThat(1 / latency.low()).isCloseTo(throughput.high(), within(1e-6));
    }
}
