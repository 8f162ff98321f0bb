package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.merge.ClientClock;
import io.ycsbdrill.client.merge.ClientClock.Exchange;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpecText;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Another client of a run, in a process that it is alone in; {@link JoinedClient} is its other end. What it is to do goes through a pipe, as
 * others can read a process's arguments, and so it notices when this process is gone. Thread-safe.
 */
final class ClientProcess implements OtherClient {
    static final String READY = "ready";
    static final String OVER = "over ";
    static final String START = "start ";
    static final String END = "end";
    static final String STOP = "stop ";
    /** A question for the time, with that of the asking one; the answer adds when it arrived there and when it was answered. */
    static final String CLOCK = "clock ";
    /** What the client has recorded in an interval: {@link IntervalText}. */
    static final String INTERVAL = "interval ";

    private static final int EXCHANGES = 21;
    private static final int LAST_EXCHANGES = 5;

    private static final int SIGNALLED = 128;
    /** The exit code by which ssh says that it has no connection. */
    private static final int LOST = 255;

    private final String name;
    private final Process process;
    private final ClientPlace place;
    private final BufferedWriter orders;
    private final List<Exchange> before = new ArrayList<>();
    private final List<Exchange> after = new ArrayList<>();
    private boolean isReady;

    private ClientProcess(String name, ClientPlace place, Process process) {
        this.name = name;
        this.place = place;
        this.process = process;
        orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param say notified of its output, each line with the client's name before it
     * @param sums what it records is added to them
     * @throws UncheckedIOException when the process cannot be started
     */
    static ClientProcess start(
            ClientPlace place, RunSpec spec, Listener listener, Consumer<String> say, GroupSums sums) {
        String name = place.where().isEmpty() ? name(spec) : name(spec) + " " + place.where();
        RunSpec placed = place.placed(spec);
        ClientProcess client =
                Io.get(name + " cannot be started", () -> new ClientProcess(name, place, place.start(placed)));
        thread(name + " says", () -> read(client.process.getErrorStream(), line -> say.accept(name + ": " + line)));
        thread(name, () -> client.follow(listener, sums, spec.part().number()));
        client.write(RunSpecText.write(placed));
        return client;
    }

    /** As in messages: {@code client 2 of 3}. */
    static String name(RunSpec spec) {
        return "client " + spec.part().number() + " of " + spec.part().of();
    }

    @Override
    public String name() {
        return name;
    }

    private static void thread(String name, Runnable work) {
        Daemon.thread(work, name.replace(' ', '-')).start();
    }

    private static void read(InputStream from, Consumer<String> line) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            lines.lines().forEach(line);
        } catch (IOException | UncheckedIOException e) {
            line.accept("its output can no longer be read: " + e.getMessage());
        }
    }

    /** Until its end. */
    private void follow(Listener listener, GroupSums sums, int number) {
        read(process.getInputStream(), line -> {
            if (line.startsWith(INTERVAL)) {
                sums.add(number, line.substring(INTERVAL.length()));
            } else {
                heard(line, listener);
            }
        });
        sums.over(number);
        listener.exited(this, process.onExit().join().exitValue());
    }

    private void heard(String line, Listener listener) {
        long now = epochNanos(Instant.now());
        if (line.equals(READY) && place.hasOwnClock()) {
            askForTime();
        } else if (line.equals(READY)) {
            listener.ready(this);
        } else if (line.startsWith(OVER)) {
            listener.over(this, line.substring(OVER.length()));
        } else if (line.startsWith(CLOCK)) {
            compared(line.substring(CLOCK.length()).split(" "), now, listener);
        }
    }

    private void askForTime() {
        write(CLOCK + epochNanos(Instant.now()));
    }

    /** One after the other until there are enough to start by; those at the end come by themselves. */
    private void compared(String[] times, long heard, Listener listener) {
        Exchange exchange =
                new Exchange(Long.parseLong(times[0]), Long.parseLong(times[1]), Long.parseLong(times[2]), heard);
        boolean enough;
        synchronized (this) {
            if (isReady) {
                after.add(exchange);
                return;
            }
            before.add(exchange);
            enough = before.size() == EXCHANGES;
            isReady = enough;
        }
        if (enough) {
            listener.ready(this);
        } else {
            askForTime();
        }
    }

    static long epochNanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    /** How far its clock is ahead; empty when it is this machine's, or was never compared. */
    synchronized Optional<ClientClock> clock() {
        return before.isEmpty() ? Optional.empty() : Optional.of(ClientClock.of(before, after));
    }

    @Override
    public boolean mayBeLost() {
        return place.mayBeLost();
    }

    /** Times are passed on as its own clock will show them. */
    @Override
    public void order(String line) {
        Optional<ClientClock> clock = clock();
        if (line.startsWith(START) && clock.isPresent()) {
            write(START
                    + Instant.parse(line.substring(START.length()))
                            .plusNanos(clock.get().offsetNanos()));
            return;
        }
        if (clock.isPresent() && (line.equals(END) || line.startsWith(STOP))) {
            for (int i = 0; i < LAST_EXCHANGES; i++) {
                askForTime();
            }
        }
        write(line);
    }

    private synchronized void write(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            return; // It has ended, which is reported to its listener.
        }
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    /** How it ended, in words: {@code killed by signal 9}. */
    static String ending(int exitCode) {
        return exitCode == LOST
                ? "the connection to its host broke"
                : exitCode > SIGNALLED ? "killed by signal " + (exitCode - SIGNALLED) : "exit code " + exitCode;
    }
}
