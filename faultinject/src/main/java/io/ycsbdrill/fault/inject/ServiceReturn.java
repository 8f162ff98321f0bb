package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Median;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.base.Wander;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Whether users have again what they had before the faults. As long as they have not, nobody can say when they will, so the cool-down goes on for a
 * while. It does not end at the first second that looks well: the end of a drill that was chosen because it looks well would say nothing. Owned by
 * {@code fault-injector}.
 */
final class ServiceReturn {
    /** A cool-down that is longer need not be well from its first second. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(40);

    /** One second of so many may be slow by chance. */
    private static final int ONE_OF = 5;

    private static final double MILLI = 1_000;

    private final ServiceSource service;
    private final Duration cooldown;
    private final Duration look;
    private final double least;
    private final double p50Millis;
    private final double p99Millis;
    private long nextAt;

    /** What is before the faults is what users have now: in the newest seconds, as many as the steady state needed. */
    ServiceReturn(FaultSchedule schedule, ServiceSource service) {
        this.service = service;
        cooldown = schedule.cooldown();
        look = cooldown.compareTo(LOOK) < 0 ? cooldown : LOOK;
        SteadyState steady = schedule.steady().orElseThrow();
        List<ServedSecond> before = service.recentSeconds(steady.length());
        double[] ok = before.stream().mapToDouble(ServedSecond::ok).toArray();
        least = ok.length == 0 ? 0 : (1 - steady.variation()) * Median.of(ok);
        p50Millis = bound(schedule.slo().p50(), before, ServedSecond::p50Millis, Wander.Kind.P50);
        p99Millis = bound(schedule.slo().p99(), before, ServedSecond::p99Millis, Wander.Kind.P99);
    }

    private static double bound(
            Optional<Duration> said,
            List<ServedSecond> before,
            ToDoubleFunction<ServedSecond> percentile,
            Wander.Kind kind) {
        double[] micros = before.stream()
                .mapToDouble(percentile)
                .filter(millis -> millis > 0)
                .map(millis -> MILLI * millis)
                .toArray();
        return said.map(time -> time.toNanos() / 1e6)
                .orElse(
                        micros.length < 2
                                ? Double.POSITIVE_INFINITY
                                : Wander.of(micros).bound(kind, 0) / MILLI);
    }

    /** By how much longer than it says the cool-down may last. */
    Duration longestWait() {
        Duration twice = cooldown.multipliedBy(2);
        return twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT;
    }

    /**
     * Whether there is nothing to wait for any more.
     *
     * @param quietNanos since when all nodes have recovered
     */
    boolean over(long now, long quietNanos) {
        if (quietNanos >= cooldown.plus(longestWait()).toNanos()) {
            return true;
        }
        if (now < nextAt) {
            return false;
        }
        nextAt = now + Duration.ofSeconds(1).toNanos();
        List<ServedSecond> seconds = service.recentSeconds(look);
        long slow = seconds.stream().filter(this::slow).count();
        return seconds.isEmpty() || ONE_OF * slow <= seconds.size() && !slow(seconds.get(seconds.size() - 1));
    }

    private boolean slow(ServedSecond second) {
        boolean few = Double.isNaN(second.due())
                ? second.ok() < least
                : second.done() < Scatter.DEGRADED * second.due()
                        || second.failed() > (1 - Scatter.DEGRADED) * (second.ok() + second.failed());
        return few || second.p50Millis() > p50Millis || second.p99Millis() > p99Millis;
    }
}
