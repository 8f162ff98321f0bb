package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sends what a client records to the first client while it runs, by a thread of its own: a connection that stalls must not hold up the
 * measurement. What it cannot take in time is left out; the run directory has it.
 */
final class IntervalSender implements RunCompanion, AutoCloseable {
    private static final int MOST_WAITING = 120;
    private static final Duration LAST = Duration.ofSeconds(5);

    private final Consumer<String> lines;
    private final TaskThread thread = new TaskThread("intervals", MOST_WAITING);
    private RunControl run;

    /** @param lines are given each interval as {@link IntervalText} */
    IntervalSender(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public void started(RunControl control) {
        run = control;
    }

    @Override
    public void interval(IntervalTotals interval, Operations names) {
        Optional<ServedSecond> second = GroupSeconds.ending(interval, run);
        thread.execute(() -> lines.accept(IntervalText.write(interval, names, second)));
    }

    /** What is left is sent, if that is possible within five seconds. */
    @Override
    public void close() {
        thread.finish(LAST);
    }
}
