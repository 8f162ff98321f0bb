package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpecText;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private static final int SIGNALLED = 128;

    private final String name;
    private final Process process;
    private final BufferedWriter orders;

    private ClientProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param program its command line, for {@link JoinedClient}
     * @param say notified of its output, each line with the client's name before it
     * @throws UncheckedIOException when the process cannot be started
     */
    static ClientProcess start(
            List<String> program, Path workingDirectory, RunSpec spec, Listener listener, Consumer<String> say) {
        String name = name(spec);
        List<String> command = new ArrayList<>(program);
        command.add(spec.part().toString());
        ClientProcess client;
        try {
            client = new ClientProcess(
                    name,
                    new ProcessBuilder(command)
                            .directory(workingDirectory.toFile())
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started: " + e.getMessage(), e);
        }
        thread(name + " says", () -> read(client.process.getErrorStream(), line -> say.accept(name + ": " + line)));
        thread(name, () -> client.follow(listener));
        client.order(RunSpecText.write(spec));
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
        Thread thread = new Thread(work, name.replace(' ', '-'));
        thread.setDaemon(true);
        thread.start();
    }

    private static void read(InputStream from, Consumer<String> line) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            lines.lines().forEach(line);
        } catch (IOException | UncheckedIOException e) {
            line.accept("its output can no longer be read: " + e.getMessage());
        }
    }

    /** Until its end. */
    private void follow(Listener listener) {
        read(process.getInputStream(), line -> heard(line, listener));
        listener.exited(this, process.onExit().join().exitValue());
    }

    private void heard(String line, Listener listener) {
        if (line.equals(READY)) {
            listener.ready(this);
        } else if (line.startsWith(OVER)) {
            listener.over(this, line.substring(OVER.length()));
        }
    }

    @Override
    public synchronized void order(String line) {
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
        return exitCode > SIGNALLED ? "killed by signal " + (exitCode - SIGNALLED) : "exit code " + exitCode;
    }
}
