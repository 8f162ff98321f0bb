package io.ycsbdrill.base;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Prints text as {@link PlainText#of} has it, so that nothing that a file, a server or a host says can take over the terminal or forge
 * lines of a log, and without the secrets that this process was given, whoever repeats them: also those who write bytes, such as the
 * handlers of {@code java.util.logging} and whatever writes through a writer of its own. Bytes are passed on by the line, or when they
 * are flushed. Thread-safe.
 */
public final class PlainStream extends PrintStream {
    /** How many bytes without an end of line are waited with. */
    private static final int LONGEST_LINE = 1 << 16;

    private final PrintStream below;
    private final String kept;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

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

    /**
     * Prints text in a colour.
     *
     * @param code of the terminal's, for example 31
     */
    public void coloured(String code, String text) {
        synchronized (line) {
            passOn();
            below.print("\033[" + code + "m" + plain(text) + "\033[0m");
        }
    }

    @Override
    public void print(String text) {
        synchronized (line) {
            passOn();
            below.print(plain(String.valueOf(text)));
        }
    }

    private String plain(String text) {
        return PlainText.escaped(Secrets.withoutKnown(text), kept);
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

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        synchronized (line) {
            line.write(bytes, offset, length);
            if (length > 0 && bytes[offset + length - 1] == '\n' || line.size() > LONGEST_LINE) {
                passOn();
            }
        }
    }

    @Override
    public void flush() {
        synchronized (line) {
            passOn();
            below.flush();
        }
    }

    /** What has been written as bytes: as it is, unless there is something in it that may not be. */
    private void passOn() {
        if (line.size() == 0) {
            return;
        }
        byte[] bytes = line.toByteArray();
        line.reset();
        String text = decoded(bytes);
        String plain = plain(text);
        if (plain.equals(text)) {
            below.write(bytes, 0, bytes.length);
        } else {
            below.print(plain);
        }
        below.flush();
    }

    /** Whoever writes bytes has a character set of his own, or that of this machine. */
    private static String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, Charset.defaultCharset());
        }
    }
}
