package io.ycsbdrill.binding.servers;

/** How long to wait after the n-th failure in a row: twice as long each time, up to a limit. Owned by one thread. */
final class Backoff {
    private final long firstMillis;
    private final long limitMillis;
    private long nextMillis;

    Backoff(long firstMillis, long limitMillis) {
        this.firstMillis = firstMillis;
        this.limitMillis = limitMillis;
        this.nextMillis = firstMillis;
    }

    long nextMillis() {
        long now = nextMillis;
        nextMillis = Math.min(limitMillis, 2 * nextMillis);
        return now;
    }

    void reset() {
        nextMillis = firstMillis;
    }
}
