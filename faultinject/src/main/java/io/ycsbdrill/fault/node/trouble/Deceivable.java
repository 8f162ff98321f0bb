package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Tells a node a wrong time of day, and nobody else. A capability of a {@code NodeController}; thread-safe. */
public interface Deceivable {

    /** Why nodes cannot be told a wrong time now; empty when they can. */
    default Optional<String> deaf() {
        return Optional.empty();
    }

    /**
     * Makes its clock wrong from now on, in place of what was wrong with it before; returns when it is. A process that is started later
     * is told the same.
     *
     * @throws NodeControlException when there is no such node, or its process does not ask through us
     */
    void deceive(String node, Clock clock);

    /**
     * Looks whether the node has been told a wrong time since {@link #deceive}.
     *
     * @throws NodeControlException when there is no such node, or it cannot be asked
     */
    Sight look(String node, Clock clock);

    /** Makes its clock right again; does nothing when it is. */
    void correct(String node);

    /** Makes every clock right again. */
    void correctAll();

    /**
     * What is wrong with a clock.
     *
     * @param kind how
     * @param ahead by how much it is ahead, negative for behind; of {@link Kind#SKEW} within one second
     * @param period of {@link Kind#STROBE}: how long it is wrong, and then right, by turns; else zero
     */
    record Clock(Kind kind, Duration ahead, Duration period) {
        public Clock {
            if (ahead.isZero() || (kind == Kind.STROBE) != (period.compareTo(Duration.ZERO) > 0)) {
                throw new IllegalArgumentException(kind + " ahead " + ahead + ", period " + period);
            }
            if (kind == Kind.SKEW && ahead.compareTo(Duration.ofSeconds(-1)) <= 0) {
                throw new IllegalArgumentException("a clock that loses " + ahead + " each second does not go forward");
            }
        }

        /** What it is, for markers and messages: {@code 60 s ahead}. */
        public String text() {
            String by = Math.abs(ahead.toMillis()) + " ms " + (ahead.isNegative() ? "behind" : "ahead");
            return switch (kind) {
                case JUMP -> by;
                case SKEW -> by + " more each second";
                case STROBE -> by + " and right by turns, each for " + period.toMillis() + " ms";
            };
        }

        /** How a clock is wrong. */
        public enum Kind {
            /** By the same all the time. */
            JUMP,
            /** By more and more. */
            SKEW,
            /** By turns. */
            STROBE;

            /** The name of the fault: {@code clock-jump}. */
            public String fault() {
                return "clock-" + name().toLowerCase(Locale.ROOT);
            }
        }
    }
}
