package io.ycsbdrill.client.live;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.file.Markers;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.WindowFiles;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.measure.Window;
import io.ycsbdrill.client.run.measure.WindowCutter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The windows and slices of all clients of a run while it goes on, as files that grow like those of a run directory, in a temporary folder. A
 * disk that is full ends the files, not the run. Closed by the command's thread when nothing is told any more.
 */
final class GroupFigures implements RunCompanion, AutoCloseable {
    private final OwnedDirectory owned;
    private final WindowCutter windows;
    private WindowFiles files;
    private boolean unwritable;

    /** @throws UncheckedIOException when there can be no temporary folder */
    GroupFigures(Duration window) {
        windows = new WindowCutter(window.toNanos(), this::write, shown -> {});
        owned = Io.get("--live needs a temporary folder", () -> OwnedDirectory.temporary("ycsb-drill-live"));
    }

    /** Where the files are, once there is something to write. */
    Path directory() {
        return owned.path();
    }

    @Override
    public void started(RunControl run) {
        // The files begin with the first interval.
    }

    @Override
    public synchronized void interval(IntervalTotals interval, Operations names) {
        if (unwritable) {
            return;
        }
        try {
            if (files == null) {
                files = new WindowFiles(RunDirectory.create(owned.path()), names, new Markers(), Timeline.SLICE_NANOS);
            }
            files.slices(interval);
            windows.add(interval);
        } catch (IOException | UncheckedIOException e) {
            unwritable = true;
        }
    }

    private void write(Window whole) {
        Io.run(() -> files.window(whole));
    }

    @Override
    public synchronized void close() {
        unwritable = true;
        try {
            if (files != null) {
                files.close();
            }
            owned.delete();
        } catch (IOException e) {
            return; // a temporary folder: the system removes what is left of it
        }
    }
}
