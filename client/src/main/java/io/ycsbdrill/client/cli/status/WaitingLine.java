package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.RunSpec;
import java.time.Duration;
import java.time.Instant;

/** Reports that the run waits for its start. */
public record WaitingLine(CommandContext world, RunSpec spec) implements RunCompanion {

    @Override
    public void waiting(Instant start, Duration left) {
        world.say(LiveStatus.label(spec) + " waits until " + start + " (" + StatusText.left(left)
                + "); all threads are ready");
    }

    @Override
    public void started(RunControl run) {
        // From now on the status lines tell.
    }
}
