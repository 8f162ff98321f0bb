package io.ycsbdrill.fault.node.faunadb;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An event in a node's log.
 *
 * @param at to the millisecond
 * @param host id of the node that it is about, for {@link Kind#UNREACHABLE}; else empty
 * @param text the node's own words
 */
record LogEvent(Kind kind, Instant at, String host, String text) {
    private static final Pattern LINE = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d),(\\d{3}) \\[(transaction\\.TxnPipeline|cluster\\.FailureDetector|commitlog\\.CommitLog)]"
                    + " [A-Z]+ (.*)");
    private static final Pattern UNREACHABLE = Pattern.compile("([0-9a-f-]{36}) is unreachable.*");

    /** Kinds of events. */
    enum Kind {
        /** It finds another node unreachable; repeated every second. */
        UNREACHABLE,
        /** It begins to apply the transactions that it missed. */
        CATCHING_UP,
        /** It is so far behind that it does nothing else. */
        BEHIND,
        /** It has caught up. */
        CAUGHT_UP,
        /** A step worth keeping. */
        STEP
    }

    /** The event that the line states; most lines are none. */
    static Optional<LogEvent> of(String line) {
        Matcher stamped = LINE.matcher(line);
        if (!stamped.matches()) {
            return Optional.empty();
        }
        String text = stamped.group(4);
        Matcher unreachable = UNREACHABLE.matcher(text);
        Kind kind = unreachable.matches()
                ? Kind.UNREACHABLE
                : text.startsWith("Initializing DataNode")
                        ? Kind.CATCHING_UP
                        : text.startsWith("DataNode: entering recovery mode")
                                ? Kind.BEHIND
                                : text.startsWith("DataNode: leaving recovery mode")
                                        ? Kind.CAUGHT_UP
                                        : text.startsWith("Log replay complete") ? Kind.STEP : null;
        if (kind == null) {
            return Optional.empty();
        }
        try {
            Instant at = Instant.parse(stamped.group(1) + "." + stamped.group(2) + "Z");
            return Optional.of(new LogEvent(kind, at, kind == Kind.UNREACHABLE ? unreachable.group(1) : "", text));
        } catch (DateTimeException e) {
            return Optional.empty(); // a damaged line
        }
    }
}
