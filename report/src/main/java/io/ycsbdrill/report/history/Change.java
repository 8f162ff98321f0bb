package io.ycsbdrill.report.history;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.stat.ChangePoints;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Where a figure of a series changed lastingly.
 *
 * @param run the first run after it
 * @param before the mean of the figure since the change before
 * @param after the mean until the next change
 * @param p as of {@link ChangePoints}
 */
record Change(HistoryMetric metric, int run, double before, double after, double p) {
    /** The changes of a figure that are at least as large as the smallest difference that matters, oldest first; runs without it count for nothing. */
    static List<Change> of(HistoryMetric metric, List<OptionalDouble> figures) {
        List<Integer> runs = new ArrayList<>();
        for (int i = 0; i < figures.size(); i++) {
            if (figures.get(i).isPresent()) {
                runs.add(i);
            }
        }
        double[] known =
                runs.stream().mapToDouble(i -> figures.get(i).getAsDouble()).toArray();
        return ChangePoints.of(known).stream()
                .filter(found -> Math.abs(found.after() - found.before()) >= metric.least())
                .map(found -> new Change(metric, runs.get(found.index()), found.before(), found.after(), found.p()))
                .toList();
    }

    boolean worse() {
        return metric.moreIsBetter() == after < before;
    }

    /** The change in words, from what it became to how sure that is. */
    String text() {
        String share = before == 0 ? "" : Formatted.of(" (%+.1f %%)", 100 * (after - before) / Math.abs(before));
        return metric.title() + " " + (worse() ? "worse" : "better") + ": mean "
                + metric.text(OptionalDouble.of(before)) + " before, " + metric.text(OptionalDouble.of(after)) + " "
                + metric.unit() + " since" + share + ", p "
                + (p < 0.0001 ? "< 0.0001" : Formatted.of("= %.4f", p));
    }
}
