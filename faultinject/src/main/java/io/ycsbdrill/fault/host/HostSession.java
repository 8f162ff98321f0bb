package io.ycsbdrill.fault.host;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one command on a host again and again, over one connection: what is asked twice a second must not open one each time. It is
 * opened by the first run, and by the next one after it was lost. A bound may be shorter than the login takes: who comes later waits for
 * the same connection. Thread-safe; runs follow each other.
 */
public final class HostSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostSession.class);

    /** Each line that is read runs the command; after its output comes the line's first word again, with the exit code. */
    private static final String SCRIPT =
            "while IFS=' ' read -r question argument; do argument=$argument \"$@\" </dev/null 2>&1; echo \"$question $?\"; done";

    private static final String END = "\0";
    /** A connection on which nothing was answered for so long is given up. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The most that a host may send in answer to a question, and without one: one that sends more is not listened to. */
    private static final int MOST_CHARACTERS = 1 << 20;

    private static final int LAST_WORDS = 2000;
    private static final String TOO_MUCH = "more than " + MOST_CHARACTERS + " characters came";

    /** Lines that have come, and that nobody has taken yet. */
    private static final class Answers {
        final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        final AtomicLong characters = new AtomicLong();

        void add(String line) throws IOException {
            if (characters.addAndGet(line.length() + 1) > MOST_CHARACTERS) {
                throw new IOException(TOO_MUCH);
            }
            lines.add(line);
        }

        String poll(long nanos) throws InterruptedException {
            String next = lines.poll(nanos, TimeUnit.NANOSECONDS);
            if (next != null) {
                characters.addAndGet(-next.length() - 1);
            }
            return next;
        }
    }

    private final Host host;
    private final List<String> line;
    private Process process;
    private Writer questions;
    private Answers answers;
    private long asked;
    private long answered;
    private long askedNanos;
    private boolean closed;

    /** @param command program and arguments; no shell reads them */
    public HostSession(Host host, List<String> command) {
        this(host.call(loop(command)).line(), host);
    }

    /** @param line what this machine runs for it */
    HostSession(List<String> line, Host host) {
        this.host = host;
        this.line = line;
    }

    private static List<String> loop(List<String> command) {
        List<String> loop = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        loop.addAll(command);
        return loop;
    }

    /**
     * Runs the command to its end.
     *
     * @throws IOException when the host cannot be reached, or there is no whole answer within the bound; an answer that comes later is
     *     nobody's, as it says how things were when it was asked for
     */
    public ProgramOutput run(Duration bound) throws IOException {
        return run(bound, "");
    }

    /**
     * The same.
     *
     * @param argument is in the variable {@code argument} of the command there; without line breaks
     */
    public synchronized ProgramOutput run(Duration bound, String argument) throws IOException {
        if (closed) {
            throw new IOException("the session with " + host + " is closed");
        }
        long until = System.nanoTime() + bound.toNanos();
        if (process == null
                || !process.isAlive()
                || answered < asked && System.nanoTime() - askedNanos > SILENT_NANOS) {
            open();
        }
        try {
            if (answered < asked) {
                answer(until);
            }
            asked++;
            askedNanos = System.nanoTime();
            ask(argument);
            return answer(until);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** When the last question was sent, on the scale of {@link System#nanoTime()}. */
    public synchronized long askedNanos() {
        return askedNanos;
    }

    /** Whether there is a connection, or one is being made. */
    public synchronized boolean connected() {
        return process != null && process.isAlive();
    }

    private void ask(String argument) {
        try {
            questions.write(question() + " " + argument + "\n");
            questions.flush();
        } catch (IOException e) {
            // The connection has just ended: its last words, which are read instead of an answer, say why.
            LOG.debug("{} takes no question", host, e);
        }
    }

    private String question() {
        return "ycsb-drill-question-" + asked;
    }

    /** What comes until the last question is answered. */
    private ProgramOutput answer(long until) throws IOException, InterruptedException {
        String end = question() + " ";
        StringBuilder text = new StringBuilder();
        while (true) {
            String next = answers.poll(until - System.nanoTime());
            if (next == null) {
                throw new IOException(host + " did not answer in time");
            }
            if (next.equals(END)) {
                hangUp();
                String said = Secrets.inText(text.toString().strip());
                throw new IOException("the connection to " + host + " has ended"
                        + (said.isEmpty() ? "" : ": " + said.substring(Math.max(0, said.length() - LAST_WORDS))));
            }
            if (next.startsWith(end)) {
                answered = asked;
                return new ProgramOutput(Integer.parseInt(next.substring(end.length())), text.toString());
            }
            text.append(next).append('\n');
            if (text.length() > MOST_CHARACTERS) {
                hangUp();
                throw new IOException(host + ": " + TOO_MUCH);
            }
        }
    }

    private void open() throws IOException {
        hangUp();
        Process opened = new ProcessBuilder(line).redirectErrorStream(true).start();
        Answers queue = new Answers();
        Daemon.thread(() -> read(opened, queue), "host-session").start();
        process = opened;
        questions = opened.outputWriter(StandardCharsets.UTF_8);
        answers = queue;
    }

    private static void read(Process from, Answers to) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (Optional<String> next = line(lines); next.isPresent(); next = line(lines)) {
                to.add(next.get());
            }
        } catch (IOException e) {
            from.destroyForcibly();
            to.lines.add(e.getMessage());
        }
        to.lines.add(END);
    }

    private static Optional<String> line(Reader in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        for (; next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
            if (line.length() > MOST_CHARACTERS) {
                throw new IOException(TOO_MUCH);
            }
        }
        return next < 0 && line.isEmpty() ? Optional.empty() : Optional.of(line.toString());
    }

    /** Ends the connection, and with it what still runs there; later questions are refused. */
    @Override
    public synchronized void close() {
        closed = true;
        hangUp();
    }

    private void hangUp() {
        if (process != null) {
            process.destroy(); // its input ends, and with it the loop there
            process = null;
            answered = asked;
        }
    }
}
