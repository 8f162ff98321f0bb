package io.ycsbdrill.testing.assertj;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.StageSum;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.testing.DrillResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractDoubleAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on a drill. Each fails when the result is invalid ({@link #isValid}), and when what it asks for could not be
 * measured or never happened: an absent figure is no pass. What they compare is judged as the limits of a drill file are: with what every
 * drill is judged by, that the service is restored at the end of the data and the audit has found nothing, unless the drill's own limits say
 * {@code any}. But what does not apply, such as the recovery of a node that a pause left in service, is of a limit neither kept nor missed,
 * and they fail.
 * A failure says what happened, and keeps the run directory. Not thread-safe.
 */
public final class DrillAssert extends AbstractAssert<DrillAssert, DrillResult> {

    DrillAssert(DrillResult actual) {
        super(actual, DrillAssert.class);
    }

    /** The run is complete, every fault was injected and healed, and every node came back within its bound. */
    public DrillAssert isValid() {
        isNotNull();
        if (!actual.valid()) {
            fail("to be valid", "its figures are invalid: " + String.join("; ", actual.reasons()));
        }
        return this;
    }

    /** The engine reported every node as fully redundant again at most this long after the fault that hit it ({@link Metric#REDUNDANCY_RESTORED}). */
    public DrillAssert recoveredWithin(Duration limit) {
        return keeps("maxRecoverySeconds", seconds(limit), "to have redundancy restored within " + text(limit));
    }

    /** The throughput was back at 90 % of the baseline, for good, at most this long after each fault ({@link Metric#SERVICE_RESTORED}). */
    public DrillAssert servedAgainWithin(Duration limit) {
        return keeps("maxServiceRestoreSeconds", seconds(limit), "to have service restored within " + text(limit));
    }

    /** The longest time without any successful operation, from the first fault on ({@link Metric#LONGEST_GAP}; known to 0.1 s). */
    public DrillAssert wasUnavailableAtMost(Duration limit) {
        return keeps("maxUnavailableSeconds", seconds(limit), "to be unavailable for at most " + text(limit));
    }

    /** The engine, or a client by a failed operation, noticed each fault at most this long after it. */
    public DrillAssert detectedWithin(Duration limit) {
        return keeps("maxDetectSeconds", seconds(limit), "to notice the fault within " + text(limit));
    }

    /**
     * In the first 60 s after each fault, at least this share of the offered load was served ({@link Metric#FIRST_MINUTE}), in
     * percent. The data have to go on for that long, or it fails: give the drill a cool-down; not known when a node never recovered.
     */
    public DrillAssert keptThroughputOf(double percent) {
        return keeps("minThroughputPercent", percent, "to serve " + percent + " % of the offered load");
    }

    /** The time with less than 1 % of the offered load served, of the type of operations that has it worst ({@link Metric#OUT}). */
    public DrillAssert wasOutAtMost(Duration limit) {
        return keeps("maxOutSeconds", seconds(limit), "to be out of service for at most " + text(limit));
    }

    /** The time with less than 1 % of the offered writes served, all of it together ({@link Metric#WRITE_OUTAGE}). */
    public DrillAssert wasWithoutWritesAtMost(Duration limit) {
        return keeps("maxWriteOutageSeconds", seconds(limit), "to be without writes for at most " + text(limit));
    }

    /** The time with less than 90 % of the offered load served, or with p99 or p50 above the SLO ({@link Metric#DEGRADED}). */
    public DrillAssert wasDegradedAtMost(Duration limit) {
        return keeps("maxDegradedSeconds", seconds(limit), "to be degraded for at most " + text(limit));
    }

    /** Service lost from the first fault on, in seconds of all of it ({@link Metric#LOST_SECONDS}). */
    public DrillAssert lostServiceAtMost(Duration limit) {
        return keeps("maxLostSeconds", seconds(limit), "to lose at most " + text(limit) + " of service");
    }

    /**
     * In the first minute after redundancy was restored, no second was further below the baseline ({@link Metric#AFTER_DIP}), in percent. Fails
     * when less than that minute was measured: the drill needs such a cooldown.
     */
    public DrillAssert dippedAfterRecoveryAtMost(double percent) {
        return keeps("maxAfterDipPercent", percent, "to dip by at most " + percent + " % after the recovery");
    }

    /** Operations that failed, from the first fault on; they were definitely not applied. */
    public DrillAssert failedAtMost(long operations) {
        return keeps("maxFailed", operations, "to have at most " + operations + " failed operations");
    }

    /** Writes that may have been applied or not, from the first fault on. */
    public DrillAssert leftUnknownAtMost(long operations) {
        return keeps("maxUnknown", operations, "to leave the outcome of at most " + operations + " operations unknown");
    }

    /**
     * No acknowledged insert, update or delete of the run is missing from the table after it; writes of unknown outcome may have
     * been applied or not. Fails when the run was not audited, or the audit could not judge every key.
     */
    public DrillAssert losesNothing() {
        return keeps("ackedLost", 0, "to lose no acknowledged write");
    }

    /** Every limit of the drill file or schedule was kept, and what the audit judges; fails when there was nothing to judge. */
    public DrillAssert keptItsLimits() {
        isValid();
        if (actual.verdict().outcome() != Verdict.Outcome.PASS) {
            fail("to keep its limits", actual.verdict().line());
        }
        return this;
    }

    /** Some recovery had these phases, in this order, others in between allowed; each has ended. */
    public DrillAssert wentThrough(Phase... phases) {
        isValid();
        List<String> wanted = Arrays.stream(phases).map(Phase::label).toList();
        boolean found = StageSum.of(actual.phases()).stream().anyMatch(recovery -> {
            List<String> ended = recovery.stages().stream()
                    .filter(stage -> stage.endSeconds().isPresent())
                    .map(Stage::phase)
                    .toList();
            int next = 0;
            for (String phase : ended) {
                next += next < wanted.size() && wanted.get(next).equals(phase) ? 1 : 0;
            }
            return next == wanted.size();
        });
        if (!found) {
            fail("to go through " + String.join(", ", wanted), "no recovery did");
        }
        return this;
    }

    /** Any figure of the complete drill, for an assertion of your own on its value in the metric's unit; fails when it is absent, or only a bound. */
    public AbstractDoubleAssert<?> metric(Metric metric) {
        isValid();
        Measure measure = actual.metrics().get(metric);
        if (measure.value().isEmpty() || measure.censored()) {
            String found = measure.value().isEmpty() ? "there is none: " : "only a bound is known: ";
            fail("to have the figure \"" + metric.title() + "\"", found + measure.note());
        }
        actual.keep();
        return Assertions.assertThat(measure.value().getAsDouble())
                .as(
                        "%s of drill %s, in %s%n%s%s",
                        metric.title(), actual.name(), metric.unit().symbol(), WhatHappened.in(actual), where());
    }

    private DrillAssert keeps(String limit, double allowed, String expectation) {
        isValid();
        ObjectNode limits = JsonNodeFactory.instance.objectNode().put(limit, allowed);
        Check check = Verdict.of(actual.metrics(), limits).checks().get(0);
        if (check.result() != Check.Result.PASS) {
            fail(expectation, why(check) + check.sentence());
        }
        for (Check broken : actual.verdict().brokenPromises()) {
            fail(expectation + ", and what every drill is judged by", why(broken) + broken.sentence());
        }
        return this;
    }

    private static String why(Check check) {
        return check.missed() ? "" : check.undecided() ? "nobody can say: " : "there was nothing to judge: ";
    }

    private void fail(String expectation, String found) {
        actual.keep();
        failWithMessage(
                "%nexpected drill %s %s%nbut: %s%n%nwhat happened:%n%s%s",
                actual.name(), expectation, found, WhatHappened.in(actual), where());
    }

    private String where() {
        return "run directory (kept): " + actual.directory();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String text(Duration duration) {
        double seconds = seconds(duration);
        return (seconds == Math.rint(seconds) ? String.valueOf((long) seconds) : String.valueOf(seconds)) + " s";
    }
}
