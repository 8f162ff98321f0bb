package io.ycsbdrill.base;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A program that was started, and what it prints, both streams together. It prints into a file without a name, of which nothing is
 * left however this process ends; a pipe would keep whoever reads it waiting for everything that the program leaves running. Owned
 * by one thread.
 */
public final class Printed implements AutoCloseable {
    private final Process process;
    private final NamelessFile output;
    private final InputStream printed;

    private Printed(Process process, NamelessFile output) {
        this.process = process;
        this.output = output;
        this.printed = output.written();
    }

    /**
     * Starts the program.
     *
     * @param program its output is set here
     * @throws IOException when it cannot be started
     */
    public static Printed by(ProcessBuilder program) throws IOException {
        NamelessFile output = NamelessFile.create();
        try {
            Process process = program.redirectErrorStream(true)
                    .redirectOutput(output.file())
                    .start();
            return new Printed(process, output);
        } catch (IOException | RuntimeException e) {
            output.close();
            throw e;
        }
    }

    /** As {@link #by(ProcessBuilder)}, with something to read from standard input; nothing when it is empty. */
    public static Printed by(ProcessBuilder program, Optional<String> input) throws IOException {
        if (input.isEmpty()) {
            return by(program.redirectInput(new File("/dev/null")));
        }
        try (NamelessFile given = NamelessFile.create()) {
            given.write(input.get().getBytes(StandardCharsets.UTF_8));
            return by(program.redirectInput(given.file()));
        }
    }

    /** The program. */
    public Process process() {
        return process;
    }

    /** What it has printed since the last call. */
    public byte[] more() throws IOException {
        return printed.readAllBytes();
    }

    /** Forgets what it prints; the program is left alone. */
    @Override
    public void close() throws IOException {
        output.close();
    }
}
