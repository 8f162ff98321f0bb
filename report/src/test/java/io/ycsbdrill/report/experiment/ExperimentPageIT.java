package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.Browser;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of an experiment in a real browser; skipped where there is none. */
@Tag("process")
class ExperimentPageIT {
    @TempDir
    private Path directory;

    @Test
    void valuesBelowZeroAreWithinTheChart() throws IOException {
        Path experiment = directory.resolve("experiment");
        new ExperimentFiles(experiment, 1, "1", "2")
                .chart("drill_operationsLost")
                .plan()
                .drill(1, 1, false, "\"overall\":{\"operationsLost\":-5}")
                .drill(2, 1, false, "\"overall\":{\"operationsLost\":3}");
        Path page = ExperimentReport.write(experiment).page();

        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            browser.open(page.toUri(), 1200);

            String chart = "drawings[0].chart";
            assertThat(browser.number("drawings.length")).isEqualTo(1);
            long bottom = browser.number(chart + ".getHeight() - " + chart + ".getOption().grid[0].bottom");
            assertThat(browser.number(chart + ".convertToPixel({ yAxisIndex: 0 }, -5)"))
                    .isLessThanOrEqualTo(bottom);
            browser.assertNoErrors();
        }
    }
}
