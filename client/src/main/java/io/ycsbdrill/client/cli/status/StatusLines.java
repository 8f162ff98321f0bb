package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Turns windows into lines, one each interval; several short windows share a line. Used by the run's own thread. */
final class StatusLines implements RunCompanion {
    private final String label;
    private final long everyNanos;
    private final Progress progress;
    private final Consumer<String> lines;
    private WindowSnapshot pending;
    private long done;

    /**
     * @param label put before each line
     * @param every shortest time between lines; a line is written at the end of the window that reaches it
     */
    StatusLines(String label, Duration every, Progress progress, Consumer<String> lines) {
        this.label = label + " ";
        this.everyNanos = every.toNanos();
        this.progress = progress;
        this.lines = lines;
    }

    @Override
    public void started(RunControl run) {
        // The lines come with the windows.
    }

    @Override
    public void window(WindowSnapshot window) {
        if (!window.complete()) {
            return;
        }
        done += window.ok() + window.failed() + window.unknown();
        pending = pending == null ? window : joined(pending, window);
        double elapsed = pending.endNanos() / 1e9;
        boolean last = progress.fraction(done, elapsed) >= 1;
        if (pending.endNanos() - pending.startNanos() >= everyNanos || last) {
            lines.accept(Formatted.of(
                    "%s%.1f s: %d {operation|operations}, %s%s",
                    label, elapsed, done, StatusText.of(pending), last ? "" : left(elapsed)));
            pending = null;
        }
    }

    private String left(double elapsed) {
        return progress.left(done, elapsed)
                .map(d -> ", about " + StatusText.left(d) + " left")
                .orElse("");
    }

    /** The p99 of several windows cannot be had from theirs; the worst of them is an upper bound and shown as such. */
    private static WindowSnapshot joined(WindowSnapshot a, WindowSnapshot b) {
        OptionalDouble p99 = a.p99Micros().isPresent() && b.p99Micros().isPresent()
                ? OptionalDouble.of(
                        Math.max(a.p99Micros().getAsDouble(), b.p99Micros().getAsDouble()))
                : a.p99Micros().isPresent() ? a.p99Micros() : b.p99Micros();
        return new WindowSnapshot(
                a.index(),
                a.startNanos(),
                b.endNanos(),
                a.ok() + b.ok(),
                a.failed() + b.failed(),
                a.unknown() + b.unknown(),
                a.skipped() + b.skipped(),
                p99,
                true);
    }
}
