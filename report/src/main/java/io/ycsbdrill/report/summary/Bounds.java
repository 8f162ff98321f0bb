package io.ycsbdrill.report.summary;

import io.ycsbdrill.report.metric.Measure;

/**
 * What is known of a figure: an exact value, or that it lies between two.
 *
 * @param low the least that it may be; infinite when unknown
 * @param high the most, at least {@code low}; infinite when unknown
 */
record Bounds(double low, double high) {

    /** The bounds of an applicable measure. Figures of drills are 0 or more, so that one without a value may be anything from there. */
    static Bounds of(Measure measure, boolean lessIsWorse) {
        double value = measure.value().orElse(0);
        if (measure.value().isPresent() && !measure.censored()) {
            return new Bounds(value, value);
        }
        return new Bounds(lessIsWorse ? Double.NEGATIVE_INFINITY : value, Double.POSITIVE_INFINITY);
    }

    boolean exact() {
        return low == high;
    }
}
