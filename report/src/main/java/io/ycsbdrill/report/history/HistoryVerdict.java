package io.ycsbdrill.report.history;

import java.util.List;

/**
 * What is said of the newest runs of all series together. Immutable.
 *
 * @param series how many there are
 * @param judged how many of them have a newest run that can be judged
 * @param regressions how many of those have one that is worse
 */
record HistoryVerdict(long series, long judged, long regressions) {

    static HistoryVerdict of(List<HistorySeries> series) {
        return new HistoryVerdict(
                series.size(),
                series.stream().filter(HistorySeries::judged).count(),
                series.stream().filter(one -> !one.worse().isEmpty()).count());
    }

    /** Two or three words: what the rest is about. */
    String word() {
        return regressions > 0 ? "Regression" : judged > 0 ? "No regression" : "Nothing to judge yet";
    }

    /** The rest of the sentence. */
    String rest() {
        String needed = " figure that is known of the newest run and of " + Regression.LEAST_RUNS + " earlier ones";
        if (judged == 0) {
            return (series == 1 ? ": the one series has no" : ": none of the " + series + " series has a") + needed;
        }
        return " in the newest run of "
                + (regressions > 0 ? regressions + " of " : "")
                + judged + (regressions > 0 ? " judged" : "") + " series"
                + (judged < series
                        ? "; " + (series - judged) + " of " + series + " cannot be judged, without a" + needed
                        : "");
    }

    String text() {
        return word() + rest();
    }

    /** How the page shows it: only what was judged has a colour. */
    String style() {
        return regressions > 0 ? "verdict fail" : judged > 0 ? "verdict pass" : "verdict";
    }
}
