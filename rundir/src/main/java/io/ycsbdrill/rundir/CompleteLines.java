package io.ycsbdrill.rundir;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The complete lines of a file, one at a time: a day of 200 clients does not fit into memory. The last line of a run that was killed
 * may be cut off; it is left out, and the report has already mentioned it. For one thread.
 */
public final class CompleteLines implements AutoCloseable {
    private static final int LONGEST = 16 << 20;

    private final Path file;
    private final BufferedReader reader;
    private final boolean cutOff;
    private String ahead;
    private long number;

    /**
     * @param file none when it is not there
     * @param closed whether the run was closed, so that every line must be complete
     * @throws RunFormatException when one is not
     */
    public CompleteLines(Path file, boolean closed) throws IOException {
        this.file = file;
        boolean there = InputFile.isThere(file);
        if (there) {
            requireRegular(file);
        }
        cutOff = there && !endsWithLineEnd(file);
        if (closed && cutOff) {
            throw new RunFormatException(file + " line " + (1 + lineEnds(file))
                    + ": damaged: the last line has no line end although the run was closed; copy it again");
        }
        reader = new BufferedReader(there ? new Bounded(Files.newBufferedReader(file)) : Reader.nullReader());
        ahead = read();
    }

    /** Ends at a line that no run writes, before it fills the memory. */
    private final class Bounded extends FilterReader {
        private int length;

        Bounded(Reader in) {
            super(in);
        }

        @Override
        public int read(char[] chars, int from, int most) throws IOException {
            int count = super.read(chars, from, most);
            for (int i = from; i < from + count; i++) {
                length = chars[i] == '\n' ? 0 : length + 1;
            }
            if (length > LONGEST) {
                throw new RunFormatException(file + " line " + (number + 1) + ": damaged: it has more than " + LONGEST
                        + " characters; copy it again");
            }
            return count;
        }
    }

    private static void requireRegular(Path file) {
        try {
            InputFile.requireRegularWithin(file);
        } catch (IOException e) {
            throw new RunFormatException(file + ": " + FileReason.of(e));
        }
    }

    private static boolean endsWithLineEnd(Path file) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            if (channel.size() == 0) {
                return true;
            }
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) == '\n';
        }
    }

    private static long lineEnds(Path file) throws IOException {
        long ends = 0;
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file))) {
            for (int next = bytes.read(); next >= 0; next = bytes.read()) {
                ends += next == '\n' ? 1 : 0;
            }
        }
        return ends;
    }

    private String read() throws IOException {
        try {
            return reader.readLine();
        } catch (CharacterCodingException e) {
            throw new RunFormatException(file + ": damaged: it is not UTF-8 text; copy it again");
        }
    }

    /** The next line; null after the last one. */
    public String next() throws IOException {
        String line = ahead;
        if (line == null) {
            return null;
        }
        ahead = read();
        number++;
        return ahead == null && cutOff ? null : line;
    }

    /** The number of the line that was returned last, from 1. */
    public long number() {
        return number;
    }

    public Path file() {
        return file;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
