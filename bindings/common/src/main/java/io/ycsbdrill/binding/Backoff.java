package io.ycsbdrill.binding;

/**
 * The pause after each failure in a row: twice as long each time, up to a limit. The caller waits, or has {@link #failed} wait from the
 * second failure of a row on. Owned by one thread.
 */
public final class Backoff {
    private final long firstMillis;
    private final long limitMillis;
    private long nextMillis;
    private boolean failedBefore;

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

    /** Records a success: starts again with the shortest pause. */
    public void worked() {
        failedBefore = false;
        nextMillis = firstMillis;
    }

    /** Records a failure, so that the next one waits, too. */
    public void begin() {
        failedBefore = true;
    }

    /** Records a failure, and waits unless it is the first of a row. */
    public void failed() {
        if (failedBefore) {
            try {
                Thread.sleep(nextMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        failedBefore = true;
    }
}
