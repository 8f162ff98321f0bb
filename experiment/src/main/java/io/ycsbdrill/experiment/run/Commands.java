package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands one after the other, each until its end. {@link #stop} may be called from any thread and ends the command under way,
 * and every later one but those that clean up.
 */
final class Commands {
    /** What a command has to end in order; a run completes its directory, a drill heals its faults. */
    private static final long END_SECONDS = 45;

    private Tool tool;
    private Path directory;
    private Process current;
    private boolean stopped;

    /** How a command ended. */
    record Ended(int exitCode, boolean late, boolean interrupted) {}

    /** @param directory the working directory of all commands */
    Commands(Tool tool, Path directory) {
        this.tool = tool;
        this.directory = directory;
    }

    /** Those of another experiment follow; returns whether names that are relative still mean the same. */
    boolean switchTo(Tool next, Path from) {
        boolean same = from.equals(directory);
        tool = next;
        directory = from;
        return same;
    }

    /** Runs a command unless it is too late for that; see {@link Tool#start}. */
    Ended run(List<String> command, Path output, Path pidFile, Map<String, String> environment, Duration timeout)
            throws IOException, InterruptedException {
        Process process;
        synchronized (this) {
            if (stopped) {
                return new Ended(-1, false, true);
            }
            process = tool.start(command, directory, output, pidFile, environment);
            current = process;
        }
        try {
            boolean late = !process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (late) {
                end(process);
            }
            return new Ended(process.waitFor(), late, stopped());
        } finally {
            end(process);
            synchronized (this) {
                current = null;
            }
        }
    }

    /** Runs a command that puts things in order, also after {@link #stop}. */
    Ended cleanUp(List<String> command, Path output, Path pidFile, Map<String, String> environment, Duration timeout)
            throws IOException, InterruptedException {
        Process process = tool.start(command, directory, output, pidFile, environment);
        try {
            boolean late = !process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new Ended(late ? -1 : process.exitValue(), late, false);
        } finally {
            end(process);
        }
    }

    synchronized boolean stopped() {
        return stopped;
    }

    void stop() {
        Process process;
        synchronized (this) {
            stopped = true;
            process = current;
            notifyAll();
        }
        if (process != null) {
            end(process);
        }
    }

    /** Waits, unless it is stopped. */
    synchronized void pause(Duration length) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0 && !stopped; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** In order, or by force when that takes too long; also when interrupted. */
    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        process.destroy();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        ProcessTree.kill(process);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
