package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void aComparisonIsPointsWithIntervalsAndAForestOfRatios() throws IOException {
        Path experiment = directory.resolve("experiment");
        ExperimentFiles files =
                new ExperimentFiles(experiment, 6, "before", "after").pairs().plan();
        double[] scatter = {1.01, 0.99, 1.02, 0.98, 1.00, 1.01};
        for (int repeat = 1; repeat <= 6; repeat++) {
            double factor = scatter[repeat - 1];
            files.ok(1, repeat, false, 1000 * factor, 500 * factor)
                    .ok(2, repeat, false, 800 * factor, 500 / factor)
                    .ok(1, repeat, true, 1000 / factor, 500 / factor);
        }
        Path page = ExperimentReport.write(experiment).page();

        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            browser.open(page.toUri(), 1200);

            assertThat(Files.readString(page)).contains("B is worse in Throughput (0.80");
            assertThat(browser.value("drawings[0].rows.map(row => row.name + ': ' + row.outcome)")
                            .toString())
                    .contains("Throughput: worse", "READ p99, service time: not distinguishable");
            assertThat(browser.value(
                            "drawings[0].chart.getOption().series.filter(s => s.data.length).map(s => s.name)"))
                    .isEqualTo(List.of("noise floor: A against A", "95 % interval", "worse", "not distinguishable"));
            String points = "drawings[1].chart.getOption().series[0]";
            assertThat(browser.number(points + ".lineStyle.width")).isZero();
            assertThat(browser.number("drawings[1].figure.lines[0].intervals.filter(i => i !== null).length"))
                    .isEqualTo(2);
            assertThat(browser.value("Number.isInteger(drawings[0].option().xAxis.max)"))
                    .as("the axis ends at a round number")
                    .isEqualTo(true);
            browser.open(page.toUri(), 390);
            assertThat(browser.value("drawings[0].option().yAxis.axisLabel.formatter('READ p99, service time')"))
                    .as("a phone has room for one line")
                    .isEqualTo("READ p99");
            browser.assertNoErrors();
        }
    }

    @Test
    void numbersAreDrawnToScaleAndJoined() throws IOException {
        Path experiment = directory.resolve("experiment");
        new ExperimentFiles(experiment, 1, "1", "4", "16")
                .plan()
                .ok(1, 1, false, 100, 100)
                .ok(2, 1, false, 300, 100)
                .ok(3, 1, false, 400, 100);
        Path page = ExperimentReport.write(experiment).page();

        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            browser.open(page.toUri(), 1200);

            String points = "drawings[0].chart.getOption().series[0]";
            assertThat(browser.value(points + ".data.map(p => p[0])")).isEqualTo(List.of(1L, 4L, 16L));
            assertThat(browser.number(points + ".lineStyle.width")).isEqualTo(2);
            browser.assertNoErrors();
        }
    }
}
