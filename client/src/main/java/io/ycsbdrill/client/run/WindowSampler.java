package io.ycsbdrill.client.run;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.file.OwnerSlices;
import io.ycsbdrill.client.run.file.RunTotals;
import io.ycsbdrill.client.run.file.ThreadGaps;
import io.ycsbdrill.client.run.file.WindowFiles;
import io.ycsbdrill.client.run.measure.Collector;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.WindowCutter;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes interval after interval from the client threads, and makes slices, windows and the run's totals of them. The steps are
 * called by the thread {@code window-sampler} and, when that has ended, by the run's own.
 */
final class WindowSampler {
    private final Collector collector;
    private final Operations operations;
    private final WindowFiles files;
    private final RunTotals totals;
    private final LiveRun live;
    private final RunState state;
    private final List<RunCompanion> companions;
    private final ThreadGaps threads;
    private final Optional<OwnerSlices> owners;
    private final WindowCutter windows;
    private boolean unwritable;
    private volatile long longestNanos;

    WindowSampler(
            Collector collector,
            Operations operations,
            WindowFiles files,
            RunTotals totals,
            LiveRun live,
            RunState state,
            List<RunCompanion> companions,
            ThreadGaps threads,
            Optional<OwnerSlices> owners,
            long windowNanos) {
        this.collector = collector;
        this.operations = operations;
        this.files = files;
        this.totals = totals;
        this.live = live;
        this.state = state;
        this.companions = companions;
        this.threads = threads;
        this.owners = owners;
        windows = new WindowCutter(windowNanos, whole -> write(() -> files.window(whole)), this::report);
    }

    /** Takes what is due; false when nothing was. */
    boolean step() {
        var interval = collector.poll();
        interval.ifPresent(this::accept);
        return interval.isPresent();
    }

    /** When the next step has something to do, since run start. */
    long nextDueNanos() {
        return collector.nextDueNanos();
    }

    /** Takes all that is left of a run that has ended. */
    void finish(long endNanos) {
        for (var last = collector.pollClosed(endNanos); last.isPresent(); last = collector.pollClosed(endNanos)) {
            accept(last.get());
        }
        windows.finish();
        write(() -> threads.finish(endNanos));
        write(threads::close);
        if (owners.isPresent()) {
            write(owners.get()::close);
        }
    }

    /** The longest call that has returned so far. */
    long longestNanos() {
        return longestNanos;
    }

    private void accept(IntervalTotals interval) {
        state.stoppedNanos().ifPresent(totals::stoppedAt);
        totals.add(interval);
        slices(interval);
        live.served().add(interval);
        write(() -> files.slices(interval));
        write(() -> threads.add(interval));
        if (owners.isPresent()) {
            write(() -> owners.get().add(interval));
        }
        report("interval " + interval.index(), companion -> companion.interval(interval, operations));
        windows.add(interval);
    }

    private void slices(IntervalTotals interval) {
        long longest = longestNanos;
        for (int i = 0; i < interval.slices(); i++) {
            long ok = 0;
            for (var operation : interval.sliced().entrySet()) {
                if (Operations.isCall(operation.getKey())) {
                    ok += operation.getValue().count(Outcome.OK, i);
                    longest = Math.max(longest, operation.getValue().maxServiceNanos()[i]);
                }
            }
            live.slice(ok);
        }
        longestNanos = longest;
    }

    private void report(WindowSnapshot snapshot) {
        report("window " + snapshot.index(), companion -> companion.window(snapshot));
    }

    private void report(String what, Consumer<RunCompanion> call) {
        for (RunCompanion companion : companions) {
            try {
                call.accept(companion);
            } catch (RuntimeException | Error e) {
                state.abort(companion.getClass().getSimpleName() + " failed in " + what + ": " + Reasons.of(e));
            }
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    /** After a failed write nothing more is written, so that no file has a hole; the sums go on. */
    private void write(Writing writing) {
        if (unwritable) {
            return;
        }
        try {
            writing.run();
        } catch (IOException e) {
            unwritable = true;
            state.abort("the run directory can no longer be written (disk full?): " + FileReason.of(e));
        }
    }
}
