package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpecText;
import io.ycsbdrill.client.run.StartGate;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One of the further clients of a {@link RunGroup}, in its own process. What to run comes by standard input, and orders after it; when that
 * ends the first client is gone, and this one ends, too. Used by one thread, beside its own.
 */
public final class JoinedClient implements StartGate, RunCompanion {
    private static final long TIMEOUT_SECONDS = 60;

    private final BufferedReader orders;
    private final PrintStream answers;
    private final Runnable halt;
    private final BenchmarkRun run;
    private final IntervalSender intervals;
    private Optional<Instant> start = Optional.empty();
    private RunControl running;
    private boolean ended;
    private volatile boolean over;
    private boolean stopped;

    private JoinedClient(
            RunSpec spec,
            BufferedReader orders,
            PrintStream answers,
            Runnable halt,
            Function<RunSpec, List<RunCompanion>> companions) {
        this.orders = orders;
        this.answers = answers;
        this.halt = halt;
        List<RunCompanion> all = new ArrayList<>(List.of(this));
        intervals = new IntervalSender(text -> answer(ClientProcess.INTERVAL + text));
        all.add(intervals);
        all.addAll(companions.apply(spec));
        run = new BenchmarkRun(spec, all).startingWith(this);
    }

    /**
     * Waits for what is to be run.
     *
     * @param answers read by the first client; nothing else may be written there
     * @param halt ends the process at once
     * @param companions of its run
     * @throws UncheckedIOException when there is nothing to read
     * @throws IllegalArgumentException when what there is comes from somebody else
     */
    public static JoinedClient of(
            InputStream orders, PrintStream answers, Runnable halt, Function<RunSpec, List<RunCompanion>> companions) {
        BufferedReader lines = new BufferedReader(new InputStreamReader(orders, StandardCharsets.UTF_8));
        return Io.get("standard input cannot be read", () -> {
            String line = lines.readLine();
            return new JoinedClient(RunSpecText.read(line == null ? "" : line), lines, answers, halt, companions);
        });
    }

    /**
     * Runs it.
     *
     * @param executor executes the run, and may interrupt it
     */
    public RunResult execute(Function<BenchmarkRun, RunResult> executor) {
        Daemon.thread(this::listen, "orders").start();
        RunResult result = executor.apply(run);
        over = true;
        intervals.close();
        answer(ClientProcess.OVER + result.state());
        return result;
    }

    private void answer(String line) {
        answers.println(line);
        answers.flush();
    }

    private void listen() {
        for (Optional<String> line = next(); line.isPresent(); line = next()) {
            take(line.get());
        }
        leftAlone();
    }

    private Optional<String> next() {
        // As good as its end.
        return Io.or(Optional.empty(), () -> Optional.ofNullable(orders.readLine()));
    }

    private void take(String line) {
        if (line.startsWith(ClientProcess.CLOCK)) {
            String arrived = line + " " + ClientProcess.epochNanos(Instant.now());
            answer(arrived + " " + ClientProcess.epochNanos(Instant.now()));
        } else if (line.startsWith(ClientProcess.START)) {
            start(Instant.parse(line.substring(ClientProcess.START.length())));
        } else if (line.equals(ClientProcess.END)) {
            end();
        } else if (line.startsWith(ClientProcess.STOP)) {
            stopped = true;
            run.interrupt(line.substring(ClientProcess.STOP.length()));
        }
    }

    /** The first client is gone; what this one has measured is still worth a run directory. */
    private void leftAlone() {
        if (over) {
            return;
        }
        if (stopped) {
            halt.run();
        }
        run.interrupt("the command that started this client has ended");
        try {
            TimeUnit.SECONDS.sleep(TIMEOUT_SECONDS);
            halt.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void start(Instant agreed) {
        start = Optional.of(agreed);
    }

    private void end() {
        RunControl known;
        synchronized (this) {
            ended = true;
            known = running;
        }
        if (known != null) {
            known.end();
        }
    }

    @Override
    public void ready() {
        answer(ClientProcess.READY);
    }

    @Override
    public synchronized Optional<Instant> agreed() {
        return start;
    }

    @Override
    public void started(RunControl control) {
        boolean already;
        synchronized (this) {
            running = control;
            already = ended;
        }
        if (already) {
            control.end();
        }
    }
}
