package io.ycsbdrill.client.run.call;

import io.ycsbdrill.binding.BindingProperties;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/** The property {@code op.timeout}: how long a call of a run may take before it is abandoned. */
public final class OpTimeout {
    public static final String PROPERTY = "op.timeout";

    private static final String PREFIX = "op.";
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private OpTimeout() {}

    /**
     * Its value; empty without it.
     *
     * @throws DBException when it is wrong
     */
    public static Optional<Duration> of(Properties properties) throws DBException {
        BindingProperties read = new BindingProperties(properties);
        Duration timeout = read.duration(PREFIX + "timeout", Duration.ZERO, Duration.ofMillis(1), LONGEST);
        read.check(PREFIX);
        return Optional.of(timeout).filter(given -> !given.isZero());
    }

    /** What is wrong with it; empty when nothing is. */
    public static Optional<String> problem(Properties properties) {
        return PropertyProblem.of(OpTimeout::of, properties);
    }
}
