package io.ycsbdrill.fault.node.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A process that changes a file in every way and syncs it now and then. When it ends it leaves beside the file what a power cut
 * would have left of it, by a model of its own.
 */
final class UnsyncedWriter {
    private static final int LARGEST = 300_000;

    private final FileChannel file;
    private final FileChannel through;
    private final SplittableRandom random;
    private byte[] content;
    private byte[] durable;

    private UnsyncedWriter(Path file, long seed) throws IOException {
        this.file =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        this.through = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
        this.random = new SplittableRandom(seed);
        // What an earlier process has left counts as it is; the expectation of it continues, too.
        this.content = Files.readAllBytes(file);
        Path before = expected(file);
        this.durable = Files.exists(before) ? Files.readAllBytes(before) : new byte[0];
    }

    static Path expected(Path file) {
        return file.getParent().resolveSibling("expected-" + file.getFileName());
    }

    /** Arguments: the file, a seed, the number of changes. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        UnsyncedWriter writer = new UnsyncedWriter(file, Long.parseLong(arguments[1]));
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            writer.change();
        }
        Files.write(expected(file), writer.durable);
        Runtime.getRuntime().halt(0);
    }

    private void change() throws IOException {
        int dice = random.nextInt(100);
        if (dice < 60) {
            write(random.nextInt(content.length + 10), 1 + random.nextInt(dice == 0 ? 200_000 : 3000), false);
        } else if (dice < 75) {
            write(content.length, 1 + random.nextInt(2000), false);
        } else if (dice < 90) {
            write(random.nextInt(content.length + 1000), 1 + random.nextInt(500), true);
        } else if (dice < 93) {
            int size = random.nextInt(content.length + 1);
            file.truncate(size);
            content = Arrays.copyOf(content, size);
            durable = Arrays.copyOf(durable, Math.min(size, durable.length));
        } else {
            file.force(dice < 97);
            durable = content.clone();
        }
    }

    private void write(int place, int bytes, boolean dsync) throws IOException {
        if (place + bytes > LARGEST) {
            return;
        }
        byte[] more = new byte[bytes];
        random.nextBytes(more);
        ByteBuffer buffer = ByteBuffer.wrap(more);
        FileChannel to = dsync ? through : file;
        if (random.nextBoolean()) {
            to.position(place);
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
        } else {
            while (buffer.hasRemaining()) {
                to.write(buffer, place + buffer.position());
            }
        }
        content = Arrays.copyOf(content, Math.max(content.length, place + bytes));
        System.arraycopy(more, 0, content, place, bytes);
        if (dsync) {
            durable = Arrays.copyOf(durable, Math.max(durable.length, place + bytes));
            System.arraycopy(more, 0, durable, place, bytes);
        }
    }
}
