package io.ycsbdrill.base;

import java.io.PrintStream;

/**
 * Prints text as {@link PlainText#of} has it, so that nothing that a file, a server or a host says can take over the terminal or forge
 * lines of a log, and without the secrets that this process was given, whoever repeats them. Bytes are passed on as they are. As
 * thread-safe as the stream below.
 */
public final class PlainStream extends PrintStream {
    private final PrintStream below;
    private final String kept;

    private PlainStream(PrintStream below, String kept) {
        super(below, true);
        this.below = below;
        this.kept = kept;
    }

    /** The stream itself when it prints plain text already. */
    public static PlainStream of(PrintStream stream) {
        return stream instanceof PlainStream plain ? plain : new PlainStream(stream, "\n\t");
    }

    /** The same for whoever draws one line again and again, and so must return to its beginning. */
    public PrintStream drawing() {
        return new PlainStream(below, "\n\t\r");
    }

    @Override
    public void print(String text) {
        below.print(PlainText.escaped(Secrets.withoutKnown(String.valueOf(text)), kept));
    }

    @Override
    public void print(char c) {
        print(String.valueOf(c));
    }

    @Override
    public void print(char[] text) {
        print(String.valueOf(text));
    }

    @Override
    public void print(Object value) {
        print(String.valueOf(value));
    }
}
