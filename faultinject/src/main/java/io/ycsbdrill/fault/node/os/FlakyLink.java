package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Flaky;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The thread that pulls and plugs in the cable of one node by turns. */
final class FlakyLink {
    private static final long END_BOUND_SECONDS = 60;

    private final String node;
    private final SplittableRandom times;
    private final Flaky plan;
    private final Runnable out;
    private final Runnable in;
    private final Supplier<Sight> sight;
    private final Thread thread;
    private int pulled;
    private Sight felt;
    private String failure = "";

    /**
     * Begins with {@link #begin}.
     *
     * @param out pulls the cable
     * @param in plugs it in
     * @param sight whether packets were lost since it was pulled, while it is
     */
    FlakyLink(String node, Flaky plan, Runnable out, Runnable in, Supplier<Sight> sight) {
        this.node = node;
        this.plan = plan;
        this.times = new SplittableRandom(plan.seed());
        this.out = out;
        this.in = in;
        this.sight = sight;
        this.thread = Daemon.thread(this::run, "flaky-" + node);
    }

    /** Pulls the cable for the first time, and goes on in a thread of its own. */
    void begin() {
        pull();
        thread.start();
    }

    private synchronized void pull() {
        out.run();
        pulled++;
    }

    private void run() {
        try {
            while (true) {
                sleep(plan.down());
                synchronized (this) {
                    feel();
                }
                in.run();
                sleep(plan.up());
                pull();
            }
        } catch (InterruptedException e) {
            // It is to end.
        } catch (NodeControlException e) {
            synchronized (this) {
                failure = e.getMessage();
            }
        }
    }

    private void sleep(Duration mean) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(next(times, mean));
    }

    /** A time between half and one and a half times the mean, in nanoseconds. */
    static long next(SplittableRandom times, Duration mean) {
        return (long) ((0.5 + times.nextDouble()) * mean.toNanos());
    }

    /** The first sight of an effect stays. Nobody asks after that: the cable would be out for longer. */
    private void feel() {
        if (felt == null || !felt.effect()) {
            felt = sight.get();
        }
    }

    synchronized Sight look() {
        if (!failure.isEmpty()) {
            return new Sight(false, "the links of " + node + " are not pulled any more: " + failure);
        }
        if (felt == null) {
            feel();
        }
        return new Sight(felt.effect(), felt.text() + ", pulled " + Counted.of(pulled, "time"));
    }

    /** Ends the thread; the cable may be in or out. An interrupt does not cut it short. */
    void end() {
        thread.interrupt();
        boolean interrupted = false;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_BOUND_SECONDS);
        while (thread.isAlive() && System.nanoTime() - until < 0) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
