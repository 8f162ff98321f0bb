package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.Limit;
import io.ycsbdrill.fault.schedule.Limits;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.time.Duration;

/** Limits of a drill that this run could never judge: said before anything is injected, not after it. Pure. */
final class DrillLimits {
    /** How long the steady state has to be that the report compares with. */
    private static final Duration BASELINE = Duration.ofSeconds(5);

    /** @param audited whether the run is */
    static void check(DrillFile file, RunSpec run, boolean audited, Problems problems) {
        Limits limits = file.schedule().limits();
        if (limits.needAudit() && !audited) {
            problems.add(file.file() + ": limits." + Limit.ACKED_LOST.key() + " and limits." + Limit.MAX_RPO.key()
                    + " can be judged only with an audit; turn it on, or remove them");
        }
        if (limits.get(Limit.INCONSISTENT).isPresent()
                && TableProbe.checking(run.properties()).isEmpty()) {
            problems.add(file.file() + ": limits." + Limit.INCONSISTENT.key() + " could never be judged: workload="
                    + run.properties().getProperty("workload") + " does not check its data; remove the limit, or use a"
                    + " workload that does, such as workloads/tpcc");
        }
        file.schedule().steps().stream()
                .filter(step -> step.fault().takesBack())
                .findFirst()
                .ifPresent(step -> takesBack(file, step, run, problems));
        file.schedule().steady().ifPresent(gate -> {
            Duration earliest = earliest(gate).plus(file.schedule().firstStep());
            Duration calibration = run.calibration()
                    .map(first -> Duration.ofSeconds(first.seconds()))
                    .orElse(Duration.ZERO);
            Duration measured = earliest.plus(calibration).minus(run.warmup());
            if (!run.warmup().isZero() && measured.compareTo(BASELINE) < 0) {
                problems.add("--warmup " + Durations.print(run.warmup()) + ": the first fault may come "
                        + Durations.print(earliest.plus(calibration))
                        + " after the start, and nothing can be compared with less than " + Durations.print(BASELINE)
                        + " of load after the warm-up; expected a shorter one, or a larger steady.after");
            }
        });
    }

    private static void takesBack(DrillFile file, ScheduledFault step, RunSpec run, Problems problems) {
        String subject =
                file.file() + ": step " + step.name() + ": " + step.fault().name();
        if (file.schedule().limits().get(Limit.MAX_RPO).isEmpty()) {
            problems.add(
                    subject + " takes acknowledged writes back, and nothing says how many seconds of them may be gone;"
                            + " set limits." + Limit.MAX_RPO.key());
        }
        if (TableProbe.checking(run.properties()).isPresent()) {
            problems.add(subject + " takes acknowledged writes back, and workload="
                    + run.properties().getProperty("workload")
                    + " would find its data inconsistent; use a workload that does not check its data, such as"
                    + " workloads/workloada");
        }
    }

    private static Duration earliest(SteadyState gate) {
        return gate.after().compareTo(gate.length()) > 0 ? gate.after() : gate.length();
    }
}
