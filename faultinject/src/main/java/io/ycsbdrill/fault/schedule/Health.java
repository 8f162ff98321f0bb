package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Formatted;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a baseline must be beside steady: a service that already fails, falls behind its load or swings in latency is none that a fault
 * could be measured against.
 *
 * @param failed the largest share of failed and unknown operations, 0 to 1
 * @param served the smallest share of the offered load that is served, above 0 and at most 1; not judged in a closed loop
 * @param swing a second swings when its p99 is above this many times the median of the seconds, above 1; at most a fifth of them may,
 *     and one always may, as each machine has a hiccup now and then
 */
public record Health(double failed, double served, double swing) {
    /** Used for what a drill file does not say. */
    public static final Health DEFAULT = new Health(0.001, 0.98, 5);

    /** Arrivals at the edges of the stretch that may be counted on its other side. */
    private static final int EDGE = 2;

    private static final int SWINGING = 5;

    public Health {
        if (!(failed >= 0 && failed <= 1) || !(served > 0 && served <= 1) || !(swing > 1)) {
            throw new IllegalArgumentException(
                    "failed " + failed + " and served " + served + " must be shares, and swing " + swing + " above 1");
        }
    }

    /** Why rows of the workload must be missing, which no waiting mends; empty when they are not. */
    Optional<String> missing(List<ServedSecond> seconds) {
        double operations = operations(seconds);
        long missing = seconds.stream().mapToLong(ServedSecond::missing).sum();
        return missing > failed * operations
                ? Optional.of(Formatted.of(
                        "%s of its operations did not find their row (NOT_FOUND; bound %s): rows of the workload are missing;"
                                + " load the table with the recordcount of the run, or set steady.failed if they are to be",
                        percent(missing / operations), percent(failed)))
                : Optional.empty();
    }

    /** What is wrong with the service of these seconds; empty when nothing is. */
    Optional<String> problem(List<ServedSecond> seconds) {
        return missing(seconds)
                .or(() -> failing(seconds))
                .or(() -> behind(seconds))
                .or(() -> swinging(seconds));
    }

    private Optional<String> failing(List<ServedSecond> seconds) {
        double operations = operations(seconds);
        long bad = seconds.stream().mapToLong(ServedSecond::failed).sum();
        return bad > failed * operations
                ? Optional.of(Formatted.of(
                        "%s of its operations failed or are unknown (bound %s); look at the cluster, or set steady.failed",
                        percent(bad / operations), percent(failed)))
                : Optional.empty();
    }

    private Optional<String> behind(List<ServedSecond> seconds) {
        double due = seconds.stream().mapToDouble(ServedSecond::due).sum();
        long done = seconds.stream().mapToLong(ServedSecond::done).sum();
        return done < served * due - EDGE
                ? Optional.of(Formatted.of(
                        "only %s of the offered load was served, %.0f of %.0f per second (at least %s); use more client"
                                + " threads or a lower load, or set steady.served",
                        percent(done / due), (double) done / seconds.size(), due / seconds.size(), percent(served)))
                : Optional.empty();
    }

    private Optional<String> swinging(List<ServedSecond> seconds) {
        double[] p99s = seconds.stream()
                .mapToDouble(ServedSecond::p99Millis)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        if (p99s.length == 0) {
            return Optional.empty();
        }
        double median = (p99s[(p99s.length - 1) / 2] + p99s[p99s.length / 2]) / 2;
        long above = Arrays.stream(p99s).filter(p99 -> p99 > swing * median).count();
        return above > Math.max(1, p99s.length / SWINGING)
                ? Optional.of(Formatted.of(
                        "its latency swings: in %d of %d s the p99 was more than %.1f times its median of %.1f ms (up to %.1f ms);"
                                + " find out what stalls, take a lower load, or set steady.swing",
                        above, p99s.length, swing, median, p99s[p99s.length - 1]))
                : Optional.empty();
    }

    private static double operations(List<ServedSecond> seconds) {
        return seconds.stream().mapToLong(s -> s.ok() + s.failed()).sum();
    }

    private static String percent(double share) {
        return Formatted.of(share < 0.01 ? "%.2f%%" : "%.1f%%", 100 * share);
    }
}
