package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** A reply's body as its parts come. Not thread-safe. */
final class ReplyBody {
    private static final int LARGEST = 256 << 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);

    void clear() {
        bytes.reset();
    }

    /** @throws IOException when it becomes too large */
    void add(ByteBuf part) throws IOException {
        if (bytes.size() + part.readableBytes() > LARGEST) {
            throw new IOException("a reply of more than " + LARGEST + " bytes");
        }
        part.readBytes(bytes, part.readableBytes());
    }

    /**
     * The entire body, decompressed.
     *
     * @param coding of the header {@code Content-Encoding}, or null
     * @throws IOException when it is packed in a way that was not asked for, or incomplete
     */
    byte[] plain(CharSequence coding) throws IOException {
        if (coding == null || coding.toString().equals("identity") || bytes.size() == 0) {
            return bytes.toByteArray();
        }
        if (!coding.toString().equals("gzip")) {
            throw new IOException("a reply with Content-Encoding " + coding);
        }
        try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            byte[] plain = unpacked.readNBytes(LARGEST);
            if (plain.length == LARGEST) {
                throw new IOException("a reply of " + LARGEST + " bytes or more");
            }
            return plain;
        }
    }
}
