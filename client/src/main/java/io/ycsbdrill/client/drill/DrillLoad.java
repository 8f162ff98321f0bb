package io.ycsbdrill.client.drill;

import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import io.ycsbdrill.fault.schedule.OfferedLoad;
import java.time.Duration;
import java.util.Optional;

/**
 * The load of a drill, as a run takes it.
 *
 * @param afterStall what becomes of late arrivals
 * @param capOperations with {@link AfterStall#CAP} how many late ones are kept; 0 = one second's worth
 * @param calibration length of a calibration, whatever the drill says; empty = as the drill says
 */
public record DrillLoad(AfterStall afterStall, long capOperations, Optional<Duration> calibration) {
    /** Every late arrival is sent. */
    public static final DrillLoad CATCHUP = new DrillLoad(AfterStall.CATCHUP, 0, Optional.empty());

    /** Sets rate or calibration of the run, or neither. */
    public void set(OfferedLoad load, RunSpec.Builder spec) {
        spec.rate(Optional.empty()).calibration(Optional.empty());
        if (load instanceof OfferedLoad.Rate rate) {
            long cap = capOperations > 0 || afterStall != AfterStall.CAP
                    ? capOperations
                    : (long) Math.ceil(rate.perSecond());
            spec.rate(Optional.of(RatePlan.constant(rate.perSecond(), afterStall, cap)));
        } else if (load instanceof OfferedLoad.Share share) {
            Duration length = calibration.or(share::calibration).orElse(Calibration.STANDARD);
            spec.calibration(Optional.of(new Calibration(share.share(), length, afterStall, capOperations)));
        }
    }
}
