package io.ycsbdrill.client.audit.journal;

/** A write of the run as one number, never negative: 18 bits of writer, 36 of the writer's own sequence (from 0). */
public final class WriteId {
    private static final int SEQUENCE_BITS = 36;
    static final long MOST_SEQUENCE = (1L << SEQUENCE_BITS) - 1;

    private WriteId() {}

    public static long of(int writer, long sequence) {
        return (long) writer << SEQUENCE_BITS | sequence;
    }

    public static int writer(long id) {
        return (int) (id >>> SEQUENCE_BITS);
    }

    public static long sequence(long id) {
        return id & MOST_SEQUENCE;
    }

    /** {@code client-3/17}. */
    public static String text(long id) {
        return "client-" + writer(id) + "/" + sequence(id);
    }
}
