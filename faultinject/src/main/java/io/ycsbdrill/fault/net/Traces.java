package io.ycsbdrill.fault.net;

/**
 * What was done to the connections of a proxy since one of its disturbances was put in force. What other ones do is in it too, as each
 * looks for its own kind of trace only. For the proxy's thread only.
 */
final class Traces {
    private int ended;
    private int refused;
    private long heldBytes;
    private long longestNanos;
    private long pacedBytes;

    void ended() {
        ended++;
    }

    void refused() {
        refused++;
    }

    /** Bytes came that may not go on. */
    void held(long bytes) {
        heldBytes += bytes;
    }

    /** Bytes went on that long after they came. */
    void delayed(long nanos) {
        longestNanos = Math.max(longestNanos, nanos);
    }

    /** Bytes had to wait for those before them. */
    void paced(long bytes) {
        pacedBytes += bytes;
    }

    int endedConnections() {
        return ended;
    }

    int refusedConnections() {
        return refused;
    }

    long bytesHeld() {
        return heldBytes;
    }

    long longestDelayNanos() {
        return longestNanos;
    }

    long bytesPaced() {
        return pacedBytes;
    }
}
