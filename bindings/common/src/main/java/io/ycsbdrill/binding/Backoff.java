package io.ycsbdrill.binding;

/** The pause after each failure in a row: twice as long each time, up to a limit. Owned by one thread. */
public final class Backoff {
    private final long firstMillis;
    private final long limitMillis;
    private long nextMillis;

    /**
     * @param firstMillis the first pause, at least 1
     * @param limitMillis the longest
     */
    public Backoff(long firstMillis, long limitMillis) {
        this.firstMillis = firstMillis;
        this.limitMillis = limitMillis;
        this.nextMillis = firstMillis;
    }

    /** The pause in milliseconds after one more failure. */
    public long nextMillis() {
        long now = nextMillis;
        nextMillis = Math.min(limitMillis, 2 * nextMillis);
        return now;
    }

    /** Starts again with the shortest pause, after a success. */
    public void reset() {
        nextMillis = firstMillis;
    }
}
