package io.ycsbdrill.client.run.measure;

import java.util.function.Consumer;

/** Makes windows of a run's intervals. Owned by one thread at a time, which makes the calls. */
public final class WindowCutter {
    private static final long PARTIAL_NANOS = 1_000_000_000L;

    private final long windowNanos;
    private final Consumer<Window> complete;
    private final Consumer<WindowSnapshot> shown;
    private Window window = new Window(0, 0, 0);

    /**
     * @param windowNanos length of a window; a multiple of the intervals'
     * @param complete called with each window that nothing is added to any more
     * @param shown called after that with what there is to show of it, and once a second with what there is so far
     */
    public WindowCutter(long windowNanos, Consumer<Window> complete, Consumer<WindowSnapshot> shown) {
        this.windowNanos = windowNanos;
        this.complete = complete;
        this.shown = shown;
    }

    /** Adds the interval that follows. */
    public void add(IntervalTotals interval) {
        window.add(interval);
        if (interval.endNanos() - window.startNanos() == windowNanos) {
            cut();
        } else if (interval.endNanos() % PARTIAL_NANOS == 0) {
            shown.accept(window.snapshot(false));
        }
    }

    /** Nothing follows: the last window, which may be short, is complete. */
    public void finish() {
        if (window.endNanos() > window.startNanos()) {
            cut();
        }
    }

    private void cut() {
        complete.accept(window);
        shown.accept(window.snapshot(true));
        window = new Window(window.index() + 1, window.endNanos(), window.endNanos());
    }
}
