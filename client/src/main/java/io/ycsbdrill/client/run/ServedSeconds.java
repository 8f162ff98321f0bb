package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.pace.ArrivalSchedule;
import io.ycsbdrill.client.run.pace.RatePlan;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import site.ycsb.Status;

/** What this client has seen of each of its newest seconds that is judged. Thread-safe. */
final class ServedSeconds {
    private static final long SECOND = 1_000_000_000L;
    /** Twenty minutes: two of the longest windows of a steady state. */
    private static final int MOST = 1200;

    private final Deque<ServedSecond> seconds = new ArrayDeque<>();
    private OperationTotals current = new OperationTotals();
    private Optional<ArrivalSchedule> schedule = Optional.empty();
    private double share = 1;
    private long transactions;
    private long fromNanos;

    /** What is asked of this client from now on: this share of the plan. */
    synchronized void plan(RatePlan plan, double ofPlan) {
        schedule = Optional.of(new ArrivalSchedule(plan.segments()));
        share = ofPlan;
    }

    /** Nothing before this time is judged; {@link Long#MAX_VALUE} = nothing yet. */
    synchronized void from(long sinceStartNanos) {
        fromNanos = sinceStartNanos;
    }

    /** Intervals in order; several may make a second, and none lies in two. */
    synchronized void add(IntervalTotals interval) {
        interval.operations().forEach((id, totals) -> {
            if (Operations.isCall(id)) {
                current.add(totals);
            }
        });
        transactions += interval.transactions();
        if (interval.endNanos() % SECOND == 0) {
            long begin = interval.endNanos() - SECOND;
            if (begin >= fromNanos) {
                seconds.add(second(begin / 1e9));
            }
            current = new OperationTotals();
            transactions = 0;
        }
        if (seconds.size() > MOST) {
            seconds.remove();
        }
    }

    private ServedSecond second(double begin) {
        long failed = 0;
        for (Outcome outcome : Outcome.values()) {
            failed += outcome == Outcome.OK ? 0 : current.count(outcome);
        }
        Histogram latency =
                current.response(Outcome.OK) != null ? current.response(Outcome.OK) : current.service(Outcome.OK);
        return new ServedSecond(
                current.count(Outcome.OK),
                failed,
                Math.min(failed, current.returns().getOrDefault(Status.NOT_FOUND.getName(), 0L)),
                transactions,
                schedule.map(s -> share * (s.arrivalsUntil(begin + 1) - s.arrivalsUntil(begin)))
                        .orElse(Double.NaN),
                millis(latency, 50),
                millis(latency, 99));
    }

    private static double millis(Histogram latency, double percentile) {
        return latency == null ? Double.NaN : latency.getValueAtPercentile(percentile) / 1e6;
    }

    /** The newest of them, oldest first, at most {@code length} of them. */
    synchronized List<ServedSecond> recent(Duration length) {
        return seconds.stream()
                .skip(Math.max(0, seconds.size() - length.toSeconds()))
                .toList();
    }
}
