package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.OptionalLong;

/**
 * When the copies of some keys became equal: after the last moment at which those of one were seen to differ, and before the last
 * one at which those of a key were seen to be equal for the first time. Times are {@link System#nanoTime}. Thread-safe.
 */
final class Convergence {
    private long keys;
    private OptionalLong different = OptionalLong.empty();
    private OptionalLong equal = OptionalLong.empty();

    /** The copies of a key differed when their reads began. */
    synchronized void differed(long nanos) {
        different = OptionalLong.of(different.isEmpty() ? nanos : Math.max(different.getAsLong(), nanos));
    }

    /** The copies of a key were equal when their reads had ended. */
    synchronized void wereEqual(long nanos) {
        keys++;
        equal = OptionalLong.of(equal.isEmpty() ? nanos : Math.max(equal.getAsLong(), nanos));
    }

    /**
     * The object {@code convergence} of {@code audit.json}; null when not all keys were seen to be equal.
     *
     * @param wanted how many keys there are
     * @param lastWriteNanos when the last of their writes was acknowledged
     */
    synchronized JsonNode json(int wanted, long lastWriteNanos) {
        if (keys < wanted || equal.isEmpty()) {
            return NullNode.instance;
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("keys", keys)
                .put("fromSeconds", different.isEmpty() ? 0 : Math.max(0, different.getAsLong() - lastWriteNanos) / 1e9)
                .put("toSeconds", (equal.getAsLong() - lastWriteNanos) / 1e9);
    }
}
