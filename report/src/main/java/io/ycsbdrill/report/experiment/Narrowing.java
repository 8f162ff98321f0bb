package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.TwoStageRatio;
import java.io.IOException;
import java.nio.file.Path;

/**
 * How near an experiment is to the width that was asked for of the interval of each variant's throughput.
 *
 * @param enough whether it needs no further repeat
 * @param text the widest of them, or one that has none yet, in words
 */
public record Narrowing(boolean enough, String text) {
    /**
     * Of an experiment with a width, as it is now.
     *
     * @throws IOException when its plan cannot be read
     */
    public static Narrowing of(Path directory) throws IOException {
        ExperimentData data = ExperimentData.collect(directory);
        double share = data.plan().until().orElseThrow();
        boolean enough = true;
        double widest = -1;
        String text = "no variant has a pair with the reference yet";
        for (PlanData.Variant variant :
                data.plan().variants().subList(1, data.plan().variants().size())) {
            Estimate ratio = data.ratio(variant.number(), CellFigures.THROUGHPUT)
                    .orElse(Estimate.withoutInterval(Double.NaN, 0));
            int needed = data.enough(variant.number(), share);
            enough &= ratio.n() >= needed;
            double reach = ratio.high() / ratio.value() - 1;
            double width = Double.isNaN(reach) ? Double.POSITIVE_INFINITY : reach;
            if (width > widest) {
                widest = width;
                text = variant.title() + ": "
                        + (Double.isNaN(reach)
                                ? Counted.of(ratio.n(), "pair") + " with the reference, too few for an interval"
                                        + data.reason(variant.number()).replaceFirst("^(?=.)", ": ")
                                : Formatted.of(
                                        "throughput %.3f \u00d7 the reference, \u00b1 %.1f %% of the %.1f %% asked for%s",
                                        ratio.value(),
                                        100 * width,
                                        100 * share,
                                        ratio.n() < TwoStageRatio.PILOT
                                                ? ""
                                                : "; its first " + TwoStageRatio.PILOT + " repeats ask for " + needed
                                                        + " in all"));
            }
        }
        return new Narrowing(enough, text);
    }
}
