package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Every figure of a drill, by what it is about; each links to its definition on the same page.
 *
 * @param headers one for each column, the figure's own among them
 * @param cells of a figure, one for each column after the first
 */
record FigureTable(String caption, List<String> headers, Function<Metric, List<String>> cells) {
    /** What figures are about, in the order of the table. */
    enum Group {
        OVER("When was it over?"),
        SERVICE("Service"),
        LATENCY("Latency"),
        DATA("Operations and data"),
        DETECTION("Detection"),
        BASELINE("The baseline before the fault");

        private final String title;

        Group(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        List<Metric> metrics() {
            return Arrays.stream(Metric.values())
                    .filter(metric -> of(metric) == this)
                    .toList();
        }
    }

    static Group of(Metric metric) {
        return switch (metric) {
            case SERVICE_RESTORED,
                    REDUNDANCY_RESTORED,
                    NOT_RESTORED,
                    LATENCY_BACK,
                    LAST_THREAD,
                    TIME_TO_90,
                    TIME_TO_95,
                    TIME_TO_99 -> Group.OVER;
            case DEGRADED, LONGEST_DEGRADED, SLO_P99, SLO_P50 -> Group.LATENCY;
            case OPERATIONS_LOST, FAILED, FAILED_SHARE, UNKNOWN -> Group.DATA;
            case DETECTED, DETECT_CLIENT, DETECT_ENGINE -> Group.DETECTION;
            case BASELINE, BASELINE_WORST, BASELINE_VARIATION, BASELINE_SLOPE, BASELINE_CONFIDENCE -> Group.BASELINE;
            case OUT,
                    LONGEST_OUT,
                    WRITE_OUTAGE,
                    READ_OUTAGE,
                    LOST_SECONDS,
                    AFTER_DIP,
                    LONGEST_GAP,
                    ZERO_SECONDS,
                    TARGET_KEYS_OUT,
                    TARGET_KEYS_LOST,
                    OTHER_KEYS_LOST,
                    DIP_DEPTH,
                    FIRST_MINUTE,
                    THROUGHPUT -> Group.SERVICE;
        };
    }

    /** Whether a column has numbers, and its header stands above their last digit. */
    boolean isOfNumbers(int column) {
        return column > 0
                && !headers.get(column).equals("Note")
                && Arrays.stream(Metric.values())
                        .allMatch(metric -> Table.isNumber(cells.apply(metric).get(column - 1)));
    }
}
