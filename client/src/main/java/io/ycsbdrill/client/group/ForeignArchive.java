package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Io;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Unpacks what {@code tar} of a host sends, which is not trusted: regular files and folders below one expected name, with the permissions
 * of this user's own new files, and no more of them than a run directory has. For one thread.
 */
final class ForeignArchive {
    /** More than weeks of windows and slices. */
    private static final Bounds RUN = new Bounds(4L << 30, 10_000);

    private static final int LONGEST_NAME = 4096;
    private static final int SUM_AT = 148;

    private final InputStream from;
    private final String top;
    private final Bounds bounds;
    private long bytes;
    private int members;

    /** What an archive may have at most. */
    record Bounds(long bytes, int members) {}

    /**
     * Reads nothing yet.
     *
     * @param top the one name at the beginning of all names
     */
    ForeignArchive(InputStream from, String top) {
        this(from, top, RUN);
    }

    ForeignArchive(InputStream from, String top, Bounds bounds) {
        this.from = from;
        this.top = top;
        this.bounds = bounds;
    }

    /**
     * Unpacks it into a new folder of the expected name, which is there only when something came for it: of a host that is lost nothing
     * comes, and nothing is left.
     *
     * @throws IOException when that is there already, or the archive has anything else; what was unpacked before that stays
     */
    void unpackInto(Path parent) throws IOException {
        byte[] first = header();
        if (first == null) {
            throw refused("is empty");
        }
        Path root = Files.createDirectory(parent.resolve(top));
        try {
            unpack(first, root);
        } finally {
            removeEmpty(root);
        }
    }

    private static void removeEmpty(Path root) throws IOException {
        if (Io.list(root).isEmpty()) {
            Files.delete(root);
        }
    }

    private void unpack(byte[] first, Path root) throws IOException {
        String longName = null;
        for (byte[] header = first; header != null; header = header()) {
            long size = number(header, 124, 12);
            char type = (char) header[156];
            if (type == 'L' || type == 'x' || type == 'g') {
                String text = new String(content(extra(size)), StandardCharsets.UTF_8);
                longName = type == 'L' ? text.replace("\0", "") : type == 'x' ? path(text, longName) : longName;
                continue;
            }
            String name = longName == null ? name(header) : longName;
            longName = null;
            Path file = inside(root, name);
            if (++members > bounds.members()) {
                throw refused("has more than " + bounds.members() + " members");
            }
            switch (type) {
                case '0', '\0' -> {
                    Files.createDirectories(file.getParent());
                    write(file, name, size);
                }
                case '5' -> Files.createDirectories(file);
                default ->
                    throw refused("has " + name + ", which is neither a regular file nor a directory (type "
                            + (int) type + ")");
            }
        }
    }

    /** Null at the end: a block of zeros. */
    private byte[] header() throws IOException {
        byte[] block = content(TarWriter.BLOCK);
        int sum = 0;
        for (int i = 0; i < block.length; i++) {
            sum += i >= SUM_AT && i < SUM_AT + 8 ? ' ' : block[i] & 0xff;
        }
        if (sum == 8 * ' ') {
            return null;
        }
        if (sum != number(block, SUM_AT, 8)) {
            throw refused("is damaged: the checksum of a header is wrong");
        }
        return block;
    }

    /** Octal, as everything up to 8 GiB is written. */
    private long number(byte[] block, int at, int length) throws IOException {
        String text = text(block, at, length).strip();
        if (!text.matches("[0-7]{0,11}")) {
            throw refused("has a number that is none, or a file of more than 8 GiB");
        }
        return text.isEmpty() ? 0 : Long.parseLong(text, 8);
    }

    private static String text(byte[] block, int at, int length) {
        int end = at;
        while (end < at + length && block[end] != 0) {
            end++;
        }
        return new String(block, at, end - at, StandardCharsets.UTF_8);
    }

    private static String name(byte[] header) {
        String prefix = text(header, 257, 6).equals("ustar") ? text(header, 345, 155) : "";
        return prefix.isEmpty() ? text(header, 0, 100) : prefix + "/" + text(header, 0, 100);
    }

    private int extra(long size) throws IOException {
        if (size > LONGEST_NAME || ++members > bounds.members()) {
            throw refused("has a name or an extension of " + size + " bytes");
        }
        return (int) size;
    }

    /** The path in the records {@code LENGTH KEY=VALUE}; the only one that counts. */
    private String path(String records, String otherwise) throws IOException {
        String found = otherwise;
        for (String line : records.split("\n")) {
            String record = line.substring(line.indexOf(' ') + 1);
            if (record.startsWith("path=")) {
                found = record.substring("path=".length());
            } else if (record.startsWith("size=") || record.startsWith("GNU.sparse")) {
                throw refused("has a file of more than 8 GiB, or one with holes");
            }
        }
        return found;
    }

    private Path inside(Path root, String name) throws IOException {
        String plain = name.startsWith("./") ? name.substring(2) : name;
        String[] parts = plain.split("/");
        if (plain.startsWith("/") || parts.length == 0 || !parts[0].equals(top)) {
            throw refused("has " + name + ", which is not below " + top);
        }
        Path file = root;
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            if (part.isEmpty()
                    || part.equals(".")
                    || part.equals("..")
                    || part.chars().anyMatch(Character::isISOControl)) {
                throw refused("has " + name + ", which is not a plain name");
            }
            file = file.resolve(part);
        }
        return file;
    }

    private void write(Path file, String name, long size) throws IOException {
        if (size > bounds.bytes() - bytes) {
            throw refused("has more than " + bounds.bytes() + " bytes");
        }
        bytes += size;
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] buffer = new byte[1 << 16];
            for (long left = size; left > 0; ) {
                int n = from.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (n < 0) {
                    throw new EOFException("the archive of " + top + " ends within " + name);
                }
                out.write(buffer, 0, n);
                left -= n;
            }
        }
        from.skipNBytes((TarWriter.BLOCK - size % TarWriter.BLOCK) % TarWriter.BLOCK);
    }

    /** So many bytes, and the rest of their last block. */
    private byte[] content(int size) throws IOException {
        byte[] all = from.readNBytes(size);
        if (all.length < size) {
            throw new EOFException("the archive of " + top + " ends before its end");
        }
        from.skipNBytes((TarWriter.BLOCK - size % TarWriter.BLOCK) % TarWriter.BLOCK);
        return all;
    }

    private IOException refused(String why) {
        StringBuilder text = new StringBuilder("the archive that came back with " + top + " " + why);
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                text.setCharAt(i, '?');
            }
        }
        text.setLength(Math.min(text.length(), 500));
        return new IOException(text.toString());
    }
}
