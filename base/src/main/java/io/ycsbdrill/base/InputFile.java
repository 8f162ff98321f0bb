package io.ycsbdrill.base;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens files that a user or another host gives, before a parser sees them: regular files of a bounded size only, and text in UTF-8. What
 * is wrong is an IOException whose message {@link FileReason} prints; it does not name the file. Stateless.
 */
public final class InputFile {
    private static final long MIB = 1 << 20;
    /** Parsers need several times the size of a text for what they make of it. */
    private static final int SHARE_OF_HEAP = 4;

    /** What a file is, which bounds its size. */
    public enum Kind {
        /** Written by hand: drills, inventories, experiments, suites, properties, dialects. */
        SETTINGS(MIB, 1 << 16),
        /** A password or a key. */
        SECRET(1 << 16, 1 << 16),
        /** One JSON document of a run, an experiment or a suite. */
        DOCUMENT(8 * MIB, Integer.MAX_VALUE),
        /** One line for each slice, window or event of a run; bounded by what this Java can hold. */
        SERIES(1 << 30, Integer.MAX_VALUE);

        private final long bytes;
        private final int line;

        Kind(long bytes, int line) {
            this.bytes = bytes;
            this.line = line;
        }

        private long most() {
            return this == SERIES ? Math.min(bytes, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP) : bytes;
        }
    }

    private InputFile() {}

    /**
     * The text of a file that the user has named; a link to a regular file is followed.
     *
     * @throws IOException when it cannot be read, or is none that should be
     */
    public static String text(Path file, Kind kind) throws IOException {
        byte[] bytes = bytes(file, kind);
        CharsetDecoder strict = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        String text;
        try {
            text = strict.decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IOException("it is not UTF-8 text: byte " + notText(strict, bytes), e);
        }
        requireShortLines(text, kind.line);
        return text;
    }

    /**
     * The bytes of a file that lies in a directory which somebody else may have made: a link that leads out of it is not followed.
     *
     * @throws IOException as {@link #text}
     */
    public static byte[] bytesWithin(Path file, Kind kind) throws IOException {
        requireWithin(file);
        return bytes(file, kind);
    }

    /**
     * Checks a file as {@link #bytesWithin} does, for who reads it piece by piece.
     *
     * @throws IOException as {@link #text}
     */
    public static void requireRegularWithin(Path file) throws IOException {
        requireWithin(file);
        requireRegular(file);
    }

    /**
     * Checks a file that this program has written for itself, and by which it acts: what somebody else has put in its place is not read.
     *
     * @throws IOException when it is none of this user's own regular files, or others may write it
     */
    public static void requireOwn(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !OwnerMarker.isOurs(file)) {
            throw new IOException("it is a link, no file, or another user's, and what it says would be done as you");
        }
        if (PrivateFolders.permissions(file).matches(".{4}w.*|.{7}w.")) {
            throw new IOException("others can write it, and what it says would be done as you; if it says what you"
                    + " expect: chmod go-w " + file);
        }
    }

    /** Whether something of this name is there, whatever it is; a link that leads nowhere is. */
    public static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static byte[] bytes(Path file, Kind kind) throws IOException {
        long size = requireRegular(file);
        long most = kind.most();
        if (size > most) {
            throw tooLong(size, kind, most);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes((int) most + 1);
            if (bytes.length > most) {
                throw tooLong(bytes.length, kind, most);
            }
            return bytes;
        }
    }

    private static IOException tooLong(long size, Kind kind, long most) {
        String heap = kind == Kind.SERIES && most < kind.bytes
                ? Formatted.of(
                        " with this Java's heap of %s; give it more with -jvm-args=-Xmx...",
                        megabytes(Runtime.getRuntime().maxMemory()))
                : "";
        return new IOException("it has " + megabytes(size) + ", and at most " + megabytes(most) + " are read" + heap);
    }

    private static String megabytes(long bytes) {
        return bytes < MIB ? (bytes + 1023) / 1024 + " KiB" : (bytes + MIB - 1) / MIB + " MiB";
    }

    private static long requireRegular(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new IOException(
                    attributes.isDirectory()
                            ? "it is a directory"
                            : "it is a pipe, a device or a socket, and only regular files are read");
        }
        return attributes.size();
    }

    private static void requireWithin(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        boolean leads;
        try {
            leads = !file.toRealPath().startsWith(directory.toRealPath());
        } catch (NoSuchFileException e) {
            if (Files.isSymbolicLink(file)) {
                throw new IOException("it is a link that leads nowhere", e);
            }
            throw e;
        }
        if (leads) {
            throw new IOException("it is a link to a file outside of its directory, which is not read");
        }
    }

    private static String notText(CharsetDecoder decoder, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.reset().decode(in, out, true);
        int at = in.position();
        return result.isError() && at < bytes.length
                ? Formatted.of("%,d is 0x%02X", at + 1, bytes[at] & 0xff)
                : Formatted.of("%,d", at + 1);
    }

    private static void requireShortLines(String text, int longest) throws IOException {
        int start = 0;
        for (int line = 1; start < text.length(); line++) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            if (end - start > longest) {
                throw new IOException(Formatted.of(
                        "line %,d has %,d characters, and at most %,d are read", line, end - start, longest));
            }
            start = end + 1;
        }
    }
}
