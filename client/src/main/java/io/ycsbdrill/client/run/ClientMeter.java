package io.ycsbdrill.client.run;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.file.Format;
import io.ycsbdrill.rundir.TableWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures whether the client itself could run: a thread that only naps notes how late it wakes up, and what the process and the machine did
 * meanwhile. Writes {@code client.csv}, one row for each slice. All state is owned by the thread {@code client-meter}.
 */
final class ClientMeter {
    static final long NAP_NANOS = 5_000_000;
    private static final int ROWS_BETWEEN_FLUSHES = 10;

    private final RunClock clock;
    private final long sliceNanos;
    private final ClientLoad load;
    private final TableWriter file;
    private final RunState state;
    private final Thread thread = Daemon.thread(this::measure, "client-meter");
    private volatile boolean over;
    /** For each slice from {@link #first} on, the longest part for which the thread overslept; grows when a stall is long. */
    private long[] overslept = new long[16];

    private long first;
    private long awakeNanos;
    private ClientLoad.Reading last;

    ClientMeter(RunClock clock, long sliceNanos, ClientLoad load, TableWriter file, RunState state) throws IOException {
        this.clock = clock;
        this.sliceNanos = sliceNanos;
        this.load = load;
        this.file = file;
        this.state = state;
        last = load.read();
        awakeNanos = clock.now();
        first = awakeNanos / sliceNanos;
    }

    void start() {
        thread.start();
    }

    void end() throws InterruptedException {
        stop();
        thread.join();
    }

    /** Lets it end, without waiting for it. */
    void stop() {
        over = true;
    }

    private void measure() {
        try (file) {
            while (!over) {
                LockSupport.parkNanos(NAP_NANOS);
                woke(clock.now());
            }
        } catch (IOException e) {
            state.abort("client.csv can no longer be written: " + e.getMessage());
        }
    }

    /** The nap that began when it woke up last is over now. */
    void woke(long now) throws IOException {
        for (long at = Math.min(now, awakeNanos + NAP_NANOS); at < now; ) {
            long slice = at / sliceNanos;
            long until = Math.min(now, (slice + 1) * sliceNanos);
            int index = (int) (slice - first);
            if (index >= overslept.length) {
                overslept = Arrays.copyOf(overslept, index * 2);
            }
            overslept[index] = Math.max(overslept[index], until - at);
            at = until;
        }
        awakeNanos = now;
        long current = now / sliceNanos;
        if (current > first) {
            rows((int) (current - first));
        }
    }

    /** Writes the slices that are over. What the system counts is known for all of them together only. */
    private void rows(int count) throws IOException {
        ClientLoad.Reading next = load.read();
        ClientLoad.Use use = next.since(last);
        last = next;
        for (int i = 0; i < count; i++) {
            file.row(
                    first + i,
                    Format.seconds((first + i) * sliceNanos),
                    plain(overslept[i] / 1e6),
                    i == count - 1 ? use.gcMillis() : 0,
                    plain(use.clientCpus()),
                    plain(use.idle()),
                    plain(use.steal()));
        }
        overslept = Arrays.copyOfRange(overslept, count, count + Math.max(16, overslept.length - count));
        first += count;
        if (first % ROWS_BETWEEN_FLUSHES < count) {
            file.flush();
        }
    }

    /** Three decimals; empty when it is not known. */
    private static String plain(double value) {
        return Double.isNaN(value)
                ? ""
                : BigDecimal.valueOf(value)
                        .setScale(3, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
