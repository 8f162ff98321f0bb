package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.rundir.RunTable;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Samples each second what the servers' processes have used, where the kernels of their hosts can be asked, and writes {@code nodes.csv} when the load
 * has ended. Its rows are owned by the thread {@code node-meter} until that has ended.
 */
final class NodeMeter implements RunCompanion {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<Map<String, NodeUse>> source;
    private final StringBuilder rows = new StringBuilder();
    private volatile boolean over;
    private Thread thread;

    /** @param source asked each second */
    NodeMeter(Supplier<Map<String, NodeUse>> source) {
        this.source = source;
    }

    /** Asks once, so that connections to hosts, whose login takes longer than a sample may, are open when the load begins. */
    NodeMeter connected() {
        try {
            source.get();
        } catch (NodeControlException e) {
            // They are asked again each second.
        }
        return this;
    }

    @Override
    public void started(RunControl run) {
        thread = Daemon.thread(() -> measure(run), "node-meter");
        thread.start();
    }

    private void measure(RunControl run) {
        while (!over) {
            sample(run.clock().now());
            LockSupport.parkNanos(EVERY_NANOS);
        }
        sample(run.clock().now());
    }

    /** Adds a row for each server that has a process. */
    void sample(long atNanos) {
        try {
            source.get()
                    .forEach((node, use) -> rows.append(Formatted.of(
                            "%.3f,%s,%s,%.2f,%.1f,%.2f,%s\n",
                            atNanos / 1e9,
                            node,
                            use.process(),
                            use.cpuSeconds(),
                            use.memoryBytes() / 1e6,
                            use.ageSeconds(),
                            use.traffic().map(NodeMeter::text).orElse(",,"))));
        } catch (NodeControlException e) {
            // A second without rows: what happened in it is in the next ones.
        }
    }

    private static String text(NodeUse.Traffic over) {
        return Formatted.of("%s,%.3f,%.3f", over.network(), over.receivedBytes() / 1e6, over.sentBytes() / 1e6);
    }

    /** The whole file; empty when there is nothing to write. */
    String text() {
        return rows.isEmpty() ? "" : String.join(",", RunTable.NODES.columns()) + "\n" + rows;
    }

    @Override
    public void ended(RunControl run) {
        over = true;
        if (thread == null) {
            return; // the run failed before it began
        }
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!text().isEmpty()) {
            run.file(RunTable.NODES.file(), text());
        }
    }
}
