package io.ycsbdrill.client.cluster;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Passes on complete lines that begin with {@value #SIGN}, and drops the others. Thread-safe. */
final class ErrorLines extends OutputStream {
    private static final String SIGN = "error: ";

    private final PrintStream to;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    ErrorLines(PrintStream to) {
        this.to = to;
    }

    @Override
    public synchronized void write(int value) {
        if (value != '\n') {
            line.write(value);
            return;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.startsWith(SIGN)) {
            to.println(text);
            to.flush();
        }
    }
}
