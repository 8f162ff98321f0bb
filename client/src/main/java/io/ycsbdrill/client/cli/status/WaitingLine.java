package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.Calibrated;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.RunSpec;
import java.time.Duration;
import java.time.Instant;

/** Reports that the run waits for its start, and what its calibration has found: on a terminal when the bar is gone. */
public final class WaitingLine implements RunCompanion {
    private final CommandContext world;
    private final RunSpec spec;
    private volatile String held = "";

    public WaitingLine(CommandContext world, RunSpec spec) {
        this.world = world;
        this.spec = spec;
    }

    @Override
    public void waiting(Instant start, Duration left) {
        world.say(LiveStatus.label(spec) + " waits until " + start + " (" + StatusText.left(left)
                + "); all threads are ready");
    }

    @Override
    public void started(RunControl run) {
        spec.calibration()
                .ifPresent(calibration ->
                        world.say(LiveStatus.label(spec) + " begins with a calibration: a closed loop for "
                                + calibration.seconds() + " s measures the maximum"));
    }

    @Override
    public void calibrated(Calibrated result) {
        if (world.terminal()) {
            held = result.text();
        } else {
            world.say(result.text());
        }
    }

    @Override
    public void ended(RunControl run) {
        if (!held.isEmpty()) {
            world.say(held);
        }
    }
}
