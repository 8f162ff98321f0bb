package io.ycsbdrill.report.history;

import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.NumberText;
import java.util.OptionalDouble;

/** What a history follows from run to run. */
enum HistoryMetric {
    THROUGHPUT("Throughput", "ops/s", true, 0),
    RECOVERY("Redundancy restored", "s", false, 1),
    SERVICE("Service restored", "s", false, 1),
    GAP("Longest gap", "s", false, 1),
    DIP("Dip depth", "%", false, 5),
    FAILED("Failed", "ops", false, 10),
    UNKNOWN("Unknown outcome", "ops", false, 10);

    private final String title;
    private final String unit;
    private final boolean moreIsBetter;
    private final double least;

    HistoryMetric(String title, String unit, boolean moreIsBetter, double least) {
        this.title = title;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
        this.least = least;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** The smallest difference that matters, whatever its share of the median. */
    double least() {
        return least;
    }

    /** With "≥ " before a bound. */
    String text(Measure figure) {
        boolean least = figure.value().isEmpty() && figure.least() > 0;
        return (figure.censored() || least ? "\u2265 " : "")
                + text(least ? OptionalDouble.of(figure.least()) : figure.value());
    }

    String text(OptionalDouble value) {
        return value.isPresent() ? NumberText.plain(Math.round(value.getAsDouble() * 10) / 10.0) : NumberText.ABSENT;
    }
}
