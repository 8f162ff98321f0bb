package io.ycsbdrill.client.audit.journal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Marks field values with the write that they are of, and reads the mark back. A value begins with {@value #LENGTH} letters and digits: run,
 * writer, sequence and a checksum over key, field and the whole value; the rest is the workload's own content. Owned by one thread.
 */
public final class Stamp {
    /** Bytes at the start of a value; no field can be shorter. */
    public static final int LENGTH = 20;
    /** Writers that can be distinguished. */
    public static final int MOST_WRITERS = 1 << 18;

    /** Read in place of an id: a value that this run has not written, from before it. */
    public static final long OTHER = -1;
    /** Read in place of an id: a value of this run that was never written like this: damaged, mixed of several or of another key or field. */
    public static final long DAMAGED = -2;

    private static final int RUN = 6;
    private static final int WRITER = 3;
    private static final int SEQUENCE = 6;
    private static final int SUM = 5;
    private static final int SUM_AT = RUN + WRITER + SEQUENCE;
    private static final long SUM_MASK = (1L << 6 * SUM) - 1;
    private static final long RUN_MASK = (1L << 6 * RUN) - 1;
    private static final byte[] LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NUMBERS = new byte[128];

    static {
        Arrays.fill(NUMBERS, (byte) -1);
        for (int i = 0; i < LETTERS.length; i++) {
            NUMBERS[LETTERS[i]] = (byte) i;
        }
    }

    private final long run;
    private final byte[] runLetters = new byte[RUN];
    private final CRC32C crc = new CRC32C();

    /** @param run tells this run's values from those of every other; its lower 36 bits count */
    public Stamp(long run) {
        this.run = run & RUN_MASK;
        put(runLetters, 0, RUN, this.run);
    }

    /**
     * Writes the stamp over the start of a value.
     *
     * @throws IllegalArgumentException when the value is shorter than the stamp
     */
    void put(byte[] value, byte[] key, byte[] field, long id) {
        if (value.length < LENGTH) {
            throw new IllegalArgumentException("--audit: a value of field " + new String(field, StandardCharsets.UTF_8)
                    + " has " + value.length + " bytes; at least " + LENGTH
                    + " are needed to say which write it is of; set fieldlength (minfieldlength) to that or more");
        }
        System.arraycopy(runLetters, 0, value, 0, RUN);
        put(value, RUN, WRITER, WriteId.writer(id));
        put(value, RUN + WRITER, SEQUENCE, WriteId.sequence(id));
        put(value, SUM_AT, SUM, sum(value, key, field));
    }

    /** Which write a value is of: an id, or {@link #OTHER} or {@link #DAMAGED}. */
    public long read(byte[] value, byte[] key, byte[] field) {
        if (value.length < RUN || number(value, 0, RUN) != run) {
            return OTHER;
        }
        if (value.length < LENGTH || number(value, SUM_AT, SUM) != sum(value, key, field)) {
            return DAMAGED;
        }
        long writer = number(value, RUN, WRITER);
        long sequence = number(value, RUN + WRITER, SEQUENCE);
        return writer < 0 || sequence < 0 ? DAMAGED : WriteId.of((int) writer, sequence);
    }

    private long sum(byte[] value, byte[] key, byte[] field) {
        crc.reset();
        crc.update(key);
        crc.update(0);
        crc.update(field);
        crc.update(0);
        crc.update(value, 0, SUM_AT);
        crc.update(value, LENGTH, value.length - LENGTH);
        return crc.getValue() & SUM_MASK;
    }

    private static void put(byte[] into, int at, int letters, long number) {
        for (int i = at + letters - 1; i >= at; i--) {
            into[i] = LETTERS[(int) (number & 63)];
            number >>>= 6;
        }
    }

    /** -1 when it is none. */
    private static long number(byte[] from, int at, int letters) {
        long number = 0;
        for (int i = at; i < at + letters; i++) {
            int digit = from[i] < 0 ? -1 : NUMBERS[from[i]];
            if (digit < 0) {
                return -1;
            }
            number = number << 6 | digit;
        }
        return number;
    }
}
