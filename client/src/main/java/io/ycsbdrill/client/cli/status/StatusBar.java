package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar with the throughput of the last second, the last window's p99 and all errors so far. Called on the run's
 * thread; between windows its own thread {@code status} moves the bar.
 */
final class StatusBar implements RunCompanion {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final PrintStream terminal;
    private final RunSpec spec;
    private final Progress progress;
    private final Supplier<String> remark;
    private ProgressBar bar;
    private Thread mover;
    private volatile Seen seen = new Seen(0, 0, 0, 0, "");

    /** What complete windows have shown; immutable, so that the mover reads one state. */
    private record Seen(long done, long failed, long unknown, long untilNanos, String p99) {}

    StatusBar(PrintStream terminal, RunSpec spec, Progress progress, Supplier<String> remark) {
        this.terminal = terminal;
        this.spec = spec;
        this.progress = progress;
        this.remark = remark;
    }

    @Override
    public void started(RunControl run) {
        ProgressBarBuilder builder = new ProgressBarBuilder()
                .setTaskName(LiveStatus.label(spec))
                .setInitialMax(progress.total())
                .continuousUpdate() // the remark and the rates change also when the bar does not move
                .setUpdateIntervalMillis(500)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new TerminalLine(terminal))
                .setEtaFunction(state -> progress.left(done(run), run.clock().now() / 1e9));
        if (progress.total() < 0) {
            builder.setRenderer((state, width) -> endless(
                    state.getTaskName(), state.getTotalElapsed(), state.getCurrent(), state.getExtraMessage(), width));
        }
        bar = builder.build();
        mover = Daemon.thread(() -> move(run), "status");
        mover.start();
    }

    /**
     * The status of a run that has no end of its own, as a drill: no share of anything, only what has been. In a narrow terminal what has
     * been done goes first, as rates, errors and phase matter more.
     */
    static String endless(String label, Duration elapsed, long operations, String more, int width) {
        String begin = Formatted.of("%s %d:%02d", label, elapsed.toMinutes(), elapsed.toSecondsPart());
        String line = begin + Formatted.of(", %d {operation|operations}", operations) + more;
        String fits = line.length() > width ? begin + more : line;
        return fits.length() > width ? fits.substring(0, Math.max(0, width)) : fits;
    }

    @Override
    public void window(WindowSnapshot window) {
        if (window.complete()) {
            Seen before = seen;
            seen = new Seen(
                    before.done + window.ok() + window.failed() + window.unknown(),
                    before.failed + window.failed(),
                    before.unknown + window.unknown(),
                    window.endNanos(),
                    ", p99 " + StatusText.latency(window.p99Micros()));
        }
    }

    @Override
    public void ended(RunControl run) {
        mover.interrupt();
        try {
            mover.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        bar.close();
    }

    private void move(RunControl run) {
        try {
            while (true) {
                Thread.sleep(500);
                show(run);
            }
        } catch (InterruptedException e) {
            show(run);
        }
    }

    private void show(RunControl run) {
        List<Long> second = run.recentSlices(SECOND);
        long ok = second.stream().mapToLong(Long::longValue).sum();
        Seen now = seen;
        String rate = second.isEmpty() ? "" : Formatted.of("%d op/s", ok * 10 / second.size());
        String errors = (now.failed > 0 ? ", " + now.failed + " failed" : "")
                + (now.unknown > 0 ? ", " + now.unknown + " unknown" : "");
        String more = remark.get();
        bar.setExtraMessage(" " + rate + now.p99 + errors + (more.isEmpty() ? "" : " [" + more + "]"));
        bar.stepTo(progress.reached(done(run), run.clock().now() / 1e9));
    }

    /** Complete windows, and the successes since. */
    private long done(RunControl run) {
        Seen now = seen;
        long since = Math.max(0, run.clock().now() - now.untilNanos);
        return now.done
                + run.recentSlices(Duration.ofNanos(since)).stream()
                        .mapToLong(Long::longValue)
                        .sum();
    }
}
