package io.ycsbdrill.client.run.call;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.BindingProperties;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * How operations that failed with {@link io.ycsbdrill.binding.Statuses#TEMPORARY} are tried again. Immutable.
 *
 * @param temporary how often at most, 0 or more; 0 = never
 * @param backoff the pause before the first retry; it doubles with each further one, up to {@link #MOST_DOUBLINGS} times
 */
public record RetryPolicy(int temporary, Duration backoff) {
    public static final int MOST_DOUBLINGS = 5;

    private static final String PREFIX = "retry.";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    /**
     * Of the properties {@code retry.temporary} and {@code retry.backoff}.
     *
     * @throws DBException with everything that is wrong with them
     */
    public static RetryPolicy of(Properties properties) throws DBException {
        BindingProperties read = new BindingProperties(properties);
        RetryPolicy policy = new RetryPolicy(
                read.integer(PREFIX + "temporary", 0, 0, 1000),
                read.duration(PREFIX + "backoff", FIRST_PAUSE, Duration.ZERO, Duration.ofSeconds(10)));
        read.check(PREFIX);
        return policy;
    }

    /** Everything that is wrong with these properties; empty when nothing is. */
    public static Optional<String> problem(Properties properties) {
        return PropertyProblem.of(RetryPolicy::of, properties);
    }

    /** Whether anything is ever tried again. */
    public boolean isOn() {
        return temporary > 0;
    }

    /** The pause before a retry, the first of which has number 0. */
    public long pauseNanos(int retry) {
        return backoff.toNanos() << Math.min(retry, MOST_DOUBLINGS);
    }

    /** For {@code run.json}. */
    public ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("temporary", temporary)
                .put("backoffNanos", backoff.toNanos())
                .put("longestBackoffNanos", pauseNanos(MOST_DOUBLINGS));
    }
}
