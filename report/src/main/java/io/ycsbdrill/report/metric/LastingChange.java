package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Median;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.base.Wander;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.Optional;

/**
 * Whether a service that counts as back is slower than before, all in all: what no single second shows where seconds scatter. Pure;
 * docs/metrics.md has the rules.
 *
 * @param reading of what may be chance
 * @param fromSeconds since when it is judged
 * @param toSeconds end of what can be judged
 */
record LastingChange(Reading reading, double fromSeconds, double toSeconds) {
    /** More of the end says nothing of a change that lasts. */
    private static final double LONGEST_SECONDS = 30;

    /** Less than that, and a single second may be all of it. */
    private static final double SHORTEST_SECONDS = Rates.HOLD_SECONDS;

    /** By so many standard errors it is no chance. */
    private static final double DEVIATIONS = 3;

    private double start() {
        return Math.max(fromSeconds, toSeconds - LONGEST_SECONDS);
    }

    /** By a slice less than that it may be for where the slices lie. */
    private boolean isTooShort(Slices slices) {
        return toSeconds - start() < SHORTEST_SECONDS - slices.seconds() - 1e-9;
    }

    /** Looks at the latency's median, by windows, when its level was derived from the baseline. */
    Optional<String> ofLatency(RunData run, LatencySlo slo) {
        if (slo.p50().wander().isEmpty() || isTooShort(run.slices())) {
            return Optional.empty();
        }
        Wander wander = slo.p50().wander().get();
        double[] after = run.windows(Slices.TOTAL).stream()
                .filter(window -> window.middleSeconds() >= start() - 1e-9 && window.endSeconds() <= toSeconds + 1e-9)
                .mapToDouble(window -> window.latency().p50())
                .filter(Double::isFinite)
                .toArray();
        if (after.length == 0) {
            return Optional.empty();
        }
        double error = wander.error(after.length);
        double certain = Math.log(Wander.Kind.P50.factor) + LatencySlo.BEYOND_DOUBT * error;
        double most = reading == Reading.STRICT
                ? Math.max(
                        0,
                        Math.min(
                                Math.log(Wander.Kind.P50.factor),
                                Math.log(Wander.TO_BE_SEEN) - Wander.ONE_SIDED * error))
                : certain;
        double now = Median.of(after);
        if (reading == Reading.STRICT && wander.hidesAChange(after.length)) {
            return Optional.of(Formatted.of(
                    "the median latency wandered by %.0f %% before the fault, for so long that one %.1f \u00d7 as high would not"
                            + " be seen",
                    100 * wander.deviation(), Wander.TO_BE_SEEN));
        }
        double level = Math.max(wander.median() * Math.exp(most), wander.median() + Wander.RESOLUTION_MICROS);
        return now > level
                ? Optional.of(Formatted.of(
                        "the median latency of the last %.0f s is %s \u00d7 that of the baseline; chance alone may"
                                + " make it %s \u00d7",
                        toSeconds - start(),
                        NumberText.plain(now / wander.median()),
                        certain > Math.log(1000) ? "more than 1,000" : NumberText.plain(Math.exp(certain))))
                : Optional.empty();
    }

    /** Looks at the throughput of a closed loop. */
    Optional<String> ofThroughput(Slices slices, Baseline baseline) {
        Scatter scatter = baseline.scatter();
        int first = slices.at(start());
        int last = Math.min(slices.at(toSeconds), slices.whole());
        double seconds = (last - first) * slices.seconds();
        if (seconds < SHORTEST_SECONDS - slices.seconds() || scatter.mean() == 0) {
            return Optional.empty();
        }
        double share =
                new Rates(slices.total().ok(), slices.seconds(), slices.perSecond()).mean(first, last) / scatter.mean();
        double error = scatter.relative() * scatter.errorShare(seconds);
        double least = Scatter.DEGRADED - (reading == Reading.STRICT ? 0 : DEVIATIONS * error);
        return share < least
                ? Optional.of(Formatted.of(
                        "the throughput of the last %.0f s is %.0f %% of the baseline's; chance alone may make it"
                                + " %.0f %%",
                        seconds, 100 * share, 100 * (Scatter.DEGRADED - DEVIATIONS * error)))
                : Optional.empty();
    }
}
