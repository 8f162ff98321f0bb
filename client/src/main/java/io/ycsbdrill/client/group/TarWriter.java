package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Formatted;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes files as an archive (POSIX pax), as any {@code tar} reads them; owner and times are nobody's. For one thread. */
record TarWriter(OutputStream to) {
    static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SUM_AT = 148;
    private static final int TYPE_AT = 156;

    /** Adds a file under this name; the folders of the name need not be there. */
    void file(String name, Path file) throws IOException {
        if (name.getBytes(StandardCharsets.UTF_8).length > NAME) {
            byte[] record = pax(name);
            header("long-name", 'x', record.length);
            to.write(record);
            pad(record.length);
        }
        long size = Files.size(file);
        header(name, '0', size);
        long copied = Files.copy(file, to);
        if (copied != size) {
            throw new IOException(file + " has changed while it was sent");
        }
        pad(size);
    }

    /** Ends the archive. */
    void end() throws IOException {
        to.write(new byte[2 * BLOCK]);
        to.flush();
    }

    /** Its length, which counts itself, and the name. */
    private static byte[] pax(String name) {
        byte[] rest = (" path=" + name + "\n").getBytes(StandardCharsets.UTF_8);
        int length = rest.length + 1;
        while (String.valueOf(length).length() + rest.length != length) {
            length = String.valueOf(length).length() + rest.length;
        }
        return (length + " path=" + name + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private void header(String name, char type, long size) throws IOException {
        byte[] block = new byte[BLOCK];
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(text, 0, block, 0, Math.min(NAME, text.length));
        put(block, NAME, "0000600\0");
        put(block, 108, "0000000\0");
        put(block, 116, "0000000\0");
        put(block, SIZE_AT, Formatted.of("%011o ", size));
        put(block, 136, "00000000000 ");
        put(block, SUM_AT, "        ");
        block[TYPE_AT] = (byte) type;
        put(block, 257, "ustar\00000");
        int sum = 0;
        for (byte each : block) {
            sum += each & 0xff;
        }
        put(block, SUM_AT, Formatted.of("%06o\0 ", sum));
        to.write(block);
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private void pad(long size) throws IOException {
        to.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }
}
