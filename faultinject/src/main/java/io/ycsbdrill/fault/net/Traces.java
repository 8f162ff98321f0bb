package io.ycsbdrill.fault.net;

/**
 * What the disturbances of one proxy have done to its connections since the last of them was put in force. For the proxy's
 * thread only.
 */
final class Traces {
    private int ended;
    private int refused;
    private long heldBytes;
    private long longestNanos;
    private long pacedBytes;

    /** A disturbance begins: what was before does not show its effect. */
    void clear() {
        ended = 0;
        refused = 0;
        heldBytes = 0;
        longestNanos = 0;
        pacedBytes = 0;
    }

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
